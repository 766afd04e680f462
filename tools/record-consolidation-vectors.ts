// Records what the original consolidates on small clusters. In: the oracle (bench/oracle.ts says how it is found). Out:
// test/vectors/consolidation, which the tests replay without it; one object per line, so that a diff shows which changed.
import { mkdir, writeFile } from 'node:fs/promises';
import type { Pod } from '../src/api/core.ts';
import { findOracle } from '../bench/oracle.ts';
import {
  type ConsolidationVector,
  consolidationUrl,
  nameOf,
  readCatalog,
  withDisruption,
} from '../test/support/scheduling/consolidation.ts';
import type { NodeJson, ProblemJson } from '../test/support/scheduling/problem-json.ts';

interface Cluster {
  readonly pods: number;
  readonly seed: number;
  /** How full nodes are, in percent. */
  readonly from: number;
  readonly to: number;
  readonly spotToSpot?: true;
  readonly disruption?: object;
}

const small: readonly Cluster[] = [1, 2, 3].flatMap((seed) => [
  { pods: 60, seed, from: 5, to: 65 },
  { pods: 90, seed, from: 20, to: 60 },
  { pods: 120, seed, from: 60, to: 98 },
  { pods: 90, seed, from: 20, to: 90, spotToSpot: true },
]);

const clusters: readonly Cluster[] = [
  ...small,
  { pods: 90, seed: 4, from: 20, to: 60, disruption: { budgets: [{ nodes: '2' }] } },
  { pods: 90, seed: 5, from: 20, to: 60, disruption: { budgets: [{ nodes: '20%' }] } },
  { pods: 40, seed: 6, from: 5, to: 30, disruption: { budgets: [{ nodes: '0' }] } },
  { pods: 40, seed: 7, from: 5, to: 30, disruption: { consolidationPolicy: 'WhenEmpty' } },
  { pods: 120, seed: 8, from: 20, to: 90, disruption: { consolidationPolicy: 'Balanced' } },
  { pods: 40, seed: 9, from: 5, to: 30, disruption: { consolidateAfter: 'Never' } },
];

const typesInCatalog = 60;
const known = new Set(readCatalog().map((type) => JSON.stringify(type)));
const oracle = await findOracle();

async function record(cluster: Cluster): Promise<object> {
  const { pods, seed, from, to, spotToSpot = false, disruption = {} } = cluster;
  const { meta: _, ...problem } = await oracle.generate({
    kind: 'consolidation',
    pods,
    seed,
    types: typesInCatalog,
    minUtilization: from,
    maxUtilization: to,
  });
  const trimmed: ProblemJson = {
    ...problem,
    nodePools: problem.nodePools.map(({ status: _status, ...pool }) =>
      withDisruption(pool, disruption),
    ),
    nodes: (problem.nodes ?? []).map(essentialNode),
    boundPods: (problem.boundPods ?? []).map(essentialPod),
  };
  const { methods } = await oracle.consolidate(trimmed, { method: 'all', spotToSpot });
  const decided = Object.entries(methods).map(([method, { candidates, budget, command }]) => [
    method,
    { candidates, budget, command },
  ]);
  for (const type of trimmed.instanceTypes) {
    if (known.has(JSON.stringify(type))) continue;
    throw new Error(`${type.name} is not in the catalogue of recorded problems, or not as it is`);
  }
  const vector: Omit<ConsolidationVector, 'problem'> = {
    name: `${trimmed.nodes?.length} nodes of ${from} to ${to} percent, seed ${seed}${spotToSpot ? ', spot to spot' : ''} ${JSON.stringify(disruption)}`,
    spotToSpot,
    methods: Object.fromEntries(decided) as ConsolidationVector['methods'],
  };
  const { instanceTypes, ...rest } = trimmed;
  return { ...vector, types: instanceTypes.map(({ name }) => name), problem: rest };
}

/** Only what a decision can depend on; the rest follows from the instance type. */
function essentialNode(written: NodeJson): NodeJson {
  const { labels = {}, creationTimestamp = '' } = written.node?.metadata ?? {};
  const {
    'karpenter.sh/nodepool': nodePool = '',
    'node.kubernetes.io/instance-type': instanceType = '',
    'topology.kubernetes.io/zone': zone = '',
    'karpenter.sh/capacity-type': capacityType = '',
  } = labels;
  const node = { metadata: { creationTimestamp } };
  return { name: nameOf(written), nodePool, instanceType, zone, capacityType, node };
}

function essentialPod(pod: Pod): Pod {
  const { name, namespace, labels, annotations, uid, ownerReferences } = pod.metadata;
  const metadata = { name, namespace, labels, annotations, uid, ownerReferences };
  return { metadata: metadata as Pod['metadata'], spec: pod.spec };
}

await mkdir(new URL('.', consolidationUrl), { recursive: true });
const lines: string[] = [];
for (const cluster of clusters) lines.push(JSON.stringify(await record(cluster)));
await writeFile(consolidationUrl, `${lines.join('\n')}\n`);
