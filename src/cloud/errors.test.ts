import { describe, expect, test } from 'vitest';
import { describeError } from '../base/errors.ts';
import {
  CreateError,
  findCreateError,
  insufficientCapacity,
  isInsufficientCapacity,
  isNodeClaimNotFound,
  isNodeClassNotReady,
  isUnevaluatedNodePool,
  nodeClaimNotFound,
  nodeClassNotReady,
  unevaluatedNodePool,
} from './errors.ts';

const kinds = [
  { make: () => insufficientCapacity({}), is: isInsufficientCapacity },
  { make: () => nodeClassNotReady({}), is: isNodeClassNotReady },
  { make: () => nodeClaimNotFound({}), is: isNodeClaimNotFound },
  { make: () => unevaluatedNodePool('default'), is: isUnevaluatedNodePool },
];

describe('what went wrong with a cloud', () => {
  test('is told apart from everything else, however deep it is wrapped', () => {
    const seen = kinds.map(({ make }) =>
      kinds.map(({ is }) =>
        is(new Error('outer', { cause: new Error('inner', { cause: make() }) })),
      ),
    );
    expect(seen).toEqual(kinds.map((_, row) => kinds.map((_, column) => row === column)));
  });

  test('reads as the original words it', () => {
    const cause = new Error('no zone has room');
    expect([
      describeError(insufficientCapacity({ cause })),
      describeError(nodeClassNotReady({ cause })),
      describeError(nodeClaimNotFound({ cause })),
      describeError(new CreateError({ reason: 'A', message: 'b' }, { cause })),
    ]).toEqual([
      'insufficient capacity, no zone has room',
      'NodeClassRef not ready, no zone has room',
      'nodeclaim not found, no zone has room',
      'creating nodeclaim, no zone has room',
    ]);
  });

  test('is insufficient capacity even inside a failed creation', () => {
    const wrapped = new CreateError(
      { reason: 'CreateInstanceFailed', message: 'x' },
      { cause: insufficientCapacity({}) },
    );
    expect(isInsufficientCapacity(wrapped)).toBe(true);
  });

  test('carries the reason that the Launched condition shows', () => {
    const inner = new CreateError({ reason: 'SKUNotAvailable', message: 'not sold here' });
    const found = findCreateError(new Error('begin create', { cause: inner }));
    expect([found?.conditionReason, found?.conditionMessage]).toEqual([
      'SKUNotAvailable',
      'not sold here',
    ]);
    expect(findCreateError(new Error('other'))).toBeUndefined();
  });
});
