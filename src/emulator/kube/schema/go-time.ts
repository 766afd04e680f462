// Times as the server reads and writes them: RFC 3339 with seconds, or with exactly six digits of fraction for times that
// are leases' and events'. In: a text. Out: the same moment in UTC, or what its parser says of it.

export type ReadTime =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

const pattern = /^(\d{4})(-)(\d\d)(-)(\d\d)(T)(\d\d)(:)(\d\d)(:)(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Already in the one form, and on a day that every month has. */
const canonical =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

export function secondTime(text: string): ReadTime {
  if (canonical.test(text)) return { ok: true, text };
  const problem = problemOf(text, secondLayout);
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, text: `${new Date(text).toISOString().slice(0, 19)}Z` };
}

export function microTime(text: string): ReadTime {
  const problem = problemOf(text, microLayout);
  if (problem !== undefined) return { ok: false, problem };
  const fraction = pattern.exec(text)?.[12] ?? '.000000';
  return { ok: true, text: `${new Date(text).toISOString().slice(0, 19)}${fraction}Z` };
}

interface Layout {
  readonly text: string;
  readonly parts: readonly (readonly [name: string, form: RegExp])[];
}

const date: Layout['parts'] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d\d?/],
  [':', /^:/],
  ['04', /^\d\d/],
  [':', /^:/],
];

const zone = ['Z07:00', /^(?:Z|[+-]\d\d:\d\d)/] as const;

const secondLayout: Layout = {
  text: '2006-01-02T15:04:05Z07:00',
  // A fraction is read although the layout has none.
  parts: [...date, ['05', /^\d\d(?:\.\d+)?/], zone],
};

const microLayout: Layout = {
  text: '2006-01-02T15:04:05.000000Z07:00',
  parts: [...date, ['05', /^\d\d/], ['.000000', /^\.\d{6}/], zone],
};

function problemOf(text: string, layout: Layout): string | undefined {
  const quoted = JSON.stringify(text);
  let rest = text;
  for (const [name, form] of layout.parts) {
    const found = form.exec(rest)?.[0];
    if (found === undefined) {
      return `parsing time ${quoted} as "${layout.text}": cannot parse ${JSON.stringify(rest)} as "${name}"`;
    }
    rest = rest.slice(found.length);
  }
  if (rest !== '') return `parsing time ${quoted}: extra text: ${JSON.stringify(rest)}`;
  const range = outOfRange(text);
  return range === undefined ? undefined : `parsing time ${quoted}: ${range} out of range`;
}

function outOfRange(text: string): string | undefined {
  const [, year, , month, , day, , hour, , minute, , second] = pattern.exec(text) ?? [];
  if (Number(month) < 1 || Number(month) > 12) return 'month';
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(day) < 1 || Number(day) > days) return 'day';
  if (Number(hour) > 23) return 'hour';
  if (Number(minute) > 59) return 'minute';
  return Number(second) > 59 ? 'second' : undefined;
}
