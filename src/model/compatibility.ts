// May a node described by `existing` host something that demands `incoming`? In: two sets of requirements and
// the keys that may stay open. Out: yes or no, or the reason as a value whose text is built only if asked for.
// 1. A key the node does not define fails unless the demand is content with its absence or the key may stay open.
//    Labels of a running node are the whole truth: nothing may stay open there.
// 2. A key on both sides must leave a value, or both must be content with its absence.
// 3. A contradiction is compatible with nothing, whether the other side names its key or not. Only of an existing node
//    it does not matter until somebody asks: old and new names of one label may disagree there.
import { describeRequirement } from './requirement-form.ts';
import { hasIntersection, isContradiction, type Requirement } from './requirement.ts';
import type { Requirements } from './requirements.ts';

const nothingOpen: ReadonlySet<string> = new Set();

export type Incompatibility =
  | {
      readonly kind: 'undefined';
      readonly key: string;
      readonly existing: Requirements;
      readonly mayStayOpen: ReadonlySet<string>;
    }
  | { readonly kind: 'mismatch'; readonly mismatches: readonly Mismatch[] }
  | { readonly kind: 'contradiction'; readonly key: string };

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
    const isRefused =
      offer === undefined
        ? isContradiction(demand) || isUndefined(key, demand, mayStayOpen)
        : clashes(offer, demand);
    if (isRefused) return false;
  }
  return true;
}

/** Only contradictions and the keys that both sides name count; either may leave any other open. */
export function doIntersect(existing: Requirements, incoming: Requirements): boolean {
  const [few, many] = existing.size < incoming.size ? [existing, incoming] : [incoming, existing];
  for (const [key, demand] of few) {
    const offer = many.get(key);
    if (offer === undefined ? isContradiction(demand) : clashes(offer, demand)) return false;
  }
  for (const requirement of many.values()) if (isContradiction(requirement)) return false;
  return true;
}

/** The reason why `isCompatible` is false: an undefined key before any mismatch, a contradiction last. */
export function incompatibility(
  existing: Requirements,
  incoming: Requirements,
  mayStayOpen: ReadonlySet<string> = nothingOpen,
): Incompatibility | undefined {
  const missing = [...incoming]
    .filter(([key, demand]) => !existing.has(key) && isUndefined(key, demand, mayStayOpen))
    .filter(([, demand]) => !isContradiction(demand))
    .map(([key]) => key)
    .toSorted()[0];
  if (missing !== undefined) return { kind: 'undefined', key: missing, existing, mayStayOpen };
  return clashesOf(existing, incoming) ?? contradictionIn(incoming);
}

/** The reason why `doIntersect` is false. */
export function mismatch(
  existing: Requirements,
  incoming: Requirements,
): Incompatibility | undefined {
  return clashesOf(existing, incoming) ?? contradictionIn(incoming) ?? contradictionIn(existing);
}

export function describeIncompatibility(reason: Incompatibility): string {
  if (reason.kind === 'undefined') {
    return `label ${JSON.stringify(reason.key)} does not have known values${hint(reason)}`;
  }
  if (reason.kind === 'contradiction') {
    return `key ${reason.key}, its requirements exclude each other`;
  }
  return reason.mismatches
    .map(
      ({ key, existing, incoming }) =>
        `key ${key}, ${describeRequirement(incoming)} not in ${describeRequirement(existing)}`,
    )
    .join('; ');
}

function isUndefined(key: string, demand: Requirement, mayStayOpen: ReadonlySet<string>): boolean {
  return !mayStayOpen.has(key) && !demand.mayBeAbsent;
}

function clashes(offer: Requirement, demand: Requirement): boolean {
  return !(offer.mayBeAbsent && demand.mayBeAbsent) && !hasIntersection(offer, demand);
}

function clashesOf(existing: Requirements, incoming: Requirements): Incompatibility | undefined {
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

function contradictionIn(requirements: Requirements): Incompatibility | undefined {
  const key = [...requirements.values()]
    .filter(isContradiction)
    .map((requirement) => requirement.key)
    .toSorted()[0];
  return key === undefined ? undefined : { kind: 'contradiction', key };
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
