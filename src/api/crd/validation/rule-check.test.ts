// What is said of a rule when its definition comes, before any object meets it.
import { expect, test } from 'vitest';
import { definitions } from '../definitions.ts';
import type { OpenApiSchema } from '../open-api.ts';
import { ruleChecker } from './rule-check.ts';

const schema: OpenApiSchema = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    name: { type: 'string' },
    parts: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    'dashed-name': { type: 'boolean' },
  },
};

function problems(rule: string, messageExpression?: string): readonly string[] {
  const found = ruleChecker(schema)({ rule, messageExpression, hasOptionalOld: false });
  return found.map(({ part, problem }) => `${part}: ${problem.split('\n')[0]}`);
}

test.each([
  'self.count > 1',
  'has(self.name) && self.name.matches("^a")',
  'self.parts.all(part, part.id != "")',
  'self.labels.all(key, self.labels[key] != "")',
  'self.open.anything.goes == 1',
  'self.dashed__dash__name',
  'self == oldSelf',
  'self.parts == oldSelf.parts || self.count == oldSelf.count',
  'isURL(self.name)',
])('nothing is wrong with %s', (rule) => {
  expect(problems(rule)).toEqual([]);
});

test.each([
  ['self.count >', 'rule: compilation failed: ERROR: Unexpected token: EOF'],
  ['self.nope > 1', 'rule: compilation failed: ERROR: No such key: nope'],
  ['self.parts.all(part, part.nope)', 'rule: compilation failed: ERROR: No such key: nope'],
  ['self.count == "x"', 'rule: compilation failed: ERROR: no such overload: int == string'],
  [
    'nope(self.count)',
    "rule: compilation failed: ERROR: found no matching overload for 'nope(int)'",
  ],
  ['self.count + 1', 'rule: cel expression must evaluate to a bool'],
])('%s is refused', (rule, problem) => {
  expect(problems(rule)).toEqual([problem]);
});

test('a message that is no text is refused', () => {
  expect(problems('true', '1 + 1')).toEqual([
    'messageExpression: messageExpression must evaluate to a string',
  ]);
});

/** Every schema below one that has rules, with them. */
function ruled(node: OpenApiSchema): readonly OpenApiSchema[] {
  const below = [
    ...Object.values(node.properties ?? {}),
    ...(node.items === undefined ? [] : [node.items]),
    ...(typeof node.additionalProperties === 'object' ? [node.additionalProperties] : []),
  ];
  const own = node['x-kubernetes-validations'] === undefined ? [] : [node];
  return [...own, ...below.flatMap(ruled)];
}

test('the rules of our own definitions pass', () => {
  const all = definitions.flatMap(({ versions }) =>
    versions.flatMap(({ openApi }) => ruled(openApi)),
  );
  const wrong = all.flatMap((node) => {
    const check = ruleChecker(node);
    return (node['x-kubernetes-validations'] ?? []).flatMap((rule) =>
      check({ rule: rule.rule, hasOptionalOld: rule.optionalOldSelf === true }),
    );
  });
  expect(all.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});
