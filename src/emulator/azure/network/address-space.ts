// The address space of a virtual network. In: its body. Out: its prefixes, or the refusal of the network provider.
import { listAt, type JsonObject } from '../../kube/json.ts';
import { ArmError, requiredParameter } from '../errors.ts';
import { parsePrefix, type Prefix } from './ipv4.ts';

export function addressSpaceOf(body: JsonObject | undefined): Prefix[] {
  const prefixes = listAt(body, 'properties', 'addressSpace', 'addressPrefixes');
  if (prefixes.length === 0) throw requiredParameter('properties.addressSpace.addressPrefixes');
  return prefixes.map((text) => {
    const prefix = typeof text === 'string' ? parsePrefix(text) : undefined;
    if (prefix !== undefined) return prefix;
    throw new ArmError(
      400,
      'InvalidAddressPrefixFormat',
      `Address prefix ${JSON.stringify(text)} of resource has invalid format.`,
    );
  });
}
