// The containers of a pod spec: names, images, ports, amounts, mounts, probes. In: the spec. Out: complaints in the
// server's words.
import { compareQuantities, parseQuantity, type Quantity } from '../../../model/quantity.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { duplicate, invalid, notFoundValue, notSupported, required } from '../field-error.ts';
import {
  at,
  countAt,
  numberAt,
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  textAt,
  type JsonObject,
} from '../json.ts';
import { deviceErrors, envFromErrors, resizeErrors, restartErrors } from './container-parts.ts';
import { lifecycleErrors, probeErrors } from './handlers.ts';
import { fieldReferenceErrors } from './field-reference.ts';
import { dnsLabelErrors, portNameErrors, portNumberErrors, qualifiedNameErrors } from './names.ts';
import { containerSecurityErrors } from './security-context.ts';

const standardResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Standard amounts of containers, huge pages, and whatever a vendor names with a domain of its own. */
function resourceNameErrors(name: string, field: string): readonly FieldError[] {
  const errors = qualifiedNameErrors(name).map((error) => invalid(field, name, error));
  if (name.includes('/')) return errors;
  if (standardResources.has(name) || name.startsWith('hugepages-')) return errors;
  if (errors.length === 0) {
    errors.push(invalid(field, name, 'must be a standard resource type or fully qualified'));
  }
  return [...errors, invalid(field, name, 'must be a standard resource for containers')];
}

const canOvercommit = (name: string): boolean =>
  !name.startsWith('hugepages-') &&
  (standardResources.has(name) || !name.includes('/') || name.startsWith('kubernetes.io/'));

function amountErrors(amounts: JsonObject | undefined, field: string): readonly FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => {
    const path = `${field}[${name}]`;
    const errors = [...resourceNameErrors(name, path)];
    const { nano } = parseQuantity(scalarText(amount));
    if (nano < 0n)
      errors.push(invalid(path, scalarText(amount), 'must be greater than or equal to 0'));
    const isWhole = nano % 1_000_000_000n === 0n;
    if (!isWhole && !standardResources.has(name)) {
      errors.push(invalid(path, scalarText(amount), 'must be an integer'));
    }
    return errors;
  });
}

function amount(amounts: JsonObject | undefined, name: string): Quantity | undefined {
  const found = amounts?.[name];
  return typeof found === 'string' || typeof found === 'number' ? parseQuantity(found) : undefined;
}

function resourceErrors(resources: JsonObject | undefined, field: string): readonly FieldError[] {
  const limits = objectAt(resources, 'limits');
  const requests = objectAt(resources, 'requests');
  const errors = [
    ...amountErrors(limits, `${field}.limits`),
    ...amountErrors(requests, `${field}.requests`),
  ];
  for (const [name, shown] of Object.entries(requests ?? {})) {
    const request = amount(requests, name);
    const limit = amount(limits, name);
    if (request === undefined) continue;
    if (limit === undefined) {
      if (!canOvercommit(name)) {
        errors.push(
          required(`${field}.limits`, 'Limit must be set for non overcommitable resources'),
        );
      }
      continue;
    }
    const order = compareQuantities(request, limit);
    const limitText = scalarText(limits?.[name]);
    if (order !== 0 && !canOvercommit(name)) {
      errors.push(
        invalid(
          `${field}.requests`,
          scalarText(shown),
          `must be equal to ${name} limit of ${limitText}`,
        ),
      );
    } else if (order > 0) {
      errors.push(
        invalid(
          `${field}.requests`,
          scalarText(shown),
          `must be less than or equal to ${name} limit of ${limitText}`,
        ),
      );
    }
  }
  return errors;
}

const protocols = ['SCTP', 'TCP', 'UDP'];

function portErrors(ports: readonly JsonObject[], field: string): readonly FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = `${field}[${index}]`;
    const errors: FieldError[] = [];
    const name = textAt(port, 'name');
    if (name !== '') {
      const wrong = portNameErrors(name);
      if (wrong.length > 0)
        errors.push(...wrong.map((error) => invalid(`${path}.name`, name, error)));
      else if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
      names.add(name);
    }
    const number = countAt(port, 'containerPort');
    if (number === 0) errors.push(required(`${path}.containerPort`));
    else
      errors.push(
        ...portNumberErrors(number).map((error) => invalid(`${path}.containerPort`, number, error)),
      );
    const hostPort = countAt(port, 'hostPort');
    if (hostPort !== 0)
      errors.push(
        ...portNumberErrors(hostPort).map((error) => invalid(`${path}.hostPort`, hostPort, error)),
      );
    const protocol = textAt(port, 'protocol');
    if (protocol === '') errors.push(required(`${path}.protocol`));
    else if (!protocols.includes(protocol))
      errors.push(notSupported(`${path}.protocol`, protocol, protocols));
    return errors;
  });
}

