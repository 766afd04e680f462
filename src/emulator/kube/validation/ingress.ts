// Ingresses and their classes. In: the object. Out: field errors, in the server's words and order.
import { isIP } from 'node:net';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, notSupported, required, tooLong } from '../field-error.ts';
import {
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  textAt,
  type JsonObject,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import {
  dns1035LabelErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  pathSegmentName,
  portNameErrors,
  portNumberErrors,
} from './names.ts';
import { prefixedPathErrors } from './prefixed-path.ts';

const classAnnotation = 'kubernetes.io/ingress.class';
const longestController = 250;
const longestName = 253;

export function ingressErrors(ingress: ApiObject): readonly FieldError[] {
  const spec = objectAt(ingress, 'spec') ?? {};
  const rules = objectsAt(spec, 'rules');
  const backend = objectAt(spec, 'defaultBackend');
  const className = stringAt(spec, 'ingressClassName');
  const isEmpty = rules.length === 0 && backend === undefined;
  const none = 'either `defaultBackend` or `rules` must be specified';
  return [
    ...(isEmpty ? [invalid('spec', null, none)] : []),
    ...(backend === undefined ? [] : backendErrors(backend, 'spec.defaultBackend')),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `spec.rules[${index}]`)),
    ...objectsAt(spec, 'tls').flatMap((tls, index) => tlsErrors(tls, `spec.tls[${index}]`)),
    ...(className === undefined
      ? []
      : dnsSubdomainErrors(className).map((rule) =>
          invalid('spec.ingressClassName', className, rule),
        )),
  ];
}

/** The old way to name a class must not contradict the new one. */
export function classAnnotationErrors(ingress: ApiObject): readonly FieldError[] {
  const annotated = ingress.metadata.annotations?.[classAnnotation];
  const className = stringAt(ingress, 'spec', 'ingressClassName');
  if (annotated === undefined || className === undefined || annotated === className) return [];
  const rule = 'must match `ingressClassName` when both are specified';
  return [invalid(`annotations.${classAnnotation}`, annotated, rule)];
}

const wildcard = String.raw`\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`;
const wildcardPattern = new RegExp(`^${wildcard}$`);

function wildcardNameErrors(name: string): readonly string[] {
  const rule = `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '${wildcard}')`;
  return [
    ...(name.length > longestName ? [`must be no more than ${longestName} characters`] : []),
    ...(wildcardPattern.test(name) ? [] : [rule]),
  ];
}

function hostErrors(host: string, field: string): readonly FieldError[] {
  const errors = host.includes('*') ? wildcardNameErrors(host) : dnsSubdomainErrors(host);
  return errors.map((rule) => invalid(field, host, rule));
}

function ruleErrors(rule: JsonObject, field: string): readonly FieldError[] {
  const host = textAt(rule, 'host');
  const http = objectAt(rule, 'http');
  const paths = objectsAt(http, 'paths');
  const address = 'must be a DNS name, not an IP address';
  return [
    ...(isIP(host) > 0 ? [invalid(`${field}.host`, host, address)] : []),
    ...(host === '' ? [] : hostErrors(host, `${field}.host`)),
    ...(http !== undefined && paths.length === 0 ? [required(`${field}.http.paths`)] : []),
    ...paths.flatMap((path, index) => pathErrors(path, `${field}.http.paths[${index}]`)),
  ];
}

