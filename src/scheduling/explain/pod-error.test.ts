import { describe, expect, test } from 'vitest';
import type { Explanation, MetCriteria, PoolReason } from './explanation.ts';
import { podError } from './pod-error.ts';

const nothingExcluded = {
  limits: 0,
  taints: 0,
  requirements: 0,
  offering: 0,
  resources: 0,
  hostPorts: 0,
  topology: 0,
  minValues: 0,
};

function explanation(reasons: readonly PoolReason[], cpu = '1'): Explanation {
  return {
    pod: 'default/p',
    requests: { cpu },
    dropped: [],
    nodes: {},
    emptyPools: [],
    pools: reasons.map((reason, i) => ({
      pool: `pool-${i}`,
      reason,
      instanceTypes: 3,
      excluded: nothingExcluded,
      byLabel: {},
    })),
  };
}

function types(met: readonly MetCriteria[], more: Partial<PoolReason> = {}): PoolReason {
  const resources = { min: { cpu: '1' }, max: { cpu: '1' } };
  const reason = { kind: 'types', met, unmetMinValues: [], requirements: 'a In [b]', resources };
  return { ...reason, ...more } as PoolReason;
}

/** `roz`: requirements, offering, size. */
function meeting(...letters: readonly string[]): MetCriteria[] {
  return letters.map((text) => ({
    requirements: text.includes('r'),
    offering: text.includes('o'),
    resources: text.includes('z'),
    types: 1,
  }));
}

describe('the message for a pod that no instance type suits', () => {
  test.each([
    [
      [''],
      'no instance type met the scheduling requirements or had enough resources or had a required offering',
    ],
    [['o'], 'no instance type met the scheduling requirements or had enough resources'],
    [['z'], 'no instance type met the scheduling requirements or had a required offering'],
    [['r'], 'no instance type had enough resources or had a required offering'],
    [['oz'], 'no instance type met all requirements'],
    [['o', 'z'], 'no instance type met all requirements'],
    [['ro'], 'no instance type has enough resources'],
    [['rz'], 'no instance type has the required offering'],
    [
      ['rz', 'o'],
      'no instance type which met the scheduling requirements and had enough resources, had a required offering',
    ],
    [
      ['oz', 'r'],
      'no instance type which had enough resources and the required offering met the scheduling requirements',
    ],
    [
      ['ro', 'z'],
      'no instance type which met the scheduling requirements and the required offering had the required resources',
    ],
    [['r', 'o', 'z'], 'no instance type met the requirements/resources/offering tuple'],
  ])('names what is missing when types meet %j', (letters, text) => {
    expect(podError(explanation([types(meeting(...letters))]))).toBe(
      `${text}, requirements=a In [b], resources={"cpu":"1"}`,
    );
  });

  test('shows the range when DaemonSets take more of some types than of others', () => {
    const resources = { min: { cpu: '1' }, max: { cpu: '2' } };
    expect(podError(explanation([types(meeting('ro'), { resources })]))).toContain(
      'resources=min={"cpu":"1"}, max={"cpu":"2"}',
    );
  });

  test('suspects a typing error when a million cores are asked for', () => {
    const texts = ['1000000', '999999'].map((cpu) =>
      podError(explanation([types(meeting('ro'))], cpu)),
    );
    expect(texts.map((text) => text.endsWith('(CPU request >= 1 Million, m vs M typo?)'))).toEqual([
      true,
      false,
    ]);
  });

  test('names the labels that lack variety before anything else', () => {
    const reason = types(meeting('roz'), { unmetMinValues: ['a', 'b'] });
    expect(podError(explanation([reason]))).toBe(
      'minValues requirement is not met for label(s) (label(s)=[a b]), requirements=a In [b], resources={"cpu":"1"}',
    );
  });
});

describe('the message for a pod that goes nowhere', () => {
  test('has one reason per pool, in order, and none of pools that would take it', () => {
    const reasons: PoolReason[] = [
      { kind: 'limits', of: 'nodes' },
      { kind: 'accepts' },
      { kind: 'limits', of: 'instance types' },
      { kind: 'taints', taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] },
      { kind: 'requirements', of: 'volumes', mismatch: 'because' },
      { kind: 'hostPorts', conflict: 'taken' },
    ];
    expect(podError(explanation(reasons)).split('; ')).toEqual([
      'node limits have been exhausted for nodepool (NodePool=pool-0)',
      'all available instance types exceed limits for nodepool (NodePool=pool-2)',
      'did not tolerate taint (taint=a=b:NoSchedule)',
      'incompatible volume requirements, because',
      'taken',
    ]);
  });

  test('shows the first 25 domains in the order of their names', () => {
    const names = Array.from({ length: 30 }, (_, i) => `z${String(i).padStart(2, '0')}`);
    const counts = Object.fromEntries(names.toReversed().map((name) => [name, 1]));
    const text = podError(
      explanation([
        {
          kind: 'topology',
          rule: 'pod affinity',
          key: 'k',
          counts,
          podDomains: 'p',
          nodeDomains: 'n',
        },
      ]),
    );
    expect(text).toContain('key=k (counts = z00: 1, z01: 1');
    expect(text).toMatch(/z24: 1 and 5 other\(s\), podDomains = p, nodeDomains = n$/);
  });

  test('is that of the pools when no pool has any instance type', () => {
    expect(podError(explanation([]))).toBe(
      'nodepool requirements filtered out all available instance types',
    );
  });

  test('is the failure itself when no place could ever take it', () => {
    expect(podError({ ...explanation([]), failure: 'volume lost' })).toBe('volume lost');
  });
});
