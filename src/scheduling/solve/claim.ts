// A node to be made, while it is being filled. In: the template it starts from, pods as they are added. Out: what it may
// still become. Which instance type it will be is decided last: it only has to be certain that some type fits.
// 1. Its requirements only narrow and its requests only grow, so a type that stops fitting never fits again.
// 2. `witness` is a type that fits everything placed so far.
import type { BitSet } from '../../base/bitset.ts';
import type { HostPort } from '../../model/host-port.ts';
import type { PodShape, PodVariant } from '../compile/pod-shape.ts';
import type { Template } from '../compile/template.ts';
import type { StateId } from '../requirement-states.ts';

/** Pods of one shape that were placed together. */
export interface Load {
  readonly shape: PodShape;
  readonly variant: PodVariant;
  /** Which of the places of its volumes was taken. */
  readonly place: StateId;
  readonly count: number;
}

export interface Claim {
  /** Index among all bins: existing nodes come first. */
  readonly bin: number;
  readonly template: Template;
  state: StateId;
  readonly requests: Float64Array;
  witness: number;
  readonly loads: Load[];
  readonly ports: HostPort[];
  /** Variety it has of keys of which its pool asks for more: what it began with, when it had to. */
  lowered: ReadonlyMap<string, number>;
  /** Types that neither limits nor ports of DaemonSets forbid; undefined: all. */
  allowed: BitSet | undefined;
  /** The largest room that any of its types has left, per column. */
  readonly spare: Float64Array;
}

/** Whether a type with this room holds what is there and so many more. */
export function fitsInto(
  room: Float64Array,
  row: number,
  requests: Float64Array,
  added: Float64Array,
): boolean {
  for (let column = 0; column < requests.length; column++) {
    const free = (room[row + column] as number) - (requests[column] as number);
    if ((added[column] as number) > free) return false;
    // What is overdrawn already takes nothing more, not even a pod that asks for none of it.
    if (free < 0) return false;
  }
  return true;
}

/** How many more of these a type with this room holds, up to `most`. */
export function howMany(options: {
  readonly room: Float64Array;
  readonly row: number;
  readonly requests: Float64Array;
  readonly added: Float64Array;
  readonly most: number;
}): number {
  const { room, row, requests, added } = options;
  let count = options.most;
  for (let column = 0; column < requests.length; column++) {
    const free = (room[row + column] as number) - (requests[column] as number);
    if (free < 0) return 0;
    const each = added[column] as number;
    if (each > 0 && each * count > free) count = Math.floor(free / each);
    if (count === 0) return 0;
  }
  return count;
}

const nothing: Float64Array[] = [];

/** As many zeros as `like` has columns; never to be written to. */
export function noRequests({ length }: Float64Array): Float64Array {
  return (nothing[length] ??= new Float64Array(length));
}
