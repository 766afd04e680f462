// The original's scheduler as a program, to compare with. In: a problem document and options. Out: what the original
// decides and how long it takes, parsed. The program is built once, from its Go source, into the user's cache.
// Where it comes from, in this order:
// 1. KARPENTER_ORACLE: path of the program.
// 2. The cache: <cache>/karpenter-oracle/oracle, with XDG_CACHE_HOME or ~/.cache as <cache>.
// 3. KARPENTER_ORACLE_SOURCE: directory of the source, built with the `go` on the PATH.
// Without any of them there is nothing to compare with, and the error says what is missing.
import { spawn } from 'node:child_process';
import { access, constants, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '../src/base/errors.ts';
import type {
  PlanJson,
  PlannedNodeClaim,
  ProblemJson,
} from '../test/support/scheduling/problem-json.ts';

/** The release to compare with; both are built from one source. */
export type OracleVersion = '1.15' | '1.14';

/** Milliseconds. */
export interface Timing {
  readonly min: number;
  readonly median: number;
  readonly n: number;
}

export interface OraclePolicy {
  readonly preferencePolicy?: 'Respect' | 'Ignore';
  readonly minValuesPolicy?: 'Strict' | 'BestEffort';
  readonly reservedCapacity?: boolean;
  readonly spotToSpot?: boolean;
  /** How often to run; the decision is that of the first run. */
  readonly repeats?: number;
}

export interface ScheduleOptions extends OraclePolicy {
  readonly maxInstanceTypes?: number;
  /** As Go writes it, `1m`. */
  readonly timeout?: string;
}

export interface ScheduleResult extends PlanJson {
  readonly karpenter: string;
  readonly pods: number;
  readonly timedOut: boolean;
  readonly solveMillis: Timing;
  readonly cpuMillis: Timing;
  readonly setupMillis: Timing;
  readonly truncateMillis: Timing;
  readonly podsPerSecond: number;
  /** Whether every repeat decided the same. */
  readonly deterministic: boolean;
  readonly repeats: readonly {
    readonly solveMillis: number;
    readonly nodeClaims: number;
    readonly podErrors: number;
    readonly totalPrice: number;
  }[];
}

export type ConsolidationMethod = 'empty' | 'multi' | 'single';

export interface ConsolidateOptions extends OraclePolicy {
  readonly method?: ConsolidationMethod | 'all';
  readonly events?: boolean;
}

export interface ConsolidationCommand {
  readonly decision: 'delete' | 'replace';
  readonly candidates: readonly {
    readonly node: string;
    readonly nodePool: string;
    readonly instanceType: string;
    readonly zone: string;
    readonly capacityType: string;
    readonly price: number;
    readonly disruptionCost: number;
  }[];
  readonly replacements: readonly PlannedNodeClaim[];
  readonly savings: number;
  readonly moved?: readonly { readonly name: string; readonly pods: readonly string[] }[];
}

export interface ConsolidateResult {
  readonly karpenter: string;
  readonly nodes: number;
  readonly pods: number;
  /** Of all nodes, before. */
  readonly price: number;
  readonly methods: Readonly<
    Partial<
      Record<
        ConsolidationMethod,
        {
          readonly candidates: number;
          readonly budget: Readonly<Record<string, number>>;
          /** Null: nothing to do. */
          readonly command: ConsolidationCommand | null;
          readonly computeMillis: Timing;
          readonly cpuMillis: Timing;
          readonly candidateMillis: Timing;
          readonly deterministic: boolean;
          readonly events?: readonly string[];
        }
      >
    >
  >;
}

export interface GenerateOptions {
  readonly kind: 'plain' | 'mixed' | 'constrained' | 'consolidation';
  readonly pods?: number;
  readonly types?: number;
  readonly seed?: number;
  /** Leave equal prices of instance types equal. */
  readonly ties?: boolean;
  readonly minUtilization?: number;
  readonly maxUtilization?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

export class Oracle {
  readonly #program: string;

  constructor(program: string) {
    this.#program = program;
  }

  async version(): Promise<string> {
    return (await run(this.#program, ['version'])).trim();
  }

  async generate(options: GenerateOptions): Promise<ProblemJson> {
    return JSON.parse(await run(this.#program, ['gen', ...flags(options)])) as ProblemJson;
  }

  async schedule(problem: ProblemJson, options: ScheduleOptions = {}): Promise<ScheduleResult> {
    return (await this.#ask('schedule', problem, options)) as ScheduleResult;
  }

  async consolidate(
    problem: ProblemJson,
    options: ConsolidateOptions = {},
  ): Promise<ConsolidateResult> {
    return (await this.#ask('consolidate', problem, options)) as ConsolidateResult;
  }

  async #ask(command: string, problem: ProblemJson, options: OraclePolicy): Promise<unknown> {
    const { repeats = 1, ...policy } = options;
    const args = [command, '-n', String(repeats), ...flags(policy)];
    return JSON.parse(await run(this.#program, args, JSON.stringify(withFoundVolumes(problem))));
  }
}

/** Throws `NoOracle` when there is no program and no way to build one. */
export async function findOracle(
  options: { readonly version?: OracleVersion; readonly environment?: Environment } = {},
): Promise<Oracle> {
  const { version = '1.15', environment = process.env } = options;
  const given = environment['KARPENTER_ORACLE'] ?? '';
  if (given !== '') {
    if (await isProgram(given)) return new Oracle(given);
    throw unavailable('KARPENTER_ORACLE names no program', { path: given });
  }
  const cache = environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const program = join(
    cache,
    'karpenter-oracle',
    version === '1.15' ? 'oracle' : `oracle-${version}`,
  );
  if (!(await isProgram(program))) await build(program, version, environment);
  return new Oracle(program);
}

async function build(
  program: string,
  version: OracleVersion,
  environment: Environment,
): Promise<void> {
  const source = environment['KARPENTER_ORACLE_SOURCE'] ?? '';
  if (source === '') {
    throw unavailable(
      'there is no oracle: set KARPENTER_ORACLE to the program, or KARPENTER_ORACLE_SOURCE to its source',
      { program },
    );
  }
  await mkdir(join(program, '..'), { recursive: true });
  const modules = version === '1.15' ? [] : [`-modfile=go-v${version}.mod`];
  try {
    // The source asks for a newer Go than most machines have; Go fetches it by itself.
    await run('go', ['build', ...modules, '-o', program, '.'], undefined, {
      cwd: source,
      env: { ...environment, GOTOOLCHAIN: 'auto' },
    });
  } catch (error) {
    throw new CodedError(
      'NoOracle',
      'the oracle could not be built: Go must be on the PATH, and its module proxy within reach',
      { fields: { source }, cause: error },
    );
  }
}

/**
 * The oracle's API server keeps volumes by namespace although they have none, and is asked for them both ways: without
 * one when a pod is validated, with the pod's when its place is sought. A copy in each namespace answers both.
 */
function withFoundVolumes(problem: ProblemJson): ProblemJson {
  const { pods, boundPods = [], persistentVolumes = [] } = problem;
  if (persistentVolumes.length === 0) return problem;
  const namespaces = [...pods, ...boundPods].map(({ metadata }) => metadata.namespace ?? 'default');
  const copies = [...new Set(namespaces)].flatMap((namespace) =>
    persistentVolumes.map((volume) => ({
      ...volume,
      metadata: { ...volume.metadata, namespace },
    })),
  );
  return { ...problem, persistentVolumes: [...persistentVolumes, ...copies] };
}

function unavailable(message: string, fields: Record<string, unknown>): CodedError {
  return new CodedError('NoOracle', message, { fields });
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `{ minUtilization: 5, ties: true }` → `-min-utilization=5 -ties=true`. */
function flags(options: object): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return value === undefined ? [] : [`-${flag}=${String(value)}`];
  });
}

function run(
  program: string,
  args: readonly string[],
  input = '',
  place: { readonly cwd?: string; readonly env?: Environment } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...place, env: place.env ?? process.env });
    const [output, complaint]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => complaint.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString());
      else {
        const said = Buffer.concat(complaint).toString().trim();
        reject(
          new CodedError('OracleFailed', 'the program ended with an error', {
            fields: { program, command: args[0], code, said },
          }),
        );
      }
    });
    // A program that fails early closes its input; its own message says why.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
