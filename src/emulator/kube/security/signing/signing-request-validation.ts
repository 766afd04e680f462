// What a CertificateSigningRequest must be, and how it may change. In: the object, and its state before.
// Out: complaints in the server's words and order.
import { createPublicKey, X509Certificate } from 'node:crypto';
import { quote } from '../../../../api/crd/validation/field-error.ts';
import type { CertificateRequest } from '../../../certificates.ts';
import type { FieldError } from '../../../../api/crd/validation/field-error.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../field-error.ts';
import { at, sameJson, stringAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../validation/names.ts';
import { legacySigner } from './signers.ts';
import {
  certificateOf,
  conditionsOf,
  expirationSecondsOf,
  requestOf,
  signerOf,
  usagesOf,
} from './signing-request.ts';
import { usageWords } from './usages.ts';

const shortestSeconds = 600;
const finalTypes = ['Approved', 'Denied', 'Failed'] as const;
const conditionsField = 'status.conditions';

export function signingRequestErrors(object: ApiObject): readonly FieldError[] {
  return [
    ...requestErrors(object),
    ...usageErrors(usagesOf(object)),
    ...signerNameErrors(signerOf(object)),
    ...expirationErrors(expirationSecondsOf(object)),
    ...conditionErrors(conditionsOf(object)),
    ...certificateErrors(certificateOf(object)),
  ];
}

/** `endpoint` is the one written through: each may change a part of the status only. */
export function signingRequestUpdateErrors(
  object: ApiObject,
  before: ApiObject,
  endpoint: 'whole' | 'status' | 'approval',
): readonly FieldError[] {
  const removed = finalTypes
    .filter((type) => countOf(object, type) < countOf(before, type))
    .map((type) =>
      forbidden(conditionsField, `updates may not remove a condition of type ${quote(type)}`),
    );
  return [
    ...signingRequestErrors(object),
    ...removed,
    ...(endpoint === 'approval' ? [] : decisionErrors(object, before)),
    ...certificateChangeErrors(object, before, endpoint),
  ];
}

function requestErrors(object: ApiObject): readonly FieldError[] {
  const value = stringAt(object, 'spec', 'request') ?? null;
  const request = requestOf(object);
  if (typeof request === 'string') return [invalid('spec.request', value, request)];
  if (request.hasValidSignature) return [];
  return [invalid('spec.request', value, signatureFailure(request))];
}

function signatureFailure(request: CertificateRequest): string {
  const key = createPublicKey({
    key: Buffer.from(request.publicKey),
    format: 'der',
    type: 'spki',
  });
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return 'crypto/rsa: verification error';
    case 'ed25519':
      return 'x509: Ed25519 verification failure';
    default:
      return 'x509: ECDSA verification failure';
  }
}

function usageErrors(usages: readonly string[]): readonly FieldError[] {
  if (usages.length === 0) return [required('spec.usages')];
  const field = (index: number): string => `spec.usages[${index}]`;
  const unknown = usages.flatMap((usage, i) =>
    usageWords.includes(usage) ? [] : [notSupported(field(i), usage, usageWords)],
  );
  const repeated = usages.flatMap((usage, i) =>
    usages.indexOf(usage) < i ? [duplicate(field(i), usage)] : [],
  );
  return [...unknown, ...repeated];
}

function signerNameErrors(name: string): readonly FieldError[] {
  const field = 'spec.signerName';
  if (name === '') return [required(field)];
  if (name === legacySigner) {
    return [invalid(field, name, 'the legacy signerName is not allowed via this API version')];
  }
  const [domain = '', path = '', ...rest] = name.split('/');
  if (rest.length > 0 || !name.includes('/')) {
    const rule = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(field, name, rule)];
  }
  const short = 'should be a domain with at least two segments separated by dots';
  return [
    ...labelErrors(domain, dnsLabelErrors).map((error) => invalid(field, domain, error)),
    ...(domain.includes('.') ? [] : [invalid(field, domain, short)]),
    ...labelErrors(path, dnsSubdomainErrors).map((error) => invalid(field, path, error)),
  ];
}

