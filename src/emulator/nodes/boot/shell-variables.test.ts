import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shellVariables } from './shell-variables.ts';

const read = (text: string) => {
  const result = shellVariables(text);
  return result.ok ? Object.fromEntries(result.variables) : result.reason;
};

describe('variables of a shell script', () => {
  test.each([
    ['one a line', 'A="1"\nB="2"\n', { A: '1', B: '2' }],
    [
      'several before a command',
      'A="1" B=2 C=\'3 4\' /bin/run "D=5"',
      { A: '1', B: '2', C: '3 4' },
    ],
    ['with export', 'export A=1', { A: '1' }],
    ['joined from quoted and bare parts', `A=a"b c"'d e'\\ f`, { A: 'ab cd e f' }],
    ['with what double quotes protect', String.raw`A="\"\$x\\ \`\n"`, { A: '"$x\\ `\\n' }],
    ['over several lines', 'A="x\ny"\nB=1', { A: 'x\ny', B: '1' }],
    ['empty', 'A=\nB=""\nC=1', { A: '', B: '', C: '1' }],
    ['set twice', 'A=1\nA=2', { A: '2' }],
    ['of the script itself', 'waited=$((waited + 1))\nA=1', { A: '1' }],
    ['in a command', 'echo A=1\necho "B=2"', {}],
    ['with a lone dollar', 'A="5$ and $"', { A: '5$ and $' }],
  ])('%s', (_, text, variables) => {
    expect(read(text)).toEqual(variables);
  });

  test.each([
    ['A="$(date)"', 'A is computed by the shell, not written out'],
    ['A="$HOME"', 'A is computed by the shell, not written out'],
    ['A=`date`', 'A is computed by the shell, not written out'],
    ['A="x', 'A has a quote that is never closed'],
    ["A='x", 'A has a quote that is never closed'],
  ])('are refused when they cannot be told: %s', (text, reason) => {
    expect(read(text)).toBe(reason);
  });

  test('come back as they were, however they are quoted', () => {
    const double = (value: string) => `"${value.replaceAll(/["$\\`]/g, String.raw`\$&`)}"`;
    const single = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`;
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom(' ', '\n'), (a, b, between) => {
        expect(read(`A=${double(a)}${between}B=${single(b)}\ncommand`)).toEqual({ A: a, B: b });
      }),
    );
  });
});
