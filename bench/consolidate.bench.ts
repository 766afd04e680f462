// Consolidation beside the original on the same clusters in the same run. The hard case is a cluster in which nothing can be
// improved: every node must be tried before that is known. Such a cluster is made of a generated one: nodes are exactly as
// large as their pods ask for, the types they are of are sold out, and all others cost a thousand times as much.
import type { Json } from '../src/api/meta.ts';
import { quantityMilliValue, parseQuantity } from '../src/model/quantity.ts';
import { Consolidation } from '../src/scheduling/consolidate/consolidate.ts';
import { problemCluster } from '../src/scheduling/consolidate/problem-cluster.ts';
import { readProblem } from '../src/scheduling/problem/read-problem.ts';
import { nameOf } from '../test/support/scheduling/consolidation.ts';
import type { NodeJson, ProblemJson } from '../test/support/scheduling/problem-json.ts';
import { findOracle, type Oracle } from './oracle.ts';
import type { Bench } from './run.ts';

/** Pods of about 250, 500 and 2,000 nodes; the original is asked about the first only: it needs minutes for the second. */
const sizes = [
  { pods: 5500, beside: true },
  { pods: 11_000, beside: false },
  { pods: 44_000, beside: false },
];
const dearer = 1000;
const instanceTypeLabel = 'node.kubernetes.io/instance-type';

export const bench: Bench = {
  name: 'consolidate',
  description: 'nodes that are not worth their money: time and savings beside the original',
  async run(print) {
    const oracle = await findOracle().catch(() => undefined);
    if (oracle === undefined) {
      print('no oracle of the original here: there is nobody to make clusters or to compare with');
      return;
    }
    for (const size of sizes) await compareFull(oracle, size, print);
    await compareSavings(oracle, print);
  },
};

async function compareFull(
  oracle: Oracle,
  { pods, beside }: { readonly pods: number; readonly beside: boolean },
  print: (line: string) => void,
): Promise<void> {
  const problem = withoutAlternatives(await generate(oracle, pods, { from: 90, to: 99 }));
  const ours = run(problem);
  const times: number[] = [];
  for (let repeat = 0; repeat < 3; repeat++) times.push(timed(() => ours.run('single')));
  const best = Math.min(...times);
  const { commands, candidates } = ours.run('single');
  print(
    `${problem.nodes?.length} full nodes, ${candidates.length} candidates tried one by one: ${best.toFixed(0)} ms (the first time ${times[0]?.toFixed(0)} ms), ${(best / candidates.length).toFixed(3)} ms per question, ${commands.length} commands`,
  );
  if (!beside) return;
  const { methods } = await oracle.consolidate(problem, { method: 'single', repeats: 1 });
  const { computeMillis, command } = methods.single ?? {};
  const theirs = computeMillis?.min ?? 0;
  print(
    `  the original: ${theirs.toFixed(0)} ms, ${(theirs / best).toFixed(0)} times as long, ${command === null ? 0 : 1} commands`,
  );
}

async function compareSavings(oracle: Oracle, print: (line: string) => void): Promise<void> {
  const problem = await generate(oracle, 5000, { from: 5, to: 65 });
  const ours = run(problem);
  const wallMs = timed(() => ours.run('best'));
  const saved = ours.run('best').commands.reduce((sum, { savings }) => sum + savings, 0);
  const { methods, price } = await oracle.consolidate(problem, { method: 'multi', repeats: 1 });
  const theirs = methods.multi;
  if (theirs === undefined) return;
  const share = (savings: number): string => `${((100 * savings) / price).toFixed(1)} %`;
  print(
    `${problem.nodes?.length} half-empty nodes, several at once: one pass saves ${share(saved)} in ${wallMs.toFixed(0)} ms, theirs ${share(theirs.command?.savings ?? 0)} in ${theirs.computeMillis.min.toFixed(0)} ms`,
  );
}

function generate(
  oracle: Oracle,
  pods: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ProblemJson> {
  const kind = 'consolidation';
  return oracle.generate({
    kind,
    pods,
    types: 400,
    seed: 1,
    minUtilization: from,
    maxUtilization: to,
  });
}

function run(problem: ProblemJson): Consolidation {
  const document = readProblem(problem as unknown as Json);
  return new Consolidation(problemCluster(document, document.nowMs ?? 0));
}

function withoutAlternatives(problem: ProblemJson): ProblemJson {
  const used = new Map<string, number>();
  for (const { spec } of problem.boundPods ?? []) {
    const asked = spec.containers.map(({ resources }) =>
      String(resources?.requests?.['cpu'] ?? '0'),
    );
    const milli = asked.reduce(
      (sum, cpu) => sum + Number(quantityMilliValue(parseQuantity(cpu))),
      0,
    );
    used.set(spec.nodeName ?? '', (used.get(spec.nodeName ?? '') ?? 0) + milli);
  }
  const nodes = (problem.nodes ?? []).flatMap((node) => {
    const milli = used.get(nameOf(node));
    return milli === undefined ? [] : [exactly(node, milli)];
  });
  const types = new Set(nodes.map(({ node }) => node?.metadata?.labels?.[instanceTypeLabel]));
  const instanceTypes = problem.instanceTypes.map((type) => ({
    ...type,
    offerings: type.offerings.map((offering) =>
      types.has(type.name)
        ? { ...offering, available: false }
        : { ...offering, price: offering.price * dearer },
    ),
  }));
  return { ...problem, nodes, instanceTypes };
}

function exactly(written: NodeJson, milli: number): NodeJson {
  const { node } = written;
  const allocatable = { ...node?.status?.allocatable, cpu: `${milli}m` };
  return { ...written, node: { ...node, status: { ...node?.status, allocatable } } };
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
