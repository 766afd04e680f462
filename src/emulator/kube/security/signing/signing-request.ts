// A CertificateSigningRequest as code reads it. In: the stored object. Out: its parts, with what was left out filled in.
import { parseCertificateRequest, type CertificateRequest } from '../../../certificates.ts';
import { listAt, numberAt, objectsAt, stringAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';

export function signerOf(object: ApiObject): string {
  return stringAt(object, 'spec', 'signerName') ?? '';
}

export function usagesOf(object: ApiObject): readonly string[] {
  return listAt(object, 'spec', 'usages').map(String);
}

export function expirationSecondsOf(object: ApiObject): number | undefined {
  return numberAt(object, 'spec', 'expirationSeconds');
}

/** A sentence when the request inside cannot be read. */
export function requestOf(object: ApiObject): CertificateRequest | string {
  const text = Buffer.from(stringAt(object, 'spec', 'request') ?? '', 'base64').toString();
  return parseCertificateRequest(text);
}

export function conditionsOf(object: ApiObject): readonly JsonObject[] {
  return objectsAt(object, 'status', 'conditions');
}

export function hasCondition(object: ApiObject, type: 'Approved' | 'Denied' | 'Failed'): boolean {
  return conditionsOf(object).some((condition) => condition['type'] === type);
}

/** PEM; undefined while none was issued. */
export function certificateOf(object: ApiObject): string | undefined {
  const text = stringAt(object, 'status', 'certificate') ?? '';
  return text === '' ? undefined : Buffer.from(text, 'base64').toString();
}
