import { describe, expect, test } from 'vitest';
import { coreLabelRules } from '../model/label-rules.ts';
import { exists, oneOf, type Requirement } from '../model/requirement.ts';
import { describeRequirements, requirementsOf } from '../model/requirements.ts';
import { incompatible, RequirementStates } from './requirement-states.ts';

const zone = 'topology.kubernetes.io/zone';

function made() {
  const states = new RequirementStates(coreLabelRules);
  const state = (...list: Requirement[]) => states.intern(requirementsOf(list));
  const text = (id: number) => describeRequirements(coreLabelRules, states.requirementsOf(id));
  return { states, state, text };
}

describe('sets of requirements', () => {
  test('that are equal have one id, whatever their order', () => {
    const { state } = made();
    const [a, b] = [oneOf('a', ['1', '2']), oneOf('b', ['3'])];
    expect([state(a, b), state(oneOf('b', ['3']), oneOf('a', ['2', '1']))]).toEqual([1, 1]);
    expect(state()).toBe(0);
  });

  test('are joined to what satisfies both', () => {
    const { states, state, text } = made();
    const joined = states.join(state(oneOf('a', ['1', '2'])), state(oneOf('a', ['2', '3'])));
    expect(text(joined)).toBe('a In [2]');
  });

  test('are joined with nothing to themselves', () => {
    const { states, state } = made();
    const one = state(oneOf('a', ['1']));
    expect(states.join(one, 0)).toBe(one);
  });

  test('that exclude each other are joined to nothing, now and whenever they are asked for', () => {
    const { states, state } = made();
    const [one, other] = [state(oneOf('a', ['1'])), state(oneOf('a', ['2']))];
    expect([states.join(one, other), states.join(one, other)]).toEqual([
      incompatible,
      incompatible,
    ]);
  });

  test('may add a well-known label, and no other', () => {
    const { states, state, text } = made();
    const one = state(oneOf('a', ['1']));
    expect([
      text(states.join(one, state(oneOf(zone, ['z1'])))),
      states.join(one, state(exists('b'))),
    ]).toEqual(['a In [1], topology.kubernetes.io/zone In [z1]', incompatible]);
  });

  test('that cannot hold together stay so, whatever comes after', () => {
    const { states, state } = made();
    const never = states.join(state(oneOf('a', ['1'])), state(oneOf('a', ['2'])));
    expect([states.join(never, 0), states.join(never, state(oneOf(zone, ['z1'])))]).toEqual([
      incompatible,
      incompatible,
    ]);
  });
});
