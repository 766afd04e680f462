// A kubelet's sign of life. In: its node. Out: the lease of its name in kube-node-lease, renewed every ten seconds.
// A lease belongs to its node: while there is no Node object there is none to renew, and none is made.
import { sleep, toMicroTimestamp, type Clock } from '../../../base/clock.ts';
import { objectAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { Gate } from '../gate.ts';
import { isDone, type KubeConnection } from '../kube-connection.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const durationSeconds = 40;

export async function keepLease(options: {
  readonly nodeName: string;
  readonly connection: KubeConnection;
  readonly clock: Clock;
  readonly gate: Gate;
  readonly renewMs: number;
  readonly signal: AbortSignal;
}): Promise<never> {
  const { nodeName, connection, clock, gate, signal, renewMs } = options;
  const target = `${leases}/${nodeName}`;
  let known: JsonObject | undefined;
  const renew = async (): Promise<void> => {
    known ??= await read();
    if (known === undefined) return;
    const spec = { ...objectAt(known, 'spec'), renewTime: toMicroTimestamp(clock.now()) };
    const body = { ...known, spec };
    const written = await connection.send({ method: 'PUT', target, body }, signal);
    known = isDone(written) ? written.body : undefined;
  };
  const read = async (): Promise<JsonObject | undefined> => {
    const found = await connection.send({ method: 'GET', target }, signal);
    if (found.status !== 404) return isDone(found) ? found.body : undefined;
    const node = await connection.send(
      { method: 'GET', target: `/api/v1/nodes/${nodeName}` },
      signal,
    );
    if (!isDone(node)) return undefined;
    const body = newLease(nodeName, textAt(node.body, 'metadata', 'uid'), clock.now());
    const made = await connection.send({ method: 'POST', target: leases, body }, signal);
    return isDone(made) ? made.body : undefined;
  };
  for (;;) {
    await gate.pass(signal);
    await renew();
    await sleep(clock, renewMs, { signal, label: 'node lease' });
  }
}

function newLease(nodeName: string, uid: string, nowMs: number): JsonObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: nodeName,
      namespace: 'kube-node-lease',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid }],
    },
    spec: {
      holderIdentity: nodeName,
      leaseDurationSeconds: durationSeconds,
      renewTime: toMicroTimestamp(nowMs),
    },
  };
}
