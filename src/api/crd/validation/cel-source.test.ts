import { describe, expect, test } from 'vitest';
import { prepareSource } from './cel-source.ts';

describe('an expression before it is parsed', () => {
  test.each([
    ['self.x == 1', 'self.x == 1', false],
    ['int(self) > 0', 'kubernetesInt(self) > 0', false],
    ['type(self) == int', 'type(self) == int', false],
    ['self.int == 1', 'self.int == 1', false],
    ["self.matches('^a$')", "self.kubernetesMatches('^a$')", false],
    ["matches(self, 'a')", "kubernetesMatches(self, 'a')", false],
    ['self.matches', 'self.matches', false],
    ["self == 'int(x) oldSelf'", "self == 'int(x) oldSelf'", false],
    [
      String.raw`self == r'\' || int(self) > 0`,
      String.raw`self == r'\' || kubernetesInt(self) > 0`,
      false,
    ],
    [
      String.raw`self == 'a\'int(' && int(self) > 0`,
      String.raw`self == 'a\'int(' && kubernetesInt(self) > 0`,
      false,
    ],
    ['self // int(x)\n == oldSelf', 'self // int(x)\n == oldSelf', true],
    ['self == oldSelf', 'self == oldSelf', true],
    ['self.oldSelf == 1', 'self.oldSelf == 1', false],
    ['self . oldSelf == int (oldSelf)', 'self . oldSelf == kubernetesInt (oldSelf)', true],
  ])('%s', (expression, text, usesOldSelf) => {
    expect(prepareSource(expression)).toEqual({ text, usesOldSelf });
  });
});
