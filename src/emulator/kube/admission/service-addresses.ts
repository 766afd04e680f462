// Gives services their addresses and node ports. In: a service that asks for one. Out: the service with one that no other
// has. What is in use is read from the store, so nothing is leaked by a service that goes.
import { isIP } from 'node:net';
import type { Random } from '../../../base/random.ts';
import { invalid } from '../field-error.ts';
import {
  at,
  countAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  withDefaults,
  without,
  withValue,
  type JsonObject,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { AdmissionPlugin } from '../ports.ts';
import { internalError, invalidObject } from '../status-error.ts';
import type { Store } from '../store/store.ts';
import { eachObject } from '../validation/pod-defaults.ts';

const serviceKind = { group: '', kind: 'Service' };
const firstNodePort = 30_000;
const nodePorts = 2768;
/** Addresses of 10.0.0.0/16 below this are given only to those who ask for them by name. */
const reserved = 256;
const addresses = 65_535;

function addressOf(offset: number): string {
  return `10.0.${offset >> 8}.${offset & 255}`;
}

function placeOf({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function isInRange(address: string): boolean {
  return /^10\.0\.\d{1,3}\.\d{1,3}$/.test(address);
}

/** A service does not stand in its own way: `except` is its namespace and name. */
function usedAddresses(store: Store, except: string): ReadonlySet<string> {
  return new Set(
    store
      .all('/services')
      .filter((service) => placeOf(service) !== except)
      .flatMap((service) =>
        listAt(service, 'spec', 'clusterIPs').filter((item) => typeof item === 'string'),
      ),
  );
}

function usedPorts(store: Store, except: string): ReadonlySet<number> {
  return new Set(
    store
      .all('/services')
      .filter((service) => placeOf(service) !== except)
      .flatMap((service) =>
        objectsAt(service, 'spec', 'ports').map((port) => countAt(port, 'nodePort')),
      ),
  );
}

function free<T>(
  random: Random,
  count: number,
  at: (offset: number) => T,
  used: ReadonlySet<T>,
): T {
  const start = random.integer(count);
  for (let step = 0; step < count; step++) {
    const candidate = at((start + step) % count);
    if (!used.has(candidate)) return candidate;
  }
  throw internalError('failed to allocate: range is full');
}

/** Why an address cannot be had. A dry run allocates nothing: it looks at the range alone, in words of its own. */
function refusalOf(
  address: string,
  used: ReadonlySet<string>,
  isDryRun: boolean,
): string | undefined {
  if (isInRange(address)) {
    return used.has(address) && !isDryRun ? 'provided IP is already allocated' : undefined;
  }
  return isDryRun
    ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is 10.0.0.0/16`
    : 'the provided network does not match the current range';
}

function withAddress(
  service: ApiObject,
  isDryRun: boolean,
  { store, random }: { readonly store: Store; readonly random: Random },
): ApiObject {
  if (isNonsense(service)) return service;
  const spec = objectAt(service, 'spec') ?? {};
  const wanted = textAt(spec, 'clusterIP');
  const used = usedAddresses(store, placeOf(service));
  const isAsked = wanted !== '' && wanted !== 'None';
  const refusal = isAsked ? refusalOf(wanted, used, isDryRun) : undefined;
  if (refusal !== undefined) {
    throw invalidObject(serviceKind, service.metadata.name, [
      invalid('spec.clusterIPs', [wanted], `failed to allocate IP ${wanted}: ${refusal}`),
    ]);
  }
  const address =
    wanted === ''
      ? free(random, addresses - reserved, (offset) => addressOf(offset + reserved), used)
      : wanted;
  const filled = withDefaults(
    { ...spec, clusterIP: address, clusterIPs: [address] },
    {
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    },
  );
  return { ...service, spec: filled };
}

/** What is no address at all is left to the rules about the object. */
function isNonsense(service: ApiObject): boolean {
  const wanted = textAt(service, 'spec', 'clusterIP');
  return wanted !== '' && wanted !== 'None' && isIP(wanted) === 0;
}

function withNodePorts(service: ApiObject, store: Store, random: Random): ApiObject {
  const spec = objectAt(service, 'spec') ?? {};
  const type = stringAt(spec, 'type');
  const isWanted =
    type === 'NodePort' ||
    (type === 'LoadBalancer' && at(spec, 'allocateLoadBalancerNodePorts') !== false);
  if (!isWanted) return service;
  const used = new Set(usedPorts(store, placeOf(service)));
  const changed = eachObject(spec, 'ports', (port) => {
    const wanted = countAt(port, 'nodePort');
    if (wanted !== 0) {
      checkPort(service, wanted, used);
      return port;
    }
    const given = free(random, nodePorts, (offset) => firstNodePort + offset, used);
    used.add(given);
    return { ...port, nodePort: given };
  });
  return changed === spec ? service : { ...service, spec: changed };
}

function checkPort(service: ApiObject, port: number, used: ReadonlySet<number>): void {
  const isValid = port >= firstNodePort && port < firstNodePort + nodePorts;
  if (isValid && !used.has(port)) return;
  const why = isValid
    ? 'provided port is already allocated'
    : `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${firstNodePort + nodePorts - 1}`;
  throw invalidObject(serviceKind, service.metadata.name, [
    invalid('spec.ports[0].nodePort', port, why),
  ]);
}

/** An update that leaves out what was given keeps it. */
function withOldAddresses(service: ApiObject, before: ApiObject): ApiObject {
  const spec = objectAt(service, 'spec') ?? {};
  const old = objectAt(before, 'spec') ?? {};
  if (textAt(spec, 'clusterIP') !== '') return withPortsOf(service, old);
  const kept: JsonObject = Object.fromEntries(
    ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']
      .filter((field) => old[field] !== undefined)
      .map((field) => [field, old[field] ?? null]),
  );
  return withPortsOf({ ...service, spec: { ...spec, ...kept } }, old);
}

function withPortsOf(service: ApiObject, old: JsonObject): ApiObject {
  const before = objectsAt(old, 'ports');
  const spec = eachObject(objectAt(service, 'spec') ?? {}, 'ports', (port) => {
    const same = before.find(
      (item) => item['port'] === port['port'] && item['protocol'] === port['protocol'],
    );
    const given = numberAt(same, 'nodePort');
    return given === undefined || port['nodePort'] !== undefined
      ? port
      : { ...port, nodePort: given };
  });
  return { ...service, spec };
}

function withoutAddresses(service: ApiObject): ApiObject {
  const spec = [
    'clusterIP',
    'clusterIPs',
    'ipFamilies',
    'ipFamilyPolicy',
    'internalTrafficPolicy',
  ].reduce((rest, field) => without(rest, field), objectAt(service, 'spec') ?? {});
  return { ...service, spec };
}

export function serviceAddresses(store: Store, random: Random): AdmissionPlugin {
  return {
    name: 'ServiceAddresses',
    mutate: (service, { context, group, resource, subresource, operation, before }) => {
      if (group !== '' || resource !== 'services' || subresource !== '' || operation === 'DELETE') {
        return service;
      }
      const type = stringAt(service, 'spec', 'type');
      if (type === 'ExternalName') return withoutAddresses(service);
      const kept = before === undefined ? service : withOldAddresses(service, before);
      const isHeadless = stringAt(kept, 'spec', 'clusterIP') === 'None';
      const addressed = withAddress(kept, context.dryRun === true, { store, random });
      const isOutside = type === 'NodePort' || type === 'LoadBalancer';
      const ported = isOutside
        ? withNodePorts(addressed, store, random)
        : withoutNodePorts(addressed);
      return isHeadless ? withValue(ported, ['spec', 'clusterIPs'], ['None']) : ported;
    },
  };
}

function withoutNodePorts(service: ApiObject): ApiObject {
  const spec = objectAt(service, 'spec') ?? {};
  const changed = eachObject(spec, 'ports', (port) => without(port, 'nodePort'));
  return changed === spec ? service : { ...service, spec: changed };
}
