// Probes and lifecycle hooks of a container: what the kubelet is to call, and how often. In: a container. Out: field errors,
// in the server's words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  countAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  scalarText,
  textAt,
  type JsonObject,
} from '../json.ts';
import { portNameErrors, portNumberErrors } from './names.ts';

type Check = (action: JsonObject, field: string) => readonly FieldError[];

function portErrors(action: JsonObject, field: string): readonly FieldError[] {
  const port = at(action, 'port') ?? 0;
  const errors =
    typeof port === 'number' ? portNumberErrors(port) : portNameErrors(scalarText(port));
  return errors.map((rule) => invalid(`${field}.port`, port, rule));
}

const commandErrors: Check = (action, field) =>
  listAt(action, 'command').length === 0 ? [required(`${field}.command`)] : [];

const schemes = ['HTTP', 'HTTPS'];
const headerRule =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

const httpErrors: Check = (action, field) => {
  const scheme = textAt(action, 'scheme');
  return [
    ...(textAt(action, 'path') === '' ? [required(`${field}.path`)] : []),
    ...portErrors(action, field),
    ...(schemes.includes(scheme) ? [] : [notSupported(`${field}.scheme`, scheme, schemes)]),
    ...objectsAt(action, 'httpHeaders')
      .map((header) => textAt(header, 'name'))
      .filter((name) => !/^[-A-Za-z0-9]+$/.test(name))
      .map((name) => invalid(`${field}.httpHeaders`, name, headerRule)),
  ];
};

const grpcErrors: Check = (action, field) =>
  portNumberErrors(countAt(action, 'port')).map((rule) =>
    invalid(`${field}.port`, countAt(action, 'port'), rule),
  );

const common: readonly (readonly [string, Check])[] = [
  ['exec', commandErrors],
  ['httpGet', httpErrors],
  ['tcpSocket', portErrors],
];

/** Only the first of several is looked into. */
function actionErrors(
  handler: JsonObject,
  field: string,
  checks: readonly (readonly [string, Check])[],
): readonly FieldError[] {
  const present = checks.filter(([name]) => objectAt(handler, name) !== undefined);
  if (present.length === 0) return [required(field, 'must specify a handler type')];
  return present.flatMap(([name, check], index) =>
    index === 0
      ? check(objectAt(handler, name) ?? {}, `${field}.${name}`)
      : [forbidden(`${field}.${name}`, 'may not specify more than 1 handler type')],
  );
}

export function lifecycleErrors(
  container: JsonObject,
  field: string,
  graceSeconds: number,
): readonly FieldError[] {
  const sleepErrors: Check = (action, path) => {
    const seconds = countAt(action, 'seconds');
    if (seconds >= 0 && seconds <= graceSeconds) return [];
    const rule = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
    return [invalid(path, seconds, rule)];
  };
  return ['postStart', 'preStop'].flatMap((name) => {
    const handler = objectAt(container, 'lifecycle', name);
    if (handler === undefined) return [];
    return actionErrors(handler, `${field}.lifecycle.${name}`, [...common, ['sleep', sleepErrors]]);
  });
}

const counts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
];

export function probeErrors(container: JsonObject, field: string): readonly FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const probe = objectAt(container, name);
    return probe === undefined ? [] : oneProbeErrors(probe, name, `${field}.${name}`);
  });
}

function oneProbeErrors(probe: JsonObject, name: string, field: string): readonly FieldError[] {
  return [
    ...actionErrors(probe, field, [...common, ['grpc', grpcErrors]]),
    ...counts
      .map((count) => [count, countAt(probe, count)] as const)
      .filter(([, value]) => value < 0)
      .map(([count, value]) =>
        invalid(`${field}.${count}`, value, 'must be greater than or equal to 0'),
      ),
    ...graceErrors(numberAt(probe, 'terminationGracePeriodSeconds'), name, field),
    ...thresholdErrors(numberAt(probe, 'successThreshold') ?? 1, name, field),
  ];
}

function graceErrors(
  seconds: number | undefined,
  name: string,
  field: string,
): readonly FieldError[] {
  if (seconds === undefined) return [];
  const path = `${field}.terminationGracePeriodSeconds`;
  return [
    ...(seconds <= 0 ? [invalid(path, seconds, 'must be greater than 0')] : []),
    ...(name === 'readinessProbe'
      ? [invalid(path, seconds, 'must not be set for readinessProbes')]
      : []),
  ];
}

/** Only readiness may take more than one success: the others end with the first. */
function thresholdErrors(threshold: number, name: string, field: string): readonly FieldError[] {
  if (name === 'readinessProbe' || threshold === 1) return [];
  return [invalid(`${field}.successThreshold`, threshold, 'must be 1')];
}