function tlsErrors(tls: JsonObject, field: string): readonly FieldError[] {
  const secret = textAt(tls, 'secretName');
  return [
    ...listAt(tls, 'hosts').flatMap((host, index) =>
      hostErrors(scalarText(host), `${field}.hosts[${index}]`),
    ),
    ...(secret === ''
      ? []
      : dnsSubdomainErrors(secret).map((rule) => invalid(`${field}.secretName`, secret, rule))),
  ];
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const badSequences = ['//', '/./', '/../', '%2f', '%2F'];
const badEnds = ['/..', '/.'];

function pathErrors(path: JsonObject, field: string): readonly FieldError[] {
  const type = stringAt(path, 'pathType');
  if (type === undefined) return [required(`${field}.pathType`, 'pathType must be specified')];
  return [
    ...(pathTypes.includes(type)
      ? pathTextErrors(textAt(path, 'path'), type, `${field}.path`)
      : [notSupported(`${field}.pathType`, type, pathTypes)]),
    ...backendErrors(objectAt(path, 'backend') ?? {}, `${field}.backend`),
  ];
}

function pathTextErrors(path: string, type: string, field: string): readonly FieldError[] {
  const isLoose = type === 'ImplementationSpecific';
  const isRelative = !path.startsWith('/') && !(isLoose && path === '');
  const errors = isRelative ? [invalid(field, path, 'must be an absolute path')] : [];
  if (isLoose) return errors;
  return [
    ...errors,
    ...badSequences
      .filter((sequence) => path.includes(sequence))
      .map((sequence) => invalid(field, path, `must not contain '${sequence}'`)),
    ...badEnds
      .filter((end) => path.endsWith(end))
      .map((end) => invalid(field, path, `cannot end with '${end}'`)),
  ];
}

function backendErrors(backend: JsonObject, field: string): readonly FieldError[] {
  const resource = objectAt(backend, 'resource');
  const service = objectAt(backend, 'service');
  if (resource !== undefined && service !== undefined)
    return [invalid(field, '', 'cannot set both resource and service backends')];
  if (resource !== undefined) return referenceErrors(resource, `${field}.resource`);
  if (service === undefined) return [invalid(field, '', 'resource or service backend is required')];
  const name = textAt(service, 'name');
  return [
    ...(name === ''
      ? [required(`${field}.service.name`)]
      : dns1035LabelErrors(name).map((rule) => invalid(`${field}.service.name`, name, rule))),
    ...servicePortErrors(service, field),
  ];
}

function servicePortErrors(service: JsonObject, field: string): readonly FieldError[] {
  const name = textAt(service, 'port', 'name');
  const number = numberAt(service, 'port', 'number') ?? 0;
  if (name !== '' && number !== 0)
    return [invalid(field, '', 'cannot set both port name & port number')];
  if (name !== '')
    return portNameErrors(name).map((rule) => invalid(`${field}.service.port.name`, name, rule));
  if (number === 0) return [required(field, 'port name or number is required')];
  return portNumberErrors(number).map((rule) =>
    invalid(`${field}.service.port.number`, number, rule),
  );
}

function referenceErrors(reference: JsonObject, field: string): readonly FieldError[] {
  const group = stringAt(reference, 'apiGroup');
  return [
    ...(group === undefined
      ? []
      : dnsSubdomainErrors(group).map((rule) => invalid(`${field}.apiGroup`, group, rule))),
    ...segmentErrors(textAt(reference, 'kind'), `${field}.kind`),
    ...segmentErrors(textAt(reference, 'name'), `${field}.name`),
  ];
}

function segmentErrors(text: string, field: string): readonly FieldError[] {
  if (text === '') return [required(field)];
  return pathSegmentName(text, false).map((rule) => invalid(field, text, rule));
}

export function ingressClassErrors(object: ApiObject): readonly FieldError[] {
  const controller = textAt(object, 'spec', 'controller');
  const field = 'spec.controller';
  const parameters = objectAt(object, 'spec', 'parameters');
  return [
    ...(controller.length > longestController ? [tooLong(field, longestController)] : []),
    ...prefixedPathErrors(controller, field),
    ...(parameters === undefined ? [] : parameterErrors(parameters, 'spec.parameters')),
  ];
}

const scopes = ['Cluster', 'Namespace'];

function parameterErrors(parameters: JsonObject, field: string): readonly FieldError[] {
  const errors = referenceErrors(parameters, field);
  const scope = stringAt(parameters, 'scope');
  const namespace = stringAt(parameters, 'namespace');
  if (scope === undefined) return [...errors, required(`${field}.scope`)];
  if (!scopes.includes(scope)) return [...errors, notSupported(`${field}.scope`, scope, scopes)];
  return [...errors, ...namespaceErrors(scope, namespace, `${field}.namespace`)];
}

function namespaceErrors(
  scope: string,
  namespace: string | undefined,
  field: string,
): readonly FieldError[] {
  const why = `\`parameters.scope\` is set to '${scope}'`;
  if (scope === 'Cluster') return namespace === undefined ? [] : [forbidden(field, why)];
  if (namespace === undefined) return [required(field, why)];
  return dnsLabelErrors(namespace).map((rule) => invalid(field, namespace, rule));
}

export function controllerChangeErrors(
  object: ApiObject,
  before: ApiObject,
): readonly FieldError[] {
  const controller = textAt(object, 'spec', 'controller');
  if (controller === textAt(before, 'spec', 'controller')) return [];
  return [invalid('spec.controller', controller, 'field is immutable')];
}
