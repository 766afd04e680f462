import { expect, test } from 'vitest';
import { parseJsonPath } from './json-path.ts';

const object = {
  metadata: { labels: { 'a.b/c': 'x' } },
  spec: { list: [1, 2, 3], empty: null },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Stale', status: 'False' },
    ],
  },
};

test.each([
  ['.spec.list', [[1, 2, 3]]],
  ['.spec.list[1]', [2]],
  ['.spec.list[-1]', [3]],
  ['.spec.list[*]', [1, 2, 3]],
  ['.spec.missing.deep', []],
  ['.spec.empty', []],
  ['.metadata.labels.a\\.b/c', ['x']],
  [".metadata.labels['a.b/c']", ['x']],
  ['{.spec.list[0]}', [1]],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  ['.status.conditions[?(@.type!="Ready")].status', ['False']],
  ['.status.conditions[?(@.type=="Nope")].status', []],
  ['no path at all', []],
])('%s', (path, found) => {
  expect(parseJsonPath(path)(object)).toEqual(found);
});
