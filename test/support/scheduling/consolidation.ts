// What the original consolidates on small clusters, recorded; and how to judge a command. In: test/vectors/consolidation.
// Out: clusters with its decisions, and for commands of anybody the problem and the plan that they amount to.
import { readFileSync } from 'node:fs';
import type { Pod } from '../../../src/api/core.ts';
import type { Json } from '../../../src/api/meta.ts';
import type { Cluster } from '../../../src/scheduling/consolidate/cluster.ts';
import { problemCluster } from '../../../src/scheduling/consolidate/problem-cluster.ts';
import { readProblem } from '../../../src/scheduling/problem/read-problem.ts';
import type { ConsolidateResult, ConsolidationMethod } from '../../../bench/oracle.ts';
import type {
  InstanceTypeJson,
  NodeJson,
  NodePoolJson,
  PlanJson,
  PlannedNodeClaim,
  ProblemJson,
} from './problem-json.ts';
import { vectorUrl } from './vectors.ts';

export interface ConsolidationVector {
  readonly name: string;
  readonly spotToSpot: boolean;
  readonly problem: ProblemJson;
  readonly methods: Readonly<
    Record<
      ConsolidationMethod,
      Pick<NonNullable<ConsolidateResult['methods']['multi']>, 'candidates' | 'budget' | 'command'>
    >
  >;
}

/** What commands have in common, whoever gave them. */
export interface CommandJson {
  readonly candidates: readonly { readonly node: string; readonly price: number }[];
  readonly replacements: readonly PlannedNodeClaim[];
  readonly savings: number;
  readonly moved?: readonly { readonly name: string; readonly pods: readonly string[] }[];
}

export const consolidationUrl = new URL(
  '../../vectors/consolidation/clusters.jsonl',
  import.meta.url,
);

/** Instance types are the same for all recorded problems. */
export function readCatalog(): InstanceTypeJson[] {
  return read(vectorUrl('catalog')) as InstanceTypeJson[];
}

export function readConsolidationVectors(): ConsolidationVector[] {
  const types = new Map(readCatalog().map((type) => [type.name, type] as const));
  const stored = read(consolidationUrl) as (ConsolidationVector & { types: readonly string[] })[];
  return stored.map(({ types: names, ...vector }) => ({
    ...vector,
    problem: { ...vector.problem, instanceTypes: names.map((name) => types.get(name)!) },
  }));
}

/** The cluster without the nodes that go, their pods waiting; and where the commands say that these go. */
export function afterwards(
  problem: ProblemJson,
  commands: readonly CommandJson[],
): { readonly problem: ProblemJson; readonly plan: PlanJson } {
  const gone = new Set(commands.flatMap(({ candidates }) => candidates.map(({ node }) => node)));
  const { nodes = [], boundPods = [] } = problem;
  const pods = boundPods.filter(({ spec }) => gone.has(spec.nodeName!)).map(unbound);
  const newNodeClaims = commands.flatMap(({ replacements }) => replacements);
  return {
    problem: {
      ...problem,
      nodes: nodes.filter((node) => !gone.has(nameOf(node))),
      boundPods: boundPods.filter(({ spec }) => !gone.has(spec.nodeName!)),
      pods: [...problem.pods, ...pods],
    },
    plan: {
      newNodeClaims,
      existingNodes: commands.flatMap(({ moved = [] }) => moved),
      podErrors: {},
      totalPrice: newNodeClaims.reduce((sum, { cheapestPrice }) => sum + cheapestPrice, 0),
    },
  };
}

function unbound({ metadata, spec }: Pod): Pod {
  const { nodeName: _, ...rest } = spec;
  return { metadata, spec: rest };
}

/** The moment of clusters that tests make themselves. */
export const noon = Date.parse('2026-01-02T12:00:00Z');

export function clusterOf(problem: ProblemJson): Cluster {
  return problemCluster(readProblem(problem as unknown as Json), noon);
}

export function withDisruption(pool: NodePoolJson, disruption: object): NodePoolJson {
  const spec = pool.spec as NodePoolJson['spec'] & { readonly disruption?: object };
  return { ...pool, spec: { ...spec, disruption: { ...spec.disruption, ...disruption } } } as never;
}

export function nameOf({ node, name }: NodeJson): string {
  return node?.metadata?.name ?? name ?? '';
}

function read(file: URL): unknown[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}
