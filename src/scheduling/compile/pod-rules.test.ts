import { describe, expect, test } from 'vitest';
import type { Affinity, Pod, TopologySpreadConstraint } from '../../api/core.ts';
import { toleratesPreferNoSchedule } from '../../model/taint.ts';
import { type RelaxationPolicy, relaxationChain } from './pod-rules.ts';

const respect: RelaxationPolicy = { wishesCount: true, hasPreferNoSchedule: false };
const term = (value: string) => ({
  matchExpressions: [{ key: 'team', operator: 'In' as const, values: [value] }],
});
const near = (app: string) => ({ labelSelector: { matchLabels: { app } }, topologyKey: 'zone' });
const spread = (
  topologyKey: string,
  whenUnsatisfiable: TopologySpreadConstraint['whenUnsatisfiable'],
): TopologySpreadConstraint => ({ maxSkew: 1, topologyKey, whenUnsatisfiable });

function pod(affinity: Affinity, spreads: readonly TopologySpreadConstraint[] = []): Pod {
  return {
    metadata: { name: 'p' },
    spec: { containers: [], affinity, topologySpreadConstraints: spreads },
  };
}

const everything = pod(
  {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term('a'), term('b')] },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: term('light') },
        { weight: 9, preference: term('heavy') },
      ],
    },
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [near('must')],
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: near('near-light') },
        { weight: 5, podAffinityTerm: near('near-heavy') },
      ],
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [near('never')],
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, podAffinityTerm: near('away') },
      ],
    },
  },
  [
    spread('wish-1', 'ScheduleAnyway'),
    spread('demand', 'DoNotSchedule'),
    spread('wish-2', 'ScheduleAnyway'),
  ],
);

/** The word that tells the step, and the name in it. */
function steps(subject: Pod, policy: RelaxationPolicy): string[] {
  return relaxationChain(subject, policy)
    .slice(1)
    .map(({ dropped = '' }) => {
      const name = /"(?:values":\["|app":")([a-z-]+)/.exec(dropped)?.[1] ?? '';
      return `${dropped.replace(/ \{.*/, '')} ${name}`.trim();
    });
}

describe('a pod that fits nowhere as it is', () => {
  test('gives up one thing at a time, in this order', () => {
    expect(steps(everything, { ...respect, hasPreferNoSchedule: true })).toEqual([
      'node term a',
      'wish to be near pods near-heavy',
      'wish to be near pods near-light',
      'wish to be away from pods away',
      'wish about nodes heavy',
      'wish about nodes light',
      'wish to be spread over wish-1',
      'wish to be spread over wish-2',
      'avoidance of PreferNoSchedule taints',
    ]);
  });

  test('keeps its last required term, its demands about pods and its demands about spread', () => {
    const last = relaxationChain(everything, { ...respect, hasPreferNoSchedule: true }).at(-1);
    expect(last?.rules).toMatchObject({
      requiredNodes: [term('b')],
      near: [near('must')],
      away: [near('never')],
      preferNear: [],
      preferAway: [],
      preferredNodes: [],
      spread: [spread('demand', 'DoNotSchedule')],
      tolerations: [toleratesPreferNoSchedule],
    });
  });

  test('tolerates what only prefers to be avoided when there is such a taint somewhere, and only then', () => {
    const plain = pod({});
    expect([
      steps(plain, respect),
      steps(plain, { ...respect, hasPreferNoSchedule: true }),
    ]).toEqual([[], ['avoidance of PreferNoSchedule taints']]);
  });

  test('drops wishes of equal weight in the order in which they are written', () => {
    const wishes = pod({
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: ['x', 'y', 'z'].map((value) => ({
          weight: 3,
          preference: term(value),
        })),
      },
    });
    expect(steps(wishes, respect)).toEqual([
      'wish about nodes x',
      'wish about nodes y',
      'wish about nodes z',
    ]);
  });
});

describe('a pod whose wishes are to be ignored', () => {
  const ignore: RelaxationPolicy = { wishesCount: false, hasPreferNoSchedule: true };

  test('has only demands from the start', () => {
    expect(relaxationChain(everything, ignore)[0]?.rules).toMatchObject({
      preferredNodes: [],
      preferNear: [],
      preferAway: [],
      spread: [spread('demand', 'DoNotSchedule')],
    });
  });

  test('still has alternatives and a taint to give up', () => {
    expect(steps(everything, ignore)).toEqual([
      'node term a',
      'avoidance of PreferNoSchedule taints',
    ]);
  });
});
