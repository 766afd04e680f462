// Webhook configurations, which are kept and shown but never called. In: the object. Out: field errors, in the server's
// words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, notSupported, required } from '../field-error.ts';
import {
  at,
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
import { conditionErrors, ruleErrors } from './admission-rules.ts';
import { dns1035LabelErrors, dnsSubdomainErrors, portNumberErrors } from './names.ts';
import { selectorErrors } from './selector.ts';

const longestTimeoutSeconds = 30;

export function webhookErrors(object: ApiObject): readonly FieldError[] {
  const hooks = objectsAt(object, 'webhooks');
  const names = hooks.map((hook) => textAt(hook, 'name'));
  return hooks.flatMap((hook, index) => {
    const field = `webhooks[${index}]`;
    const name = names[index] ?? '';
    const isTaken = names.indexOf(name) < index;
    return [
      ...(isTaken
        ? [{ field: `${field}.name`, type: 'Duplicate' as const, value: name, detail: '' }]
        : []),
      ...hookErrors(hook, field),
    ];
  });
}

function choiceErrors(
  hook: JsonObject,
  name: string,
  { field, known }: { readonly field: string; readonly known: readonly string[] },
): readonly FieldError[] {
  const value = stringAt(hook, name);
  if (value === undefined || known.includes(value)) return [];
  return [notSupported(`${field}.${name}`, value, known)];
}

function hookErrors(hook: JsonObject, field: string): readonly FieldError[] {
  const choice = (name: string, ...known: string[]): readonly FieldError[] =>
    choiceErrors(hook, name, { field, known });
  return [
    ...nameErrors(textAt(hook, 'name'), `${field}.name`),
    ...objectsAt(hook, 'rules').flatMap((rule, i) => ruleErrors(rule, `${field}.rules[${i}]`)),
    ...choice('failurePolicy', 'Fail', 'Ignore'),
    ...choice('matchPolicy', 'Equivalent', 'Exact'),
    ...(at(hook, 'sideEffects') === undefined
      ? [required(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun')]
      : choice('sideEffects', 'None', 'NoneOnDryRun')),
    ...timeoutErrors(numberAt(hook, 'timeoutSeconds'), `${field}.timeoutSeconds`),
    ...selectorErrors(at(hook, 'namespaceSelector'), `${field}.namespaceSelector`),
    ...selectorErrors(at(hook, 'objectSelector'), `${field}.objectSelector`),
    ...clientErrors(objectAt(hook, 'clientConfig') ?? {}, `${field}.clientConfig`),
    ...conditionErrors(hook, `${field}.matchConditions`),
    ...choice('reinvocationPolicy', 'IfNeeded', 'Never'),
    ...versionErrors(
      listAt(hook, 'admissionReviewVersions').map(scalarText),
      `${field}.admissionReviewVersions`,
    ),
  ];
}

function nameErrors(name: string, field: string): readonly FieldError[] {
  if (name === '') return [required(field)];
  const errors = dnsSubdomainErrors(name).map((rule) => invalid(field, name, rule));
  if (errors.length > 0 || name.split('.').length >= 3) return errors;
  const rule = 'should be a domain with at least three segments separated by dots';
  return [invalid(field, name, rule)];
}

function timeoutErrors(seconds: number | undefined, field: string): readonly FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= longestTimeoutSeconds)) return [];
  const rule = `the timeout value must be between 1 and ${longestTimeoutSeconds} seconds`;
  return [invalid(field, seconds, rule)];
}

const understood = ['v1', 'v1beta1'];

function versionErrors(versions: readonly string[], field: string): readonly FieldError[] {
  const spoken = understood.join(', ');
  if (versions.length === 0) return [required(field, `must specify one of ${spoken}`)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index)
      return [invalid(`${field}[${index}]`, version, 'duplicate version')];
    return dns1035LabelErrors(version).map((rule) => invalid(`${field}[${index}]`, version, rule));
  });
  const isUnderstood = versions.some((version) => understood.includes(version));
  if (errors.length > 0 || isUnderstood) return errors;
  return [invalid(field, versions, `must include at least one of ${spoken}`)];
}

function clientErrors(client: JsonObject, field: string): readonly FieldError[] {
  const url = stringAt(client, 'url');
  const service = objectAt(client, 'service');
  if ((url === undefined) === (service === undefined))
    return [required(field, 'exactly one of url or service is required')];
  return service === undefined
    ? urlErrors(url ?? '', `${field}.url`)
    : serviceErrors(service, `${field}.service`);
}

const form = '; desired format: https://host[/path]';

function urlErrors(text: string, field: string): readonly FieldError[] {
  const url = URL.parse(text);
  if (url === null) return [required(field, `url must be a valid URL${form}`)];
  const user = url.password === '' ? url.username : `${url.username}:${url.password}`;
  const scheme = url.protocol.slice(0, -1);
  return [
    ...(scheme === 'https'
      ? []
      : [invalid(field, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(url.host === '' ? [invalid(field, url.host, `host must be specified${form}`)] : []),
    ...(user === '' ? [] : [invalid(field, user, 'user information is not permitted in the URL')]),
    ...(url.hash === ''
      ? []
      : [invalid(field, url.hash.slice(1), 'fragments are not permitted in the URL')]),
    ...(url.search === ''
      ? []
      : [invalid(field, url.search.slice(1), 'query parameters are not permitted in the URL')]),
  ];
}

function serviceErrors(service: JsonObject, field: string): readonly FieldError[] {
  const port = numberAt(service, 'port') ?? 0;
  const path = stringAt(service, 'path');
  return [
    ...(textAt(service, 'name') === '' ? [required(`${field}.name`)] : []),
    ...(textAt(service, 'namespace') === '' ? [required(`${field}.namespace`)] : []),
    ...portNumberErrors(port).map((rule) =>
      invalid(`${field}.port`, port, `port is not valid: ${rule}`),
    ),
    ...(path === undefined ? [] : pathErrors(path, `${field}.path`)),
  ];
}

function pathErrors(path: string, field: string): readonly FieldError[] {
  if (path === '' || path === '/') return [];
  const start = path.startsWith('/') ? [] : [invalid(field, path, "must start with a '/'")];
  const segments = path.replace(/\/$/, '').slice(1).split('/');
  return [
    ...start,
    ...segments.flatMap((segment, index) =>
      segment === ''
        ? [invalid(field, path, `segment[${index}] may not be empty`)]
        : dnsSubdomainErrors(segment).map((rule) =>
            invalid(field, path, `segment[${index}]: ${rule}`),
          ),
    ),
  ];
}
