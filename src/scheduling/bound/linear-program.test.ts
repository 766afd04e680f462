import { describe, expect, test } from 'vitest';
import { type LinearProgram, lowerBound } from './linear-program.ts';

const program: LinearProgram = {
  costs: [0, 0.5, 2],
  rows: [
    { terms: [{ variable: 0, factor: 1 }], sense: '>=', limit: 3 },
    {
      terms: [
        { variable: 0, factor: 0.25 },
        { variable: 1, factor: -1 },
      ],
      sense: '<=',
      limit: 0,
    },
  ],
};

describe('a linear program', () => {
  test('is handed to the solver as text', () => {
    let text = '';
    lowerBound(program, (written) => {
      text = written;
      return 1;
    });
    expect(text.split('\n').map((line) => line.trim())).toEqual([
      'Minimize',
      'cost: + 0.5 v1',
      '+ 2 v2',
      'Subject To',
      'r0: + 1 v0',
      '>= 3',
      'r1: + 0.25 v0',
      '- 1 v1',
      '<= 0',
      'End',
      '',
    ]);
  });

  test('gives a bound a little below what the solver says, never above and never below zero', () => {
    const bounds = [100, 0].map((least) => lowerBound(program, () => least));
    expect(bounds[0]).toBeGreaterThan(99.999);
    expect(bounds[0]).toBeLessThan(100);
    expect(bounds[1]).toBe(0);
  });

  test('gives none when there is no solution, and zero when there is nothing to solve', () => {
    expect(lowerBound(program, () => undefined)).toBeUndefined();
    expect(lowerBound({ costs: [], rows: [] }, () => 7)).toBe(0);
  });
});
