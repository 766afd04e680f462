// A CEL expression before it is parsed. Two built-in functions of the CEL library differ from the API
// server's: `int` (takes empty text for zero) and `matches` (runs JavaScript's patterns, not RE2's). Calls of
// them are renamed to ours here; texts, comments and fields of the same name are left alone.

export interface CelSource {
  readonly text: string;
  readonly usesOldSelf: boolean;
}

/** Our own versions, registered in the environment. */
export const ownFunction: Readonly<Record<string, string>> = {
  int: 'kubernetesInt',
  matches: 'kubernetesMatches',
};

const token =
  /[rR][bB]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"]*"|'[^']*')|[bB]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\/\/.*|[A-Za-z_]\w*|\s+|[\s\S]/g;

const isIdentifier = /^[A-Za-z_]\w*$/;

export function prepareSource(expression: string): CelSource {
  const tokens = expression.match(token) ?? [];
  const significant = (from: number, step: 1 | -1): string => {
    let at = from + step;
    while (/^(?:\s|\/\/)/.test(tokens[at] ?? '')) at += step;
    return tokens[at] ?? '';
  };
  let usesOldSelf = false;
  const text = tokens.map((word, index) => {
    if (!isIdentifier.test(word)) return word;
    const isMember = significant(index, -1) === '.';
    if (word === 'oldSelf' && !isMember) usesOldSelf = true;
    const isCall = significant(index, 1) === '(';
    // `x.int(…)` is not the conversion, and there is none; `x.matches(…)` and `matches(x, …)` both exist.
    if (!isCall || (word === 'int' && isMember)) return word;
    return Object.hasOwn(ownFunction, word) ? (ownFunction[word] ?? word) : word;
  });
  return { text: text.join(''), usesOldSelf };
}
