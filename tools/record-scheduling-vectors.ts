// Records what the original decides on small problems. In: the oracle (bench/oracle.ts says how it is found). Out:
// test/vectors/scheduling, which the tests replay without it; one object per line, so that a diff shows which changed.
// Exit code 1 when a plan breaks a rule that nobody has written down as broken.
import { mkdir, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { Pod } from '../src/api/core.ts';
import { findOracle, type GenerateOptions, type ScheduleResult } from '../bench/oracle.ts';
import { arbitraryProblem } from '../test/support/scheduling/arbitrary-problem.ts';
import { edgeCases } from '../test/support/scheduling/edge-cases/all.ts';
import type { EdgeCase } from '../test/support/scheduling/edge-cases/edge-case.ts';
import type {
  InstanceTypeJson,
  PlanJson,
  ProblemJson,
} from '../test/support/scheduling/problem-json.ts';
import { type SchedulingVector, vectorUrl } from '../test/support/scheduling/vectors.ts';
import { verifyPlan } from '../test/support/scheduling/verify-plan.ts';

/** Where the original is not deterministic, one run says little. */
const runs = 20;
const typesInCatalog = 60;
const randomProblems = 40;

/** Every `step`-th instance type of the catalogue. */
interface Generated extends GenerateOptions {
  readonly kind: 'plain' | 'mixed' | 'constrained';
  readonly pods: number;
  readonly seed: number;
  readonly step: number;
}

const generated: readonly Generated[] = [
  { kind: 'plain', pods: 10, seed: 1, step: 3 },
  { kind: 'plain', pods: 25, seed: 2, step: 2 },
  { kind: 'plain', pods: 40, seed: 3, step: 1 },
  { kind: 'plain', pods: 60, seed: 4, step: 1 },
  { kind: 'mixed', pods: 12, seed: 1, step: 3 },
  { kind: 'mixed', pods: 24, seed: 2, step: 2 },
  { kind: 'mixed', pods: 36, seed: 3, step: 1 },
  { kind: 'mixed', pods: 60, seed: 4, step: 1 },
  { kind: 'constrained', pods: 15, seed: 1, step: 1 },
  { kind: 'constrained', pods: 30, seed: 2, step: 1 },
  { kind: 'constrained', pods: 30, seed: 3, step: 2 },
  { kind: 'constrained', pods: 45, seed: 4, step: 1 },
  { kind: 'constrained', pods: 60, seed: 5, step: 1 },
  { kind: 'constrained', pods: 60, seed: 6, step: 2 },
];

const oracle = await findOracle();
let unexplained = 0;

async function record(edgeCase: EdgeCase): Promise<SchedulingVector> {
  const { name, problem, policy, broken } = edgeCase;
  let judged = await judge(edgeCase);
  // The original sometimes splits pods that must share a zone; which run does is chance.
  for (let again = 0; again < 5 && !judged.isExpected; again++) judged = await judge(edgeCase);
  const { result, violations, isExpected } = judged;
  if (!isExpected) {
    unexplained++;
    console.error(`${name}: expected ${broken?.rule ?? 'no violation'}, found`, violations);
  }
  return {
    name,
    ...(policy && { policy }),
    ...(broken && { broken }),
    deterministic: result.deterministic,
    range: rangeOf(result),
    problem,
    plan: planOf(result),
  };
}

async function judge({ problem, policy, broken }: EdgeCase) {
  const result = await oracle.schedule(problem, { repeats: runs, ...policy });
  const minValues = policy?.minValuesPolicy ?? 'Strict';
  const violations = verifyPlan(problem, result, { minValues });
  const isExpected =
    broken === undefined
      ? violations.length === 0
      : violations.length > 0 && violations.every(({ rule }) => rule === broken.rule);
  return { result, violations, isExpected };
}

function rangeOf({ repeats }: ScheduleResult): SchedulingVector['range'] {
  const range = (values: readonly number[]): readonly [number, number] => [
    Math.min(...values),
    Math.max(...values),
  ];
  return {
    nodeClaims: range(repeats.map(({ nodeClaims }) => nodeClaims)),
    podErrors: range(repeats.map(({ podErrors }) => podErrors)),
    totalPrice: range(repeats.map(({ totalPrice }) => totalPrice)),
  };
}

function planOf(result: PlanJson): PlanJson {
  const { newNodeClaims, existingNodes, podErrors, totalPrice } = result;
  return { newNodeClaims, existingNodes, podErrors, totalPrice };
}

/** Only what a plan can depend on. */
function essential(pod: Pod): Pod {
  const { name, namespace, labels, uid, creationTimestamp } = pod.metadata;
  const metadata = { name, namespace, labels, uid, creationTimestamp } as Pod['metadata'];
  return { metadata, spec: pod.spec };
}

async function generate({ step, ...options }: Generated): Promise<EdgeCase> {
  const { meta: _, ...problem } = await oracle.generate({ ...options, types: typesInCatalog });
  const { kind, pods, seed } = options;
  const instanceTypes = problem.instanceTypes.filter((_type, i) => i % step === 0);
  return {
    name: `${kind}, ${pods} pods, ${instanceTypes.length} types, seed ${seed}`,
    problem: { ...problem, instanceTypes, pods: problem.pods.map(essential) },
  };
}

/** Random problems whose plans keep the rules: what the original breaks is shown by the edge cases. */
async function recordRandom(): Promise<SchedulingVector[]> {
  const recorded: SchedulingVector[] = [];
  const samples = fc.sample(arbitraryProblem(), { seed: 1, numRuns: 4 * randomProblems });
  for (const [i, problem] of samples.entries()) {
    if (recorded.length === randomProblems) break;
    const { pods } = problem;
    const result = await oracle.schedule(problem, { repeats: runs });
    // A problem of which nothing can be placed shows little.
    const isTelling = Object.keys(result.podErrors).length < pods.length;
    if (!isTelling || verifyPlan(problem, result).length > 0) continue;
    const { deterministic } = result;
    const vector = { deterministic, range: rangeOf(result), problem, plan: planOf(result) };
    recorded.push({ name: `random ${i}, ${pods.length} pods`, ...vector });
  }
  return recorded;
}

async function write(file: string, objects: readonly object[]): Promise<void> {
  const lines = objects.map((object) => JSON.stringify(object));
  await writeFile(vectorUrl(file), `${lines.join('\n')}\n`);
}

await mkdir(new URL('.', vectorUrl('x')), { recursive: true });
const catalog = new Map<string, InstanceTypeJson>();
for (const kind of ['plain', 'mixed', 'constrained'] as const) {
  const stored: object[] = [];
  for (const options of generated.filter((row) => row.kind === kind)) {
    const vector = await record(await generate(options));
    const problem: ProblemJson = vector.problem;
    for (const type of problem.instanceTypes) catalog.set(type.name, type);
    const names = problem.instanceTypes.map((type) => type.name);
    stored.push({ ...vector, problem: { ...problem, instanceTypes: names } });
  }
  await write(kind, stored);
}
await write('catalog', [...catalog.values()]);
const recorded: object[] = [];
for (const edgeCase of edgeCases) recorded.push(await record(edgeCase));
await write('edge-cases', recorded);
await write('random', await recordRandom());
process.exitCode = unexplained > 0 ? 1 : 0;
