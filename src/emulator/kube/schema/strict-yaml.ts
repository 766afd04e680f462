// YAML as the server reads it: YAML 1.1 words for booleans, keys of any scalar, the last of two equal keys. In: the text.
// Out: the value, with the lines of keys that come twice; or what is wrong, with its line. Of rare syntax errors the
// wording is our library's; only their place is the server's.
import { type Document, isScalar, LineCounter, parseAllDocuments, type Tags, visit } from 'yaml';
import type { Json } from '../../../api/meta.ts';

export interface ReadYaml {
  readonly value: Json;
  /** `line 5: key "name" already set in map`. */
  readonly duplicates: readonly string[];
}

/** Of YAML 1.1 the server's library knows no dates, no base 60 and no sets. */
const unknownTags = new Set([
  'tag:yaml.org,2002:timestamp',
  'tag:yaml.org,2002:set',
  'tag:yaml.org,2002:omap',
  'tag:yaml.org,2002:pairs',
]);

function knownTags(tags: Tags): Tags {
  return tags.filter(
    (tag) =>
      typeof tag !== 'object' ||
      (!unknownTags.has(tag.tag) && !('format' in tag && tag.format === 'TIME')),
  );
}

export function readYaml(text: string): ReadYaml {
  const lineCounter = new LineCounter();
  // Of several documents the server reads the first.
  const [document] = parseAllDocuments(text, {
    version: '1.1',
    customTags: knownTags,
    uniqueKeys: false,
    lineCounter,
    prettyErrors: false,
  });
  if (document === undefined) return { value: null, duplicates: [] };
  const lineOf = (offset: number): number => lineCounter.linePos(offset).line;
  const [error] = document.errors;
  if (error !== undefined) {
    throw new SyntaxError(`yaml: line ${lineOf(error.pos[0])}: ${serverWords(error.message)}`);
  }
  const duplicates = duplicateKeys(document)
    .map(({ name, offset }) => ({ name, line: lineOf(offset) }))
    .toSorted((a, b) => a.line - b.line)
    .map(({ name, line }) => `line ${line}: key ${JSON.stringify(name)} already set in map`);
  return { value: valueOf(document), duplicates };
}

function valueOf(document: Document): Json {
  try {
    return (document.toJS({ maxAliasCount: 100 }) ?? null) as Json;
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const [, anchor] = /^Unresolved alias .*: (\S+)$/.exec(error.message) ?? [];
    throw new SyntaxError(
      anchor === undefined
        ? 'yaml: document contains excessive aliasing'
        : `yaml: unknown anchor '${anchor}' referenced`,
    );
  }
}

/** The commonest mistakes in the words of the server's library; the rest in those of ours. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/^Flow sequence .* end with a \]/, "did not find expected ',' or ']'"],
  [/^Flow map .* end with a \}/, "did not find expected ',' or '}'"],
  [/^Tabs are not allowed/, 'found character that cannot start any token'],
];

function serverWords(message: string): string {
  return wordings.find(([pattern]) => pattern.test(message))?.[1] ?? message;
}

function duplicateKeys(document: Document): { readonly name: string; readonly offset: number }[] {
  const duplicates: { readonly name: string; readonly offset: number }[] = [];
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) duplicates.push({ name, offset: key.range?.[0] ?? 0 });
        seen.add(name);
      }
    },
  });
  return duplicates;
}
