// The JSON paths of printer columns and selectors: `.spec.a`, `.status.conditions[?(@.type=="Ready")].status`,
// `.metadata.labels.a\.b`, `[0]`, `[*]`. In: a path. Out: a function to all values that it finds; a path in any other
// form finds nothing.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject } from '../json.ts';

export type JsonPath = (value: Json) => readonly Json[];

type Step = (values: readonly Json[]) => readonly Json[];

function field(name: string): Step {
  return (values) =>
    values.flatMap((value) => {
      const found = isObject(value) ? value[name] : undefined;
      return found === undefined || found === null ? [] : [found];
    });
}

const everything: Step = (values) =>
  values.flatMap((value) => {
    if (isArray(value)) return [...value];
    return isObject(value) ? Object.values(value) : [];
  });

function index(position: number): Step {
  return (values) =>
    values.flatMap((value) => {
      const found = isArray(value) ? value.at(position) : undefined;
      return found === undefined ? [] : [found];
    });
}

function filter(path: string, operator: string, wanted: string): Step {
  const read = parseJsonPath(path);
  const isWanted = (found: Json | undefined): boolean =>
    found !== undefined && (typeof found === 'string' ? found : JSON.stringify(found)) === wanted;
  return (values) =>
    everything(values).filter((item) => isWanted(read(item)[0]) === (operator === '=='));
}

const steps: readonly (readonly [RegExp, (match: RegExpExecArray) => Step])[] = [
  [
    /^\[\?\(@((?:\.[^=!<>\s]+|\[[^\]]+\])+)\s*(==|!=)\s*["']?([^"')]*)["']?\s*\)\]/,
    (match) => filter(match[1] ?? '', match[2] ?? '', match[3] ?? ''),
  ],
  [/^\[\*\]/, () => everything],
  [/^\.\*/, () => everything],
  [/^\[(-?\d+)\]/, (match) => index(Number(match[1]))],
  [/^\[["']([^"']+)["']\]/, (match) => field(match[1] ?? '')],
  [/^\.((?:\\.|[^.[\\])+)/, (match) => field((match[1] ?? '').replaceAll(/\\(.)/g, '$1'))],
];

export function parseJsonPath(text: string): JsonPath {
  let rest = text.replace(/^\{(.*)\}$/, '$1').replace(/^\$/, '');
  const parsed: Step[] = [];
  while (rest !== '') {
    let match: RegExpExecArray | null = null;
    for (const [pattern, make] of steps) {
      match = pattern.exec(rest);
      if (match === null) continue;
      parsed.push(make(match));
      break;
    }
    if (match === null) return () => [];
    rest = rest.slice(match[0].length);
  }
  return (value) => parsed.reduce<readonly Json[]>((values, step) => step(values), [value]);
}
