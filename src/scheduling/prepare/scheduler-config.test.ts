import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../api/meta.ts';
import { readSchedulerConfig } from './scheduler-config.ts';

const constraint = {
  maxSkew: 1,
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'ScheduleAnyway',
};

function read(...defaultConstraints: Json[]) {
  return readSchedulerConfig({ podTopologySpread: { defaultConstraints } });
}

function faultsOf(...defaultConstraints: Json[]): readonly string[] {
  const config = read(...defaultConstraints);
  return config.ok ? [] : config.faults;
}

describe('a scheduler configuration', () => {
  test.each<[string, string]>([
    ['empty', ''],
    ['a comment', '# nothing yet'],
    ['an empty object', '{}'],
    ['without constraints', 'podTopologySpread: {}'],
    ['with an empty list', 'podTopologySpread: { defaultConstraints: [] }'],
    ['with a field that is null', 'podTopologySpread: null'],
  ])('asks for no constraints when it is %s', (_, text) => {
    expect(readSchedulerConfig(parse(text) as Json)).toEqual({ ok: true, defaultConstraints: [] });
  });

  test.each([
    [
      'YAML',
      `podTopologySpread:
  defaultConstraints:
    - maxSkew: 1
      topologyKey: topology.kubernetes.io/zone
      whenUnsatisfiable: ScheduleAnyway
`,
    ],
    ['JSON', JSON.stringify({ podTopologySpread: { defaultConstraints: [constraint] } })],
  ])('is read from %s', (_, text) => {
    const config = readSchedulerConfig(parse(text) as Json);
    expect(config).toEqual({ ok: true, defaultConstraints: [constraint] });
  });

  test('keeps every field a constraint may have', () => {
    const full = {
      ...constraint,
      minDomains: 3,
      nodeAffinityPolicy: 'Ignore',
      nodeTaintsPolicy: 'Honor',
    };
    expect(read({ ...full, labelSelector: null, matchLabelKeys: [] })).toEqual({
      ok: true,
      defaultConstraints: [full],
    });
  });

  test('may spread over one label in both modes', () => {
    const strict = { ...constraint, whenUnsatisfiable: 'DoNotSchedule' };
    expect(read(constraint, strict)).toMatchObject({ ok: true });
  });

  test.each<[string, Json, string]>([
    ['a text', 'zones', 'the document: "zones": must be an object; write { … }'],
    [
      'an unknown field at the top',
      { profiles: [] },
      'profiles: []: is not a known field; the known ones are podTopologySpread',
    ],
    [
      'an unknown field of the plugin',
      { podTopologySpread: { defaultingType: 'List' } },
      'podTopologySpread.defaultingType: "List": is not a known field; the known ones are defaultConstraints',
    ],
    [
      'constraints that are no list',
      { podTopologySpread: { defaultConstraints: constraint } },
      'podTopologySpread.defaultConstraints: {"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone","wh…: must be a list; write [ … ]',
    ],
  ])('is refused for %s', (_, document, fault) => {
    expect(readSchedulerConfig(document)).toEqual({ ok: false, faults: [fault] });
  });

  test.each<[string, { readonly [key: string]: Json }, string]>([
    [
      'maxSkew of 0',
      { maxSkew: 0 },
      'maxSkew: 0: must be greater than 0; write a whole number, without quotes',
    ],
    [
      'maxSkew below 0',
      { maxSkew: -1 },
      'maxSkew: -1: must be greater than 0; write a whole number, without quotes',
    ],
    [
      'maxSkew in quotes',
      { maxSkew: '1' },
      'maxSkew: "1": must be greater than 0; write a whole number, without quotes',
    ],
    ['no maxSkew', { maxSkew: null }, 'maxSkew: is missing; add it'],
    ['no topologyKey', { topologyKey: null }, 'topologyKey: is missing; add it'],
    [
      'an unknown mode',
      { whenUnsatisfiable: 'Maybe' },
      'whenUnsatisfiable: "Maybe": must be one of "DoNotSchedule", "ScheduleAnyway"',
    ],
    [
      'a selector',
      { labelSelector: {} },
      'labelSelector: {}: must not be set, as selectors are deduced for each pod; remove it',
    ],
    [
      'label keys',
      { matchLabelKeys: ['rev'] },
      'matchLabelKeys: ["rev"]: must not be set, as it has no effect on default constraints; remove it',
    ],
    [
      'a misspelt policy',
      { nodeTaintsPolicy: 'honor' },
      'nodeTaintsPolicy: "honor": must be one of "Honor", "Ignore"',
    ],
    [
      'a broken number of domains',
      { minDomains: 1.5 },
      'minDomains: 1.5: must be a whole number, without quotes',
    ],
  ])('is refused for a constraint with %s', (_, change, fault) => {
    expect(faultsOf({ ...constraint, ...change })).toEqual([
      `podTopologySpread.defaultConstraints[0].${fault}`,
    ]);
  });

  test('is refused for a label name that is none', () => {
    expect(faultsOf({ ...constraint, topologyKey: 'a b' })).toEqual([
      expect.stringMatching(
        /^podTopologySpread\.defaultConstraints\[0\]\.topologyKey: "a b": is not a valid label name, name part must consist of .*; write the label to spread over/,
      ),
    ]);
  });

  test('is refused when two constraints agree in label and mode', () => {
    expect(faultsOf(constraint, { ...constraint, maxSkew: 2 })).toEqual([
      'podTopologySpread.defaultConstraints[1]: "{topology.kubernetes.io/zone, ScheduleAnyway}": is a duplicate of [0]; keep one of the two',
    ]);
  });

  test('tells all faults at once', () => {
    expect(
      faultsOf({ ...constraint, maxSkew: 0 }, { ...constraint, labelSelector: {} }),
    ).toHaveLength(2);
  });
});
