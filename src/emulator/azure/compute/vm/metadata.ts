// The metadata service of one machine, as far as identities go. In: the machine's id. Out: a handler for plain HTTP
// that gives tokens of the identities that the machine has at that moment, and none when it is gone or its power is
// off.
import type { HttpHandler } from '../../../../base/http-server.ts';
import { objectAt, stringAt } from '../../../kube/json.ts';
import type { Principal } from '../../entra/directory.ts';
import { createMetadataHandler } from '../../entra/managed-identity.ts';
import type { Compute } from '../compute.ts';
import { identityIds } from './identity.ts';
import { powerStateOf } from './machine.ts';

export function createVmMetadataHandler({ env }: Compute, vmId: string): HttpHandler {
  const principals = (): Principal[] => {
    const vm = env.store.get(vmId);
    if (vm === undefined || powerStateOf(vm) !== 'running') return [];
    const identity = objectAt(vm.body, 'identity');
    const own = stringAt(identity, 'principalId');
    return [
      own === undefined ? undefined : env.directory.byObjectId(own),
      ...identityIds(identity).map((id) => env.directory.byResourceId(id)),
    ].filter((principal) => principal !== undefined);
  };
  return createMetadataHandler({ tokens: env.tokens, principals });
}
