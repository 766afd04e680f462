import { describe, expect, test } from 'vitest';
import { CodedError, describeError } from '../../base/errors.ts';
import {
  errorFromStatus,
  findKubeError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  KubeError,
} from './errors.ts';

describe('errors of the API server', () => {
  test.each([
    [404, 'NotFound', isNotFound],
    [409, 'Conflict', isConflict],
    [409, 'AlreadyExists', isAlreadyExists],
    [410, 'Expired', isExpired],
    [410, 'Gone', isExpired],
    [422, 'Invalid', isInvalid],
    [429, 'TooManyRequests', isTooManyRequests],
  ])('%i %s is told apart, however deep it is wrapped', (code, reason, predicate) => {
    const error = errorFromStatus({ code, reason });
    const wrapped = new CodedError('Outer', 'outer', {
      cause: new CodedError('Inner', 'inner', { cause: error }),
    });
    const all = [isNotFound, isConflict, isAlreadyExists, isExpired, isInvalid, isTooManyRequests];
    expect(all.filter((is) => is(wrapped))).toEqual([predicate]);
  });

  test.each([
    [400, undefined, 'BadRequest'],
    [401, 'Unauthorized', 'Unauthorized'],
    [403, 'Forbidden', 'Forbidden'],
    [413, undefined, 'TooLarge'],
    [500, 'InternalError', 'ServerError'],
    [502, undefined, 'ServerError'],
    [503, 'ServiceUnavailable', 'Unavailable'],
    [504, 'Timeout', 'Timeout'],
    // The server's storage was busy: a 500 whose reason says that a retry helps.
    [500, 'ServerTimeout', 'Timeout'],
    [418, undefined, 'ServerError'],
  ])('status %i with reason %s is %s', (code, reason, expected) => {
    expect(errorFromStatus(reason === undefined ? { code } : { code, reason }).code).toBe(expected);
  });

  test('keeps what the server said', () => {
    const causes = [{ reason: 'FieldValueInvalid', message: 'too small', field: 'spec.weight' }];
    const error = errorFromStatus(
      { code: 422, reason: 'Invalid', message: 'NodePool "a" is invalid', details: { causes } },
      { request: { method: 'POST', path: '/apis/karpenter.sh/v1/nodepools' } },
    );
    expect(error).toMatchObject({ status: 422, causes, message: 'NodePool "a" is invalid' });
    expect(describeError(error)).toBe(
      'NodePool "a" is invalid (method=POST, path=/apis/karpenter.sh/v1/nodepools, reason=Invalid, status=422)',
    );
  });

  test('a stranger, or a cycle of causes, is no error of the API server', () => {
    const cycle = new Error('a');
    cycle.cause = cycle;
    expect([findKubeError(cycle), findKubeError('text'), findKubeError(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(findKubeError(new KubeError('Network', 'lost'))?.status).toBe(0);
  });
});
