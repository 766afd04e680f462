// Ids of machines as nodes carry them. In: the ARM id of a virtual machine, or a node's provider id. Out: the other.
// AKS writes the resource group in lower case there, whatever its case elsewhere; so do we, or a node would not be found.
import { CodedError } from '../../base/errors.ts';

const shape =
  /^azure:\/\/\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/virtualMachines\/(?<name>[^/]+)$/i;

export function providerIdOf(vmId: string): string {
  const lowered = vmId.replace(
    /(\/resourceGroups\/)([^/]+)/i,
    (_, keyword: string, group: string) => keyword + group.toLowerCase(),
  );
  return `azure://${lowered}`;
}

export function vmNameOf(providerId: string): string {
  const name = shape.exec(providerId)?.groups?.['name'];
  if (name !== undefined) return name;
  throw new CodedError('ProviderIdInvalid', 'not the provider id of an azure virtual machine', {
    fields: { providerId },
  });
}
