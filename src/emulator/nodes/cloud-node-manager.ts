// What Azure's own agent adds to a new node: its id, addresses, size, region and zone; then it takes away the taint that kept pods off
// until all this was known. In: the machine and a credential of the cloud's. Out: the node, initialized.
// A kubelet could not do it: nobody may change the taints of the node that it runs on.
import { sleep, type Clock } from '../../base/clock.ts';
import type { VirtualMachine } from '../azure/compute/vm-events.ts';
import { objectsAt, textAt, type JsonObject } from '../kube/json.ts';
import { isDone, type KubeConnection } from './kube-connection.ts';
import { nodeNameOf, uninitializedTaint } from './kubelet/node-object.ts';

const retryMs = 2000;

export async function initializeNode(options: {
  readonly vm: VirtualMachine;
  readonly connection: KubeConnection;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { vm, connection, clock, signal } = options;
  const target = `/api/v1/nodes/${nodeNameOf(vm)}`;
  for (;;) {
    const body = { status: { addresses: [...addressesOf(vm)] } };
    const told = await connection.send(
      { method: 'PATCH', target: `${target}/status`, body },
      signal,
    );
    if (isDone(told)) {
      const change = initialized(vm, told.body);
      const request = { method: 'PATCH', target, body: change, patch: 'merge' } as const;
      if (isDone(await connection.send(request, signal))) return;
    }
    await sleep(clock, retryMs, { signal, label: 'cloud node manager' });
  }
}

/** With the version that it was made from: taints that others put there meanwhile must not be lost. */
function initialized(vm: VirtualMachine, node: JsonObject): JsonObject {
  const taints = objectsAt(node, 'spec', 'taints').filter(
    ({ key }) => key !== uninitializedTaint.key,
  );
  const zone = vm.zone === undefined ? '0' : `${vm.location}-${vm.zone}`;
  return {
    metadata: {
      resourceVersion: textAt(node, 'metadata', 'resourceVersion'),
      labels: {
        'beta.kubernetes.io/instance-type': vm.size,
        'node.kubernetes.io/instance-type': vm.size,
        'failure-domain.beta.kubernetes.io/region': vm.location,
        'failure-domain.beta.kubernetes.io/zone': zone,
        'topology.kubernetes.io/region': vm.location,
        'topology.kubernetes.io/zone': zone,
      },
    },
    spec: { providerID: providerIdOf(vm), taints: taints.length === 0 ? null : [...taints] },
  };
}

/** The cloud provider writes names of resource groups in lower case, and leaves the rest as it is. */
export function providerIdOf({ id }: VirtualMachine): string {
  const lowered = id.replace(/(?<=\/resourceGroups\/)[^/]+/i, (group) => group.toLowerCase());
  return `azure://${lowered}`;
}

function addressesOf(vm: VirtualMachine): readonly JsonObject[] {
  const nic = vm.nics.find(({ isPrimary }) => isPrimary) ?? vm.nics[0];
  return [
    { type: 'InternalIP', address: nic?.privateAddress ?? '' },
    { type: 'Hostname', address: nodeNameOf(vm) },
  ];
}
