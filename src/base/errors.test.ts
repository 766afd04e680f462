import { describe, expect, test } from 'vitest';
import {
  asError,
  CodedError,
  describeError,
  fieldsOf,
  findCode,
  hasCode,
  isAbort,
} from './errors.ts';

const inner = new CodedError('NotFound', 'vm not found', { fields: { vm: 'a', zone: '1' } });
const wrapped = new Error('launching', { cause: inner });

describe('coded errors', () => {
  test('a code is found however deep it is wrapped', () => {
    const outer = new CodedError('CreateFailed', 'creating nodeclaim', { cause: wrapped });
    expect(hasCode(outer, 'NotFound')).toBe(true);
    expect(findCode(outer, 'CreateFailed')).toBe(outer);
    expect(hasCode(outer, 'Conflict')).toBe(false);
  });

  test('fields of the whole chain are gathered, the outermost winning', () => {
    const outer = new CodedError('CreateFailed', 'x', { fields: { vm: 'b' }, cause: wrapped });
    expect(fieldsOf(outer)).toEqual({ vm: 'b', zone: '1' });
  });

  test('text joins the messages and prints the fields in the order of their names', () => {
    const outer = new CodedError('X', 'outer', {
      fields: { b: 2, a: 'one', n: 5n, skipped: undefined },
      cause: wrapped,
    });
    expect(describeError(outer)).toBe(
      'outer, launching, vm not found (a=one, b=2, n=5, vm=a, zone=1)',
    );
    expect(describeError('text')).toBe('text');
  });

  test('a cycle of causes ends', () => {
    const a = new Error('a');
    a.cause = a;
    expect(describeError(a).startsWith('a, a, a')).toBe(true);
  });

  test('aborts are recognised through wrapping', () => {
    const aborted = new DOMException('stop', 'AbortError');
    expect(isAbort(new Error('while waiting', { cause: aborted }))).toBe(true);
    expect(isAbort(inner)).toBe(false);
  });

  test('what is thrown becomes an error', () => {
    expect(asError('x').message).toBe('x');
    expect(asError(inner)).toBe(inner);
  });
});
