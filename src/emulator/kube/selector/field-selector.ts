// Field selectors such as `spec.nodeName=a,status.phase!=Failed`. In: text and the fields a kind offers.
// Out: a test on objects, and the namespace and name when they pin down one object.
import type { ApiObject } from '../object.ts';
import { badRequest } from '../status-error.ts';

export type FieldReaders = Readonly<Record<string, (object: ApiObject) => string>>;

export interface FieldSelector {
  readonly test: (object: ApiObject) => boolean;
  /** Set when the selector allows one name only. */
  readonly name?: string;
  readonly namespace?: string;
}

const universal: FieldReaders = {
  'metadata.name': (object) => object.metadata.name,
  'metadata.namespace': (object) => object.metadata.namespace ?? '',
};

interface Term {
  readonly field: string;
  readonly isEqual: boolean;
  readonly value: string;
}

/** Undefined for a selector that lets everything through. */
export function parseFieldSelector(
  text: string | undefined,
  readers: FieldReaders,
  isCustom = false,
): FieldSelector | undefined {
  if (text === undefined || text === '') return undefined;
  const terms = splitTerms(text)
    .filter((part) => part !== '')
    .map((part) => parseTerm(part, text));
  const tests = terms.map((term) => {
    const read = universal[term.field] ?? readers[term.field];
    if (read === undefined)
      throw badRequest(unsupported(term.field, isCustom ? universal : readers));
    return (object: ApiObject) => (read(object) === term.value) === term.isEqual;
  });
  const pinned = (field: string): string | undefined =>
    terms.find((term) => term.field === field && term.isEqual)?.value;
  const name = pinned('metadata.name');
  const namespace = pinned('metadata.namespace');
  return {
    test: (object) => tests.every((test) => test(object)),
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** The value that a selector demands of a field. One that cannot be read demands nothing: it is refused where it is used. */
export function demandedValue(text: string, field: string): string | undefined {
  try {
    return splitTerms(text)
      .filter((part) => part !== '')
      .map((part) => parseTerm(part, text))
      .find((term) => term.field === field && term.isEqual)?.value;
  } catch {
    return undefined;
  }
}

/** Kinds that offer no field of their own say so in other words. */
function unsupported(field: string, readers: FieldReaders): string {
  if (Object.keys(readers).length > 0) return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

/** At commas that no backslash protects. */
function splitTerms(text: string): readonly string[] {
  const parts = [''];
  let isEscaped = false;
  for (const character of text) {
    if (character === ',' && !isEscaped) {
      parts.push('');
      continue;
    }
    isEscaped = character === '\\' && !isEscaped;
    parts[parts.length - 1] += character;
  }
  return parts;
}

function parseTerm(part: string, whole: string): Term {
  const match = /^((?:[^\\=!]|\\.|!(?!=))*)(!=|==|=)([\s\S]*)$/.exec(part);
  if (match === null) throw badRequest(`invalid selector: '${whole}'; can't understand '${part}'`);
  const [, field = '', operator = '', value = ''] = match;
  return { field, isEqual: operator !== '!=', value: unescape(value) };
}

function unescape(value: string): string {
  const wrong = /(?<!\\)(?:\\\\)*(\\(?![\\,=]).?)/s.exec(value)?.[1];
  if (wrong !== undefined) {
    throw badRequest(`invalid field selector: invalid escape sequence: ${wrong}`);
  }
  return value.replaceAll(/\\([\\,=])/g, '$1');
}
