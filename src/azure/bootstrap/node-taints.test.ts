import { describe, expect, test } from 'vitest';
import type { Taint } from '../../api/core.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import { allTaintsOf, nodeTaintsOf } from './node-taints.ts';

const hard: Taint = { key: 'team', value: 'a', effect: 'NoSchedule' };
const bare: Taint = { key: 'gpu', effect: 'NoExecute' };
const unregistered: Taint = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' };
const text = 'karpenter.sh/unregistered:NoExecute';

function claim(taints?: readonly Taint[], startupTaints?: readonly Taint[]) {
  return {
    spec: {
      ...(taints && { taints }),
      ...(startupTaints && { startupTaints }),
    } as NodeClaim['spec'],
  };
}

describe('a node starts', () => {
  test('unregistered, also with no taints of its own', () => {
    expect(nodeTaintsOf(claim())).toEqual({ taints: [], startupTaints: [text] });
  });

  test('with its taints and startup taints, with and without a value', () => {
    expect(nodeTaintsOf(claim([hard], [bare]))).toEqual({
      taints: ['team=a:NoSchedule'],
      startupTaints: ['gpu:NoExecute', text],
    });
  });

  test.each([
    ['taints', claim([unregistered]), { taints: [text], startupTaints: [] }],
    ['startup taints', claim([], [unregistered]), { taints: [], startupTaints: [text] }],
  ])('unregistered once, if the user has it among the %s', (_, it, taints) => {
    expect(nodeTaintsOf(it)).toEqual(taints);
    expect(allTaintsOf(it)).toEqual([text]);
  });

  test('unregistered even if the user has that taint with another effect', () => {
    const other = { ...unregistered, effect: 'NoSchedule' as const };
    expect(nodeTaintsOf(claim([other])).startupTaints).toEqual([text]);
  });

  test('with each taint once', () => {
    expect(allTaintsOf(claim([hard, bare], [hard]))).toEqual([
      'team=a:NoSchedule',
      'gpu:NoExecute',
      text,
    ]);
  });
});