/** The complaints about the first part that has any. */
function labelErrors(text: string, rule: (label: string) => readonly string[]): readonly string[] {
  const label = text.split('.').find((part) => rule(part).length > 0);
  if (label === undefined) return [];
  return rule(label).map((error) => `validating label ${quote(label)}: ${error}`);
}

function expirationErrors(seconds: number | undefined): readonly FieldError[] {
  if (seconds === undefined || seconds >= shortestSeconds) return [];
  const rule = `may not specify a duration less than ${shortestSeconds} seconds (10 minutes)`;
  return [invalid('spec.expirationSeconds', seconds, rule)];
}

function conditionErrors(conditions: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const type = stringAt(condition, 'type') ?? '';
    const field = `${conditionsField}[${index}]`;
    const isRepeated = seen.has(type);
    const isContradiction =
      (type === 'Approved' && seen.has('Denied')) || (type === 'Denied' && seen.has('Approved'));
    seen.add(type);
    const exclusive = 'Approved and Denied conditions are mutually exclusive';
    return [
      ...(type === '' ? [required(`${field}.type`)] : []),
      ...conditionStatusErrors(type, stringAt(condition, 'status') ?? '', `${field}.status`),
      ...(isContradiction ? [invalid(conditionsField, type, exclusive)] : []),
      ...(isRepeated ? [duplicate(`${field}.type`, type)] : []),
    ];
  });
}

function conditionStatusErrors(type: string, status: string, field: string): readonly FieldError[] {
  if (status === '') return [required(field)];
  const isFinal = finalTypes.some((final) => final === type);
  const allowed = isFinal ? ['True'] : ['False', 'True', 'Unknown'];
  return allowed.includes(status) ? [] : [notSupported(field, status, allowed)];
}

function certificateErrors(pem: string | undefined): readonly FieldError[] {
  if (pem === undefined) return [];
  const complain = (rule: string): readonly FieldError[] => [
    invalid('status.certificate', '<certificate data>', rule),
  ];
  const blocks = [...pem.matchAll(/-----BEGIN ([^-]+)-----[^-]*-----END \1-----/g)];
  if (blocks.length === 0) return complain('must contain at least one CERTIFICATE PEM block');
  const other = blocks.find(([, type]) => type !== 'CERTIFICATE')?.[1];
  if (other !== undefined) {
    return complain(`only CERTIFICATE PEM blocks are allowed, found ${quote(other)}`);
  }
  return blocks.every(([block]) => isCertificate(block))
    ? []
    : complain('x509: malformed certificate');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** Only the approval endpoint may decide. */
function decisionErrors(object: ApiObject, before: ApiObject): readonly FieldError[] {
  return (['Approved', 'Denied'] as const).flatMap((type) => {
    const had = ofType(before, type);
    const has = ofType(object, type);
    if (has.length > had.length) {
      return [forbidden(conditionsField, `updates may not add a condition of type ${quote(type)}`)];
    }
    if (has.length < had.length || sameJson(has, had)) return [];
    return [
      forbidden(conditionsField, `updates may not modify a condition of type ${quote(type)}`),
    ];
  });
}

function certificateChangeErrors(
  object: ApiObject,
  before: ApiObject,
  endpoint: 'whole' | 'status' | 'approval',
): readonly FieldError[] {
  const field = 'status.certificate';
  const had = at(before, 'status', 'certificate') ?? '';
  if ((at(object, 'status', 'certificate') ?? '') === had) return [];
  if (endpoint !== 'status') return [forbidden(field, 'updates may not set certificate content')];
  return had === ''
    ? []
    : [forbidden(field, 'updates may not modify existing certificate content')];
}

function ofType(object: ApiObject, type: string): readonly JsonObject[] {
  return conditionsOf(object).filter((condition) => condition['type'] === type);
}

function countOf(object: ApiObject, type: string): number {
  return ofType(object, type).length;
}
