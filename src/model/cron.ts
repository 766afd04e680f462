// When a schedule fires. In: five fields or a named schedule, as the original understands them. Out: the next
// activation after a moment, in UTC.
// Accepted: numbers, names of months and weekdays, `*`, `?`, lists, ranges, steps. Refused: seconds, years, zones,
// weekday 7, `L`, `W`, `#`, `@every`. A field is open when it has `*` or `?` with a step of at most one; when
// neither the day of the month nor the weekday is open, either suffices.
// The grammar is checked here; stepping through the calendar is croner's work.
import { Cron } from 'croner';

export interface CronSchedule {
  readonly text: string;
  /** Undefined when no moment can match. */
  readonly calendar: Cron | undefined;
}

export type CronResult =
  | { readonly ok: true; readonly schedule: CronSchedule }
  | { readonly ok: false; readonly reason: string };

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const weekdayNames = 'sun mon tue wed thu fri sat'.split(' ');

const fields: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: monthNames },
  { name: 'day of week', min: 0, max: 6, names: weekdayNames },
];

const named = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

export function parseCron(text: string): CronResult {
  const trimmed = text.trim();
  const written = trimmed.startsWith('@') ? named.get(trimmed) : trimmed;
  if (written === undefined) {
    return { ok: false, reason: `must be one of ${[...named.keys()].join(', ')}` };
  }
  const texts = written === '' ? [] : written.split(/\s+/);
  if (texts.length !== fields.length) {
    return { ok: false, reason: `must have five fields, has ${texts.length}` };
  }
  const explicit: string[] = [];
  for (const [i, field] of fields.entries()) {
    const values = readField(texts[i] ?? '', field);
    if (!values.ok) return values;
    explicit.push(values.text);
  }
  return { ok: true, schedule: { text, calendar: calendarOf(explicit) } };
}

/** The first activation strictly after a moment, both in milliseconds; undefined when there is none. */
export function nextActivation({ calendar }: CronSchedule, afterMs: number): number | undefined {
  return calendar?.nextRun(new Date(afterMs))?.getTime();
}

type FieldResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** The field as a plain list of numbers, or `*` when it is open: a language every cron agrees on. */
function readField(text: string, field: Field): FieldResult {
  const values = new Set<number>();
  let open = false;
  for (const part of text.split(',').filter((item) => item !== '')) {
    const range = readRange(part, field);
    if (typeof range === 'string') return { ok: false, reason: `${field.name}: ${range}` };
    open ||= range.open;
    for (let value = range.first; value <= range.last; value += range.step) values.add(value);
  }
  return { ok: true, text: open ? '*' : [...values].join(',') };
}

interface Range {
  readonly first: number;
  readonly last: number;
  readonly step: number;
  readonly open: boolean;
}

function readRange(part: string, field: Field): Range | string {
  const [span = '', stepText, ...tooMany] = part.split('/');
  if (tooMany.length > 0) return `${part} has more than one step`;
  const step = readNumber(stepText ?? '1') ?? 0;
  if (step === 0) return `${part} needs a positive step`;
  // Whatever follows the star is ignored, as the original does.
  if (/^[*?](-|$)/.test(span)) {
    return { first: field.min, last: field.max, step, open: step === 1 };
  }
  const ends = readEnds(span, field, stepText !== undefined);
  if (typeof ends === 'string') return `${part} ${ends}`;
  return { first: ends[0], last: ends[1], step, open: false };
}

function readEnds(span: string, field: Field, stepped: boolean): [number, number] | string {
  const ends = span.split('-').map((end) => readValue(end, field));
  if (ends.length > 2) return 'has more than one range';
  const [first, last] =
    ends.length === 1 && stepped ? [ends[0], field.max] : [ends[0], ends.at(-1)];
  if (first === undefined || last === undefined) return 'is not a number or a known name';
  if (first < field.min || last > field.max) return `is outside ${field.min}-${field.max}`;
  return first > last ? 'runs backwards' : [first, last];
}

function readValue(text: string, field: Field): number | undefined {
  const index = field.names.indexOf(text.toLowerCase());
  return index >= 0 ? index + field.min : readNumber(text);
}

function readNumber(text: string): number | undefined {
  return /^\+?[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

function calendarOf(explicit: readonly string[]): Cron | undefined {
  // A list of nothing (`,`) matches nothing, which no cron library can be told.
  if (explicit.includes('')) return undefined;
  return new Cron(explicit.join(' '), { mode: '5-part', timezone: 'UTC', paused: true });
}
