// The whole provider on an Azure in this process, and a cluster in memory around it: one pool, one class, the claims that a
// test has made. The claims' conditions are written as the loops write them.
import type { AKSNodeClass } from '../../../src/api/aks-node-class.ts';
import type { Node } from '../../../src/api/core.ts';
import type { NodeClaim } from '../../../src/api/node-claim.ts';
import type { NodePool } from '../../../src/api/node-pool.ts';
import { Completion } from '../../../src/azure/instance/completion.ts';
import type { Instances } from '../../../src/azure/instance/instance.ts';
import { Launcher } from '../../../src/azure/instance/launcher.ts';
import { AzureProvider } from '../../../src/azure/provider.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { seededRandom } from '../../../src/base/random.ts';
import type { ObjectEvent } from '../../../src/kube/events/event-recorder.ts';
import { readyClass, settings, type Adapter } from './adapter.ts';

export interface TestProvider {
  readonly provider: AzureProvider;
  readonly completion: Completion;
  readonly claims: Map<string, NodeClaim>;
  readonly classes: Map<string, AKSNodeClass>;
  readonly pools: Map<string, NodePool>;
  readonly nodes: Node[];
  readonly events: ObjectEvent[];
  /** Reasons for which claims were ended. */
  readonly ended: string[];
  /** As the loop that launches claims does it: the claim is on record, then launched. */
  launch(claim: NodeClaim, signal: AbortSignal): Promise<NodeClaim>;
}

export const testPool = {
  metadata: { name: 'default', uid: 'pool' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
        requirements: [],
        expireAfter: 'Never',
      },
    },
    disruption: {
      consolidateAfter: '0s',
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      budgets: [],
    },
  },
} as const satisfies NodePool;

export interface BackEnd {
  readonly instances: Instances;
  readonly nodeClass: AKSNodeClass;
  /** Where the machines are AKS's. */
  readonly pool?: string;
}

export function testProvider(
  adapter: Adapter,
  { instances, nodeClass, pool }: BackEnd = { instances: adapter.vms, nodeClass: readyClass() },
): TestProvider {
  const claims = new Map<string, NodeClaim>();
  const classes = new Map([['default', nodeClass]]);
  const pools = new Map<string, NodePool>([['default', testPool]]);
  const nodes: Node[] = [];
  const events: ObjectEvent[] = [];
  const ended: string[] = [];
  const { clock } = adapter.test;
  const { catalog, quota, unavailable } = adapter;
  const random = seededRandom(3);
  const log = silentLogger;
  const launcher = new Launcher({ instances, catalog, quota, unavailable, random, log });
  const recorder = {
    publish: (...published: readonly ObjectEvent[]) => void events.push(...published),
  };
  const completion = new Completion({
    launcher,
    instances,
    claims: {
      get: (name) => claims.get(name),
      delete: ({ metadata }, reason) => {
        claims.delete(metadata.name);
        ended.push(reason);
        return Promise.resolve();
      },
    },
    events: recorder,
    clock,
    log,
  });
  const provider = new AzureProvider({
    cluster: {
      nodeClass: (name) => classes.get(name),
      nodePool: (name) => pools.get(name),
      node: (providerId) => nodes.find(({ spec }) => spec?.providerID === providerId),
    },
    events: recorder,
    clock,
    catalog,
    vms: adapter.vms,
    ...(pool !== undefined && { machines: { pool, instances } }),
    launcher,
    completion,
    settings: { ...settings, nodeIdentities: [] },
  });
  return {
    provider,
    completion,
    claims,
    classes,
    pools,
    nodes,
    events,
    ended,
    launch: async (claim, signal) => {
      claims.set(claim.metadata.name, claim);
      const launched = await provider.create(claim, signal);
      claims.set(claim.metadata.name, withLaunched(claim));
      return launched;
    },
  };
}

function withLaunched(claim: NodeClaim): NodeClaim {
  const condition = {
    type: 'Launched',
    status: 'True',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: 'Launched',
    message: '',
  } as const;
  return { ...claim, status: { ...claim.status, conditions: [condition] } };
}
