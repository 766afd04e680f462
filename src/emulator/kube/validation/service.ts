// Services: types, ports and families. Addresses and node ports are given out by admission/service-addresses.ts.
import { isIP } from 'node:net';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { duplicate, invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  countAt,
  listAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  withDefaults,
  withValue,
  type JsonObject,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { ownStatus } from '../registry/status-rules.ts';
import { dns1035LabelName, dnsLabelErrors, portNumberErrors } from './names.ts';
import { labelErrors } from './object-meta.ts';
import { eachObject } from './pod-defaults.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const protocols = ['SCTP', 'TCP', 'UDP'];

function portDefaults(port: JsonObject): JsonObject {
  const filled = withDefaults(port, { protocol: 'TCP' });
  const target = at(filled, 'targetPort');
  return target === undefined || target === 0 || target === ''
    ? withValue(filled, ['targetPort'], countAt(port, 'port'))
    : filled;
}

function serviceDefaults(service: ApiObject): ApiObject {
  const spec = withDefaults(objectAt(service, 'spec') ?? {}, {
    sessionAffinity: 'None',
    type: 'ClusterIP',
  });
  const type = stringAt(spec, 'type');
  const isOutside = type === 'LoadBalancer' || type === 'NodePort';
  let filled = eachObject(spec, 'ports', portDefaults);
  if (type !== 'ExternalName') filled = withDefaults(filled, { internalTrafficPolicy: 'Cluster' });
  if (isOutside) filled = withDefaults(filled, { externalTrafficPolicy: 'Cluster' });
  if (type === 'LoadBalancer')
    filled = withDefaults(filled, { allocateLoadBalancerNodePorts: true });
  if (stringAt(filled, 'sessionAffinity') === 'ClientIP') {
    filled = withDefaults(filled, {
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
    });
  }
  return filled === service['spec'] ? service : { ...service, spec: filled };
}

function portErrors(port: JsonObject, field: string, isNameNeeded: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(port, 'name');
  if (name === '') {
    if (isNameNeeded) errors.push(required(`${field}.name`));
  } else errors.push(...dnsLabelErrors(name).map((error) => invalid(`${field}.name`, name, error)));
  const number = countAt(port, 'port');
  errors.push(...portNumberErrors(number).map((error) => invalid(`${field}.port`, number, error)));
  const protocol = textAt(port, 'protocol');
  if (protocol === '') errors.push(required(`${field}.protocol`));
  else if (!protocols.includes(protocol))
    errors.push(notSupported(`${field}.protocol`, protocol, protocols));
  const target = at(port, 'targetPort');
  if (typeof target === 'number') {
    errors.push(
      ...portNumberErrors(target).map((error) => invalid(`${field}.targetPort`, target, error)),
    );
  }
  return errors;
}

function portsErrors(service: ApiObject): readonly FieldError[] {
  const ports = objectsAt(service, 'spec', 'ports');
  const names = new Set<string>();
  const numbers = new Set<string>();
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    const errors = [...portErrors(port, field, ports.length > 1)];
    const name = textAt(port, 'name');
    if (name !== '' && names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
    const key = `${textAt(port, 'protocol')} ${countAt(port, 'port')}`;
    if (numbers.has(key)) {
      errors.push(duplicate(field, { port: port['port'] ?? 0, protocol: port['protocol'] ?? '' }));
    }
    numbers.add(key);
    return errors;
  });
}

function addressErrors(service: ApiObject): readonly FieldError[] {
  const address = textAt(service, 'spec', 'clusterIP');
  if (address === '' || address === 'None' || isIP(address) > 0) return [];
  const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  return [invalid('spec.clusterIPs[0]', address, detail)];
}

function serviceErrors(service: ApiObject): readonly FieldError[] {
  const type = textAt(service, 'spec', 'type');
  const errors: FieldError[] = [];
  const isHeadless = stringAt(service, 'spec', 'clusterIP') === 'None';
  const hasPorts = listAt(service, 'spec', 'ports').length > 0;
  if (!hasPorts && !isHeadless && type !== 'ExternalName') errors.push(required('spec.ports'));
  if (type === 'ExternalName' && textAt(service, 'spec', 'externalName') === '') {
    errors.push(required('spec.externalName'));
  }
  errors.push(
    ...labelErrors(
      objectAt(service, 'spec', 'selector') as Record<string, string> | undefined,
      'spec.selector',
    ),
  );
  const affinity = textAt(service, 'spec', 'sessionAffinity');
  if (affinity !== 'None' && affinity !== 'ClientIP') {
    errors.push(notSupported('spec.sessionAffinity', affinity, ['ClientIP', 'None']));
  }
  if (!types.includes(type)) errors.push(notSupported('spec.type', type, types));
  errors.push(...addressErrors(service));
  return [...errors, ...portsErrors(service)];
}

function fixedAddress(service: ApiObject, before: ApiObject): readonly FieldError[] {
  const type = stringAt(service, 'spec', 'type');
  const old = textAt(before, 'spec', 'clusterIP');
  const now = textAt(service, 'spec', 'clusterIP');
  if (type === 'ExternalName' || stringAt(before, 'spec', 'type') === 'ExternalName') return [];
  if (old === '' || old === now) return [];
  return [
    invalid('spec.clusterIPs[0]', listAt(service, 'spec', 'clusterIPs'), 'may not change once set'),
  ];
}

export const serviceStrategy: Strategy = {
  ...ownStatus({ loadBalancer: {} }),
  nameErrors: dns1035LabelName,
  allowCreateOnUpdate: true,
  returnsDeleted: true,
  defaults: serviceDefaults,
  validate: serviceErrors,
  validateUpdate: (service, before) => [
    ...fixedAddress(service, before),
    ...serviceErrors(service),
  ],
};
