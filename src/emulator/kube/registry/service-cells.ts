// What services and their endpoints look like in a table.
import { countAt, listAt, objectsAt, stringAt, textAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { orNone } from './columns.ts';

export function portsText(service: ApiObject): string {
  const ports = objectsAt(service, 'spec', 'ports').map((port) => {
    const nodePort = countAt(port, 'nodePort');
    const number = countAt(port, 'port');
    const outside = nodePort > 0 ? `${number}:${nodePort}` : String(number);
    return `${outside}/${textAt(port, 'protocol')}`;
  });
  return orNone(ports.join(','));
}

export function externalAddress(service: ApiObject): string {
  const type = stringAt(service, 'spec', 'type');
  const external = listAt(service, 'spec', 'externalIPs').filter(
    (item) => typeof item === 'string',
  );
  if (type === 'ExternalName') return textAt(service, 'spec', 'externalName');
  if (type !== 'LoadBalancer') return orNone(external.join(','));
  const all = [...loadBalancerAddresses(service), ...external];
  return all.length === 0 ? '<pending>' : all.join(',');
}

export function loadBalancerAddresses(object: ApiObject): readonly string[] {
  return objectsAt(object, 'status', 'loadBalancer', 'ingress')
    .map((ingress) => stringAt(ingress, 'ip') ?? textAt(ingress, 'hostname'))
    .filter((address) => address !== '');
}

const shownEndpoints = 3;

export function endpointsText(endpoints: ApiObject): string {
  const all = objectsAt(endpoints, 'subsets').flatMap((subset) => {
    const addresses = objectsAt(subset, 'addresses').map((item) => textAt(item, 'ip'));
    const ports = objectsAt(subset, 'ports');
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => `${ip}:${countAt(port, 'port')}`));
  });
  return shortened(all);
}

/** The first three, and how many more there are. */
export function shortened(all: readonly string[]): string {
  if (all.length === 0) return '<none>';
  const shown = all.slice(0, shownEndpoints).join(',');
  return all.length > shownEndpoints ? `${shown} + ${all.length - shownEndpoints} more...` : shown;
}
