// What the original decided on small problems, recorded. In: test/vectors/scheduling. Out: problems with plans, whole
// again: in the files, generated problems name their instance types from one shared catalogue.
import { readFileSync } from 'node:fs';
import type { EdgeCase } from './edge-cases/edge-case.ts';
import type { InstanceTypeJson, PlanJson, ProblemJson } from './problem-json.ts';

export interface SchedulingVector extends EdgeCase {
  readonly plan: PlanJson;
  /** Whether the original decides the same every time; if not, `plan` is one of its decisions. */
  readonly deterministic: boolean;
  /** The least and the most of each over many runs. */
  readonly range: {
    readonly nodeClaims: readonly [number, number];
    readonly podErrors: readonly [number, number];
    readonly totalPrice: readonly [number, number];
  };
}

/** A vector as it is in a file: types that are in the catalogue are there by name. */
export type StoredVector = Omit<SchedulingVector, 'problem'> & {
  readonly problem: Omit<ProblemJson, 'instanceTypes'> & {
    readonly instanceTypes: readonly (InstanceTypeJson | string)[];
  };
};

export const vectorFiles = ['plain', 'mixed', 'constrained', 'edge-cases', 'random'] as const;

export function readVectors(...files: readonly (typeof vectorFiles)[number][]): SchedulingVector[] {
  const types = new Map((read('catalog') as InstanceTypeJson[]).map((type) => [type.name, type]));
  return (files.length === 0 ? vectorFiles : files).flatMap((file) =>
    (read(file) as StoredVector[]).map((vector) => ({
      ...vector,
      problem: {
        ...vector.problem,
        instanceTypes: vector.problem.instanceTypes.map((type) =>
          typeof type === 'string' ? types.get(type)! : type,
        ),
      },
    })),
  );
}

export function vectorUrl(file: string): URL {
  return new URL(`../../vectors/scheduling/${file}.jsonl`, import.meta.url);
}

function read(file: string): unknown[] {
  const lines = readFileSync(vectorUrl(file), 'utf8').trimEnd().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}
