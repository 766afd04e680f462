// Where in a document a value stands, and what is wrong with it there. In: steps into the document. Out: a path as a
// person would write it, and one line per fault: path, value, rule with the way to mend it.
import type { Json } from '../../api/meta.ts';

export interface Place {
  readonly path: string;
  /** Shared by all places of one document. */
  readonly faults: string[];
}

/** A value of thousands of characters would bury the rule it broke. */
const shownCharacters = 60;

export function rootPlace(): Place {
  return { path: '', faults: [] };
}

export function inside(place: Place, step: string | number): Place {
  return { path: place.path + stepText(place.path, step), faults: place.faults };
}

/** `rule` says what must hold and, after a semicolon, what to write instead. */
export function blame(place: Place, value: Json | undefined, rule: string): void {
  const shown = value === undefined ? '' : `${shorten(JSON.stringify(value))}: `;
  place.faults.push(`${place.path === '' ? 'the document' : place.path}: ${shown}${rule}`);
}

function stepText(path: string, step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  if (!/^[\w-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
  return path === '' ? step : `.${step}`;
}

function shorten(text: string): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}
