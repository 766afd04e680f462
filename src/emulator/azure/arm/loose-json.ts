// JSON as Azure's command line sends it: a template file's text spliced in under an unquoted key, comments and all.
// In: text. Out: the value, or undefined. Strict JSON takes the fast way; nothing is ever evaluated.
import type { Json } from '../../../api/meta.ts';

export function looseJson(text: string): { readonly value: Json } | undefined {
  return strict(text) ?? strict(normalized(text));
}

function strict(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

/** Strings stay as they are; comments become blanks, bare keys get quotes, commas before a closing bracket go. */
const tokens =
  /"(?:[^"\\]|\\[\s\S])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<![\w$])([A-Za-z_$][\w$]*)(?=\s*:)|,(?=(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[}\]])/g;

function normalized(text: string): string {
  return text.replaceAll(tokens, (token: string, bareKey: string | undefined) => {
    if (token.startsWith('"')) return unbroken(token);
    if (bareKey !== undefined) return `"${bareKey}"`;
    return ' ';
  });
}

/** Templates may break a string across lines. */
function unbroken(token: string): string {
  return token.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
