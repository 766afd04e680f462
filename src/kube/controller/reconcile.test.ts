import { describe, expect, test } from 'vitest';
import { CodedError, describeError } from '../../base/errors.ts';
import {
  CombinedError,
  errorsIn,
  isTerminal,
  mergeOutcomes,
  reconcileInOrder,
  TerminalError,
  type ReconcileResult,
} from './reconcile.ts';

describe('the outcome of several steps', () => {
  test.each<{ name: string; results: ReconcileResult[]; merged: ReconcileResult }>([
    { name: 'nothing when no step asks', results: [{}, {}], merged: {} },
    {
      name: 'the earliest look again',
      results: [{ requeueAfterMs: 500 }, {}, { requeueAfterMs: 100 }, { requeueAfterMs: 300 }],
      merged: { requeueAfterMs: 100 },
    },
    {
      name: 'a look again at once before any later one',
      results: [{ requeueAfterMs: 0 }, { requeueAfterMs: 100 }],
      merged: { requeueAfterMs: 0 },
    },
  ])('is $name', async ({ results, merged }) => {
    const outcomes = await Promise.allSettled(results.map((result) => Promise.resolve(result)));
    expect(mergeOutcomes(outcomes)).toEqual(merged);
  });

  test('is the only failure as it was thrown, and no result', async () => {
    const failure = new CodedError('Broken', 'it broke');
    const outcomes = await Promise.allSettled([
      Promise.resolve({ requeueAfterMs: 5 }),
      Promise.reject(failure),
    ]);
    expect(() => mergeOutcomes(outcomes)).toThrow(failure);
  });

  test('names every failure, and later steps run after earlier ones failed', async () => {
    const ran: string[] = [];
    const step = (name: string, error?: Error) => async (): Promise<ReconcileResult> => {
      ran.push(name);
      if (error !== undefined) throw error;
      return {};
    };
    const error: unknown = await reconcileInOrder([
      step('first', new Error('one')),
      step('second'),
      step('third', new CodedError('Two', 'two', { fields: { pod: 'p' } })),
    ]).catch((thrown: unknown) => thrown);
    expect(ran).toEqual(['first', 'second', 'third']);
    expect(describeError(error)).toBe('several steps failed (errors=["one","two (pod=p)"])');
  });
});

describe('an error', () => {
  const terminal = new TerminalError('the image does not exist');
  test.each([
    { name: 'terminal when thrown as such', error: terminal, expected: true },
    {
      name: 'terminal when wrapped',
      error: new Error('launch', { cause: terminal }),
      expected: true,
    },
    { name: 'not terminal otherwise', error: new Error('network'), expected: false },
    {
      name: 'terminal when all of its parts are',
      error: new CombinedError([terminal, new CombinedError([terminal])]),
      expected: true,
    },
    {
      name: 'not terminal when one part may go away',
      error: new CombinedError([terminal, new Error('network')]),
      expected: false,
    },
  ])('is $name', ({ error, expected }) => {
    expect(isTerminal(error)).toBe(expected);
  });

  test('stands for all of its parts, however deep', () => {
    const [a, b, c] = [new Error('a'), new Error('b'), new Error('c')];
    expect(errorsIn(new CombinedError([a, new CombinedError([b, c])]))).toEqual([a, b, c]);
  });
});
