import { describe, expect, test } from 'vitest';
import type { Taint, Toleration } from '../api/core.ts';
import {
  describeTaint,
  describeUntolerated,
  disruptedTaint,
  isEphemeral,
  mergeTaints,
  toleratesAll,
  toleratesPreferNoSchedule,
  unregisteredTaint,
  untolerated,
} from './taint.ts';

const taint: Taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };

describe('a toleration', () => {
  test.each<[Toleration, boolean]>([
    [{ key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' }, true],
    [{ key: 'dedicated', value: 'gpu' }, true],
    [{ key: 'dedicated', value: 'gpu', effect: '' }, true],
    [{ key: 'dedicated', value: 'cpu' }, false],
    [{ key: 'dedicated' }, false],
    [{ key: 'dedicated', operator: 'Exists' }, true],
    [{ key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }, false],
    [{ key: 'other', operator: 'Exists' }, false],
    [{ operator: 'Exists' }, true],
    [{ value: 'gpu' }, true],
    [toleratesPreferNoSchedule, false],
  ])('%j of dedicated=gpu:NoSchedule: %s', (toleration, expected) => {
    expect(toleratesAll([toleration], [taint])).toBe(expected);
  });

  test.each<[Toleration['operator'], string, string | undefined, boolean]>([
    ['Gt', '5', '6', true],
    ['Gt', '5', '5', false],
    ['Lt', '5', '4', true],
    ['Lt', '5', '5', false],
    ['Lt', '5', '-4', true],
    ['Lt', '0', '-1', true],
    ['Lt', '007', '1', false],
    ['Lt', '+7', '1', false],
    ['Gt', '5', 'many', false],
    ['Gt', 'few', '6', false],
    ['Lt', '5', undefined, false],
    ['Lt', '9223372036854775808', '1', false],
    ['Lt', '9223372036854775807', '9223372036854775806', true],
  ])('%s %s against the value %s: %s', (...row) => {
    const [operator, value, actual, expected] = row;
    const numeric: Taint = { key: 'k', effect: 'NoSchedule', ...(actual && { value: actual }) };
    expect(toleratesAll([{ key: 'k', operator: operator!, value }], [numeric])).toBe(expected);
  });

  test('is needed for every taint, whatever its effect', () => {
    const soft: Taint = { key: 'soft', effect: 'PreferNoSchedule' };
    const left = untolerated([{ key: 'dedicated', operator: 'Exists' }], [taint, soft]);
    expect(left).toEqual([soft]);
    expect(toleratesAll([{ operator: 'Exists' }], [taint, soft])).toBe(true);
    expect(toleratesAll([toleratesPreferNoSchedule], [soft])).toBe(true);
    expect(toleratesAll([], [])).toBe(true);
  });
});

test('the reason names each taint', () => {
  expect(describeUntolerated([taint, disruptedTaint])).toBe(
    'did not tolerate taint (taint=dedicated=gpu:NoSchedule); ' +
      'did not tolerate taint (taint=karpenter.sh/disrupted:NoSchedule)',
  );
  expect(describeTaint({ key: 'k', value: '', effect: 'NoExecute' })).toBe('k:NoExecute');
});

test('merging goes by key and effect and keeps the first value', () => {
  const other: Taint = { ...taint, value: 'cpu' };
  const harder: Taint = { ...taint, effect: 'NoExecute' };
  expect(mergeTaints([taint], [other, harder, harder])).toEqual([taint, harder]);
});

describe('a node that is starting carries', () => {
  test.each<[string, Taint['effect'], boolean]>([
    ['node.kubernetes.io/not-ready', 'NoSchedule', true],
    ['node.kubernetes.io/not-ready', 'NoExecute', true],
    ['node.kubernetes.io/not-ready', 'PreferNoSchedule', false],
    ['node.kubernetes.io/unreachable', 'NoSchedule', true],
    ['node.kubernetes.io/unreachable', 'NoExecute', false],
    ['node.cloudprovider.kubernetes.io/uninitialized', 'NoSchedule', true],
    ['karpenter.sh/unregistered', 'NoExecute', true],
    ['readiness.k8s.io/network', 'NoExecute', true],
    ['readiness.k8s.io/network', 'PreferNoSchedule', true],
    ['x.readiness.k8s.io/network', 'NoSchedule', false],
    ['dedicated', 'NoSchedule', false],
  ])('%s:%s for a while only: %s', (key, effect, expected) => {
    expect(isEphemeral({ key, effect, value: 'any' })).toBe(expected);
  });

  test('the taint that keeps pods away until it is registered', () => {
    expect(describeTaint(unregisteredTaint)).toBe('karpenter.sh/unregistered:NoExecute');
  });
});
