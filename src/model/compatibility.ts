// May a node described by `existing` host something that demands `incoming`? In: two sets of requirements and
// the keys that may stay open. Out: yes or no, or the reason as a value whose text is built only if asked for.
// 1. A key the node does not define fails unless the demand tolerates its absence (NotIn, DoesNotExist) or
//    the key may stay open. Labels of a running node are the whole truth: nothing may stay open there.
// 2. A key on both sides must leave a value, except that two demands for absence are content without one.
import { describeRequirement } from './requirement-form.ts';
import { hasIntersection, type Requirement, toleratesAbsence } from './requirement.ts';
import type { Requirements } from './requirements.ts';

const nothingOpen: ReadonlySet<string> = new Set();

export type Incompatibility =
  | {
      readonly kind: 'undefined';
      readonly key: string;
      readonly existing: Requirements;
      readonly mayStayOpen: ReadonlySet<string>;
    }
  | { readonly kind: 'mismatch'; readonly mismatches: readonly Mismatch[] };

export interface Mismatch {
  readonly key: string;
  readonly existing: Requirement;
  readonly incoming: Requirement;
}

export function isCompatible(
  existing: Requirements,
  incoming: Requirements,
  mayStayOpen: ReadonlySet<string> = nothingOpen,
): boolean {
  for (const [key, demand] of incoming) {
    const offer = existing.get(key);
    if (offer === undefined ? isUndefined(key, demand, mayStayOpen) : clashes(offer, demand)) {
      return false;
    }
  }
  return true;
}

/** Only the keys that both sides name count; either may leave any other open. */
export function doIntersect(existing: Requirements, incoming: Requirements): boolean {
  const [few, many] = existing.size < incoming.size ? [existing, incoming] : [incoming, existing];
  for (const [key, demand] of few) {
    const offer = many.get(key);
    if (offer !== undefined && clashes(offer, demand)) return false;
  }
  return true;
}

/** The reason why `isCompatible` is false. An undefined key is named before any mismatch. */
export function incompatibility(
  existing: Requirements,
  incoming: Requirements,
  mayStayOpen: ReadonlySet<string> = nothingOpen,
): Incompatibility | undefined {
  const missing = [...incoming]
    .filter(([key, demand]) => !existing.has(key) && isUndefined(key, demand, mayStayOpen))
    .map(([key]) => key)
    .toSorted()[0];
  if (missing !== undefined) return { kind: 'undefined', key: missing, existing, mayStayOpen };
  return mismatch(existing, incoming);
}

/** The reason why `doIntersect` is false. */
export function mismatch(
  existing: Requirements,
  incoming: Requirements,
): Incompatibility | undefined {
  const mismatches: Mismatch[] = [];
  for (const [key, demand] of incoming) {
    const offer = existing.get(key);
    if (offer !== undefined && clashes(offer, demand)) {
      mismatches.push({ key, existing: offer, incoming: demand });
    }
  }
  if (mismatches.length === 0) return undefined;
  return {
    kind: 'mismatch',
    mismatches: mismatches.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

export function describeIncompatibility(reason: Incompatibility): string {
  if (reason.kind === 'undefined') {
    return `label ${JSON.stringify(reason.key)} does not have known values${hint(reason)}`;
  }
  return reason.mismatches
    .map(
      ({ key, existing, incoming }) =>
        `key ${key}, ${describeRequirement(incoming)} not in ${describeRequirement(existing)}`,
    )
    .join('; ');
}

function isUndefined(key: string, demand: Requirement, mayStayOpen: ReadonlySet<string>): boolean {
  return !mayStayOpen.has(key) && !toleratesAbsence(demand);
}

function clashes(offer: Requirement, demand: Requirement): boolean {
  if (hasIntersection(offer, demand)) return false;
  return !(toleratesAbsence(offer) && toleratesAbsence(demand));
}

/** The first label that was probably meant: it contains the key, or ends in what follows the key's domain. */
function hint({
  key,
  existing,
  mayStayOpen,
}: Incompatibility & { readonly kind: 'undefined' }): string {
  const name = key.slice(key.indexOf('/') + 1);
  const candidates = [...[...mayStayOpen].toSorted(), ...[...existing.keys()].toSorted()];
  const meant = candidates.find((known) => known.includes(key) || known.endsWith(name));
  return meant === undefined ? '' : ` (typo of ${JSON.stringify(meant)}?)`;
}
