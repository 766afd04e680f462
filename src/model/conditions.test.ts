import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/conditions.json' with { type: 'json' };
import type { Condition, KubeObject } from '../api/meta.ts';
import {
  clearCondition,
  completeConditions,
  type ConditionChange,
  type ConditionOwner,
  findCondition,
  isConditionTrue,
  readyConditions,
  setCondition,
} from './conditions.ts';

const types = readyConditions('Launched', 'Registered', 'Initialized');
const created = Date.parse('2024-05-15T12:00:00Z');
const minuteMs = 60_000;

function owner(
  nowMs = created + minuteMs,
  meta: Partial<KubeObject['metadata']> = {},
): ConditionOwner {
  const metadata = { name: 'n', generation: 1, creationTimestamp: '2024-05-15T12:00:00Z', ...meta };
  return { types, object: { metadata }, nowMs };
}

function printed(conditions: readonly Condition[]): string[] {
  return conditions.map(
    (condition) =>
      `${condition.type}=${condition.status} ${condition.reason} ${JSON.stringify(condition.message)} ` +
      `${condition.observedGeneration} ${condition.lastTransitionTime.slice(11, 16)}`,
  );
}

interface Step {
  readonly do: string;
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly after?: readonly string[];
  readonly modified?: boolean;
}

function apply(
  now: ConditionOwner,
  conditions: readonly Condition[],
  step: Step,
): readonly Condition[] {
  if (step.do === 'initialize') return completeConditions(now, conditions);
  if (step.do === 'clear') return clearCondition(now, conditions, step.type!);
  const { type, status, reason, message } = step;
  const spoken = reason !== undefined && { reason, message };
  return setCondition(now, conditions, { type, status, ...spoken } as ConditionChange);
}

describe('against recorded runs of the original', () => {
  test.each((vectors.runs as Step[][]).map((steps, index) => [index, steps] as const))(
    'run %i',
    (_, steps) => {
      let nowMs = created + minuteMs;
      let generation = 1;
      let deletion = {};
      let conditions: readonly Condition[] = [];
      for (const step of steps) {
        if (step.do === 'advance') nowMs += minuteMs;
        if (step.do === 'generation') generation++;
        if (step.do === 'delete') deletion = { deletionTimestamp: new Date(nowMs).toISOString() };
        if (step.after === undefined) continue;
        const before = conditions;
        conditions = apply(owner(nowMs, { generation, ...deletion }), before, step);
        expect(printed(conditions)).toEqual(step.after);
        expect(step.modified ?? conditions !== before).toBe(conditions !== before);
      }
    },
  );
});

describe('reading', () => {
  test('invents nothing', () => {
    expect(findCondition(undefined, 'Ready')).toBeUndefined();
    expect(isConditionTrue([], 'Ready')).toBe(false);
    expect(isConditionTrue(undefined, 'Ready')).toBe(false);
  });

  test('finds what is there', () => {
    const conditions = setCondition(owner(), [], { type: 'Launched', status: 'True' });
    expect(isConditionTrue(conditions, 'Launched')).toBe(true);
    expect(isConditionTrue(conditions, 'Registered')).toBe(false);
    expect(findCondition(conditions, 'Ready')?.status).toBe('Unknown');
  });
});

describe('writing', () => {
  test('the same thing twice answers the same list', () => {
    const once = setCondition(owner(), undefined, { type: 'Drifted', status: 'True' });
    expect(
      setCondition(owner(created + 5 * minuteMs), once, { type: 'Drifted', status: 'True' }),
    ).toBe(once);
    expect(completeConditions(owner(), once)).toBe(once);
  });

  test('never touches the list it was given', () => {
    const conditions = Object.freeze(
      completeConditions(owner()).map((entry) => Object.freeze(entry)),
    );
    const deleting = owner(created, { generation: 2, deletionTimestamp: '2024-05-15T12:01:00Z' });
    const after = setCondition(deleting, conditions, { type: 'Drained', status: 'Unknown' });
    expect(after.map(({ observedGeneration }) => observedGeneration)).toEqual([2, 2, 2, 2, 2]);
    expect(conditions.map(({ observedGeneration }) => observedGeneration)).toEqual([1, 1, 1, 1]);
  });

  test('a root without dependents is ready at once', () => {
    const alone = { ...owner(), types: readyConditions() };
    const conditions = setCondition(alone, [], { type: 'Extra', status: 'False', reason: 'No' });
    expect(isConditionTrue(conditions, 'Ready')).toBe(true);
  });

  test('works for an object that has no generation and no creation time yet', () => {
    const unborn: ConditionOwner = { types, object: { metadata: { name: 'n' } }, nowMs: created };
    const [first] = completeConditions(unborn);
    expect(first).toMatchObject({
      observedGeneration: 0,
      lastTransitionTime: '2024-05-15T12:00:00Z',
    });
  });

  test('a condition of an older version that never stated its generation does not count as current', () => {
    const old: Condition = {
      type: 'Launched',
      status: 'True',
      reason: '',
      message: '',
      lastTransitionTime: '2024-05-15T12:00:00Z',
    };
    const conditions = setCondition(owner(), [old], { type: 'Registered', status: 'True' });
    expect(findCondition(conditions, 'Ready')?.message).toBe('Launched=True, Initialized=Unknown');
  });
});

describe('clearing', () => {
  test('removes an independent condition and is content without one', () => {
    const drifted = setCondition(owner(), [], { type: 'Drifted', status: 'True' });
    const cleared = clearCondition(owner(), drifted, 'Drifted');
    expect(cleared.map(({ type }) => type)).toEqual([
      'Initialized',
      'Launched',
      'Ready',
      'Registered',
    ]);
    expect(clearCondition(owner(), cleared, 'Drifted')).toBe(cleared);
  });

  test.each(['Ready', 'Launched'])('refuses %s', (type) => {
    expect(() => clearCondition(owner(), [], type)).toThrow(
      expect.objectContaining({ code: 'DependentCondition', fields: { type, root: 'Ready' } }),
    );
  });
});
