// What one label of a node may turn out to be: absent, one of some values, or any but some. In: an expression as
// Kubernetes writes it, or a label. Out: sets, what two have in common, and whether one lies within another.
// Written from the Kubernetes rule alone: NotIn and DoesNotExist hold for a node without the label, the others do not;
// Gt and Lt compare integers and hold for nothing else.

export interface LabelSet {
  readonly absent: boolean;
  /** True: any value but these. */
  readonly except: boolean;
  readonly values: ReadonlySet<string>;
  readonly least: bigint | undefined;
  readonly most: bigint | undefined;
}

const none: ReadonlySet<string> = new Set();
const integer = /^[+-]?[0-9]+$/;

export const missing: LabelSet = make({ absent: true });
export const anyLabel: LabelSet = make({ absent: true, except: true });

export function exactly(value: string): LabelSet {
  return make({ values: new Set([value]) });
}

export function labelSetOf(operator: string, values: readonly string[] = []): LabelSet {
  switch (operator) {
    case 'In':
      return make({ values: new Set(values) });
    case 'NotIn':
      return make({ absent: true, except: true, values: new Set(values) });
    case 'Exists':
      return make({ except: true });
    case 'DoesNotExist':
      return missing;
    default:
      return bounded(operator, values[0] ?? '');
  }
}

export function common(a: LabelSet, b: LabelSet): LabelSet {
  if (a === anyLabel) return b;
  if (b === anyLabel) return a;
  const absent = a.absent && b.absent;
  const least = tighter(a.least, b.least, (x, y) => x > y);
  const most = tighter(a.most, b.most, (x, y) => x < y);
  if (a.except && b.except) {
    return make({ absent, except: true, values: a.values.union(b.values), least, most });
  }
  const [finite, other] = a.except ? [b, a] : [a, b];
  return make({ absent, values: new Set([...finite.values].filter((v) => contains(other, v))) });
}

export function isEmpty(set: LabelSet): boolean {
  return !set.absent && !hasValue(set);
}

/** Whether every possibility of `inner` is one of `outer`. */
export function isWithin(inner: LabelSet, outer: LabelSet): boolean {
  if (inner.absent && !outer.absent) return false;
  if (!inner.except) return [...inner.values].every((value) => contains(outer, value));
  if (!outer.except || !isTighter(inner, outer)) return false;
  return [...outer.values].every((value) => !contains(inner, value));
}

export function overlap(a: LabelSet, b: LabelSet): boolean {
  return !isEmpty(common(a, b));
}

export function hasValue(set: LabelSet): boolean {
  if (!set.except) return set.values.size > 0;
  const { least, most } = set;
  if (least === undefined || most === undefined) return true;
  for (let n = least; n <= most; n++) if (!set.values.has(String(n))) return true;
  return false;
}

/** The value, if there is no other possibility. */
export function onlyValue(set: LabelSet): string | undefined {
  if (set.absent || set.except || set.values.size !== 1) return undefined;
  return [...set.values][0];
}

export function withoutAbsence(set: LabelSet): LabelSet {
  return set.absent ? { ...set, absent: false } : set;
}

export function describeSet(set: LabelSet): string {
  const list = [...set.values].toSorted().join(', ');
  const bounds = `${set.least === undefined ? '' : ` >= ${set.least}`}${set.most === undefined ? '' : ` <= ${set.most}`}`;
  const values = set.except ? `anything but [${list}]${bounds}` : `[${list}]`;
  return set.absent ? `absent or ${values}` : values;
}

function make(parts: Partial<LabelSet>): LabelSet {
  return {
    absent: parts.absent ?? false,
    except: parts.except ?? false,
    values: parts.values ?? none,
    least: parts.least,
    most: parts.most,
  };
}

function bounded(operator: string, text: string): LabelSet {
  if (!integer.test(text)) return make({});
  const bound = BigInt(text);
  const bounds: Record<string, Partial<LabelSet>> = {
    Gt: { least: bound + 1n },
    Gte: { least: bound },
    Lt: { most: bound - 1n },
    Lte: { most: bound },
  };
  const known = bounds[operator];
  if (known === undefined) throw new Error(`unknown operator ${operator}`);
  return make({ except: true, ...known });
}

function contains(set: LabelSet, value: string): boolean {
  if (set.values.has(value) === set.except) return false;
  if (set.least === undefined && set.most === undefined) return true;
  if (!integer.test(value)) return false;
  const n = BigInt(value);
  return (set.least === undefined || n >= set.least) && (set.most === undefined || n <= set.most);
}

function isTighter(inner: LabelSet, outer: LabelSet): boolean {
  const least =
    outer.least === undefined || (inner.least !== undefined && inner.least >= outer.least);
  const most = outer.most === undefined || (inner.most !== undefined && inner.most <= outer.most);
  return least && most;
}

function tighter(
  a: bigint | undefined,
  b: bigint | undefined,
  wins: (a: bigint, b: bigint) => boolean,
): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return wins(a, b) ? a : b;
}
