import { describe, expect, test } from 'vitest';
import type { PodAffinityTerm } from '../../api/core.ts';
import type { LabelSelector } from '../../api/meta.ts';
import {
  affinityMatcher,
  matchersIdentity,
  matchesAll,
  requiredLabel,
  spreadMatcher,
} from './matcher.ts';

const namespaces = [
  { metadata: { name: 'shop', labels: { team: 'red' } } },
  { metadata: { name: 'bank', labels: { team: 'blue' } } },
  { metadata: { name: 'play', labels: { team: 'red' } } },
];
const own = { namespace: 'shop', labels: { app: 'web', revision: '7' } };
const labelSelector: LabelSelector = { matchLabels: { app: 'web' } };

describe('a rule about company', () => {
  function reached(term: Partial<PodAffinityTerm>): string[] {
    const matcher = affinityMatcher(
      own,
      { topologyKey: 'zone', labelSelector, ...term },
      namespaces,
    );
    return namespaces
      .map(({ metadata }) => metadata.name)
      .filter((namespace) => matchesAll([matcher], { namespace, labels: { app: 'web' } }));
  }

  test.each<[string, Partial<PodAffinityTerm>, string[]]>([
    ["reaches the pod's own namespace", {}, ['shop']],
    ['reaches the namespaces it lists', { namespaces: ['bank', 'play'] }, ['bank', 'play']],
    [
      'reaches those its selector finds',
      { namespaceSelector: { matchLabels: { team: 'red' } } },
      ['shop', 'play'],
    ],
    [
      'reaches both',
      { namespaces: ['bank'], namespaceSelector: { matchLabels: { team: 'red' } } },
      ['shop', 'bank', 'play'],
    ],
    ['reaches all with an empty selector', { namespaceSelector: {} }, ['shop', 'bank', 'play']],
    [
      'reaches none that its selector does not find',
      { namespaceSelector: { matchLabels: { team: 'green' } } },
      [],
    ],
  ])('%s', (_, term, expected) => {
    expect(reached(term)).toEqual(expected);
  });

  test('speaks about nobody without a selector', () => {
    expect(matchesAll([{ namespaces: 'all', selector: undefined }], own)).toBe(false);
  });

  test('speaks about everybody with an empty one', () => {
    expect(matchesAll([{ namespaces: 'all', selector: {} }], own)).toBe(true);
  });

  test('of several terms speaks about pods that all of them select', () => {
    const terms = ['app', 'revision'].map((key) =>
      affinityMatcher(
        own,
        { topologyKey: 'zone', labelSelector: { matchExpressions: [{ key, operator: 'Exists' }] } },
        [],
      ),
    );
    const pods = [own, { ...own, labels: { app: 'web' } }, { ...own, labels: { revision: '7' } }];
    expect(pods.map((pod) => matchesAll(terms, pod))).toEqual([true, false, false]);
  });
});

describe('a rule about spread', () => {
  const constraint = {
    maxSkew: 1,
    topologyKey: 'zone',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector,
  };
  const siblings = [
    own,
    { ...own, labels: { app: 'web', revision: '8' } },
    { ...own, namespace: 'bank' },
  ];

  function counted(matchLabelKeys: string[]): boolean[] {
    const matcher = spreadMatcher(own, { ...constraint, matchLabelKeys });
    return siblings.map((pod) => matchesAll([matcher], pod));
  }

  test("counts pods of the pod's own namespace only", () => {
    expect(counted([])).toEqual([true, true, false]);
  });

  test('counts only pods of the same revision when told to, and ignores labels that the pod lacks', () => {
    expect([counted(['revision']), counted(['unknown'])]).toEqual([
      [true, false, false],
      [true, true, false],
    ]);
  });

  test('counts nobody without a selector', () => {
    const { labelSelector: _, ...bare } = constraint;
    expect(matchesAll([spreadMatcher(own, { ...bare, matchLabelKeys: ['app'] })], own)).toBe(false);
  });

  test('is the same rule whether a label is named once or by two who both add it', () => {
    const once = spreadMatcher(own, { ...constraint, matchLabelKeys: ['revision'] });
    const twice = spreadMatcher(own, {
      ...constraint,
      labelSelector: {
        ...labelSelector,
        matchExpressions: [{ key: 'revision', operator: 'In', values: ['7'] }],
      },
      matchLabelKeys: ['revision'],
    });
    expect(matchersIdentity([twice])).toBe(matchersIdentity([once]));
  });
});

test('pods of a rule are found by a label they must all have, if there is one', () => {
  const matcher = (selector: LabelSelector) => [{ namespaces: 'all' as const, selector }];
  expect([
    requiredLabel(matcher({ matchLabels: { app: 'web' } })),
    requiredLabel(matcher({ matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] })),
    requiredLabel(
      matcher({ matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] }),
    ),
    requiredLabel(matcher({ matchExpressions: [{ key: 'app', operator: 'Exists' }] })),
    requiredLabel(matcher({})),
  ]).toEqual(['app=web', 'app=web', undefined, undefined, undefined]);
});