function envErrors(container: JsonObject, field: string): readonly FieldError[] {
  return objectsAt(container, 'env').flatMap((env, index) => {
    const path = `${field}[${index}]`;
    const errors: FieldError[] = [];
    if (textAt(env, 'name') === '') errors.push(required(`${path}.name`));
    const source = objectAt(env, 'valueFrom');
    if (source === undefined) return errors;
    const sources = Object.keys(source).length;
    if (sources === 0) {
      errors.push(
        invalid(
          `${path}.valueFrom`,
          '',
          'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
        ),
      );
    } else if (textAt(env, 'value') !== '') {
      errors.push(
        invalid(`${path}.valueFrom`, '', 'may not be specified when `value` is not empty'),
      );
    } else if (sources > 1) {
      errors.push(
        invalid(`${path}.valueFrom`, '', 'may not have more than one field specified at a time'),
      );
    }
    errors.push(...fieldReferenceErrors(source, `${path}.valueFrom.fieldRef.fieldPath`));
    return errors;
  });
}

function mountErrors(
  container: JsonObject,
  volumes: ReadonlySet<string>,
  field: string,
): readonly FieldError[] {
  const paths = new Set<string>();
  return objectsAt(container, 'volumeMounts').flatMap((mount, index) => {
    const at = `${field}[${index}]`;
    const errors: FieldError[] = [];
    const name = textAt(mount, 'name');
    const path = textAt(mount, 'mountPath');
    if (name === '') errors.push(required(`${at}.name`));
    if (!volumes.has(name)) errors.push(notFoundValue(`${at}.name`, name));
    if (path === '') errors.push(required(`${at}.mountPath`));
    if (paths.has(path)) errors.push(invalid(`${at}.mountPath`, path, 'must be unique'));
    paths.add(path);
    return errors;
  });
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
const messagePolicies = ['File', 'FallbackToLogsOnError'];

/** What a container shares with the others of its pod. */
interface Surroundings {
  readonly volumes: ReadonlySet<string>;
  readonly hasHostUsers: boolean;
  readonly graceSeconds: number;
}

function policyErrors(container: JsonObject, field: string): readonly FieldError[] {
  const check = (name: string, known: readonly string[]): readonly FieldError[] => {
    const value = stringAt(container, name);
    return value === undefined || known.includes(value)
      ? []
      : [notSupported(`${field}.${name}`, value, known)];
  };
  return [
    ...check('terminationMessagePolicy', messagePolicies),
    ...check('imagePullPolicy', pullPolicies),
    ...restartErrors(container, field),
  ];
}

function containerErrors(
  container: JsonObject,
  field: string,
  { volumes, hasHostUsers, graceSeconds }: Surroundings,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(container, 'name');
  if (name === '') errors.push(required(`${field}.name`));
  else errors.push(...dnsLabelErrors(name).map((error) => invalid(`${field}.name`, name, error)));
  const image = textAt(container, 'image');
  if (image === '') errors.push(required(`${field}.image`));
  else if (image !== image.trim())
    errors.push(invalid(`${field}.image`, image, 'must not have leading or trailing whitespace'));
  return [
    ...errors,
    ...policyErrors(container, field),
    ...portErrors(objectsAt(container, 'ports'), `${field}.ports`),
    ...envErrors(container, `${field}.env`),
    ...envFromErrors(container, field),
    ...mountErrors(container, volumes, `${field}.volumeMounts`),
    ...deviceErrors(container, field, volumes),
    ...resourceErrors(objectAt(container, 'resources'), `${field}.resources`),
    ...resizeErrors(container, field),
    ...containerSecurityErrors(
      objectAt(container, 'securityContext'),
      `${field}.securityContext`,
      hasHostUsers,
    ),
    ...lifecycleErrors(container, field, graceSeconds),
    ...probeErrors(container, field),
  ];
}

export function containersErrors(
  spec: JsonObject,
  field: string,
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  const containers = objectsAt(spec, 'containers');
  const errors: FieldError[] = [];
  const around: Surroundings = {
    volumes,
    hasHostUsers: at(spec, 'hostUsers') !== false,
    graceSeconds: numberAt(spec, 'terminationGracePeriodSeconds') ?? 30,
  };
  if (containers.length === 0) errors.push(required(`${field}.containers`));
  const names = new Set<string>();
  for (const group of ['containers', 'initContainers'] as const) {
    for (const [index, container] of objectsAt(spec, group).entries()) {
      const path = `${field}.${group}[${index}]`;
      const name = textAt(container, 'name');
      errors.push(...containerErrors(container, path, around));
      if (names.has(name) && name !== '') errors.push(duplicate(`${path}.name`, name));
      names.add(name);
      if (group === 'initContainers') errors.push(...initErrors(container, path));
    }
  }
  errors.push(...hostPortErrors(containers, `${field}.containers`));
  return errors;
}

/** A container that runs beside the others may be probed; one that runs before them may not. */
function initErrors(container: JsonObject, field: string): readonly FieldError[] {
  if (stringAt(container, 'restartPolicy') === 'Always') return [];
  return ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
    .filter((name) => at(container, name) !== undefined)
    .map((name) => ({
      field: `${field}.${name}`,
      type: 'Forbidden' as const,
      detail: 'may not be set for init containers without restartPolicy=Always',
    }));
}

function hostPortErrors(containers: readonly JsonObject[], field: string): readonly FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap((container, index) =>
    objectsAt(container, 'ports').flatMap((port, portIndex) => {
      const hostPort = countAt(port, 'hostPort');
      if (hostPort === 0) return [];
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${hostPort}`;
      const isTaken = seen.has(key);
      seen.add(key);
      return isTaken ? [duplicate(`${field}[${index}].ports[${portIndex}].hostPort`, key)] : [];
    }),
  );
}
