// A set of paths to fields, as a tree. A path is in the set by itself: neither its parent nor its children follow.
// 1. A set never changes; an operation that changes nothing gives back the same set.
// 2. No branch is without a member, so a set is empty exactly when it has no children.
import type { JsonObject, MutableJsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { canonicalElement, compareElements } from './path-element.ts';

export type Path = readonly string[];

export class FieldSet {
  static readonly empty: FieldSet = new FieldSet(false, new Map());
  /** A place that is in the set, with nothing below it. */
  static readonly leaf: FieldSet = new FieldSet(true, new Map());

  /** Whether the place itself is in the set; never so for the root of an object. */
  readonly isMember: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
  #encoded: JsonObject | undefined;

  constructor(isMember: boolean, children: ReadonlyMap<string, FieldSet>) {
    this.isMember = isMember;
    this.children = children;
  }

  static of(...paths: readonly Path[]): FieldSet {
    let set = FieldSet.empty;
    for (const path of paths) set = set.union(FieldSet.#single(path));
    return set;
  }

  static #single(path: Path): FieldSet {
    let set = FieldSet.leaf;
    for (const element of path.toReversed()) set = new FieldSet(false, new Map([[element, set]]));
    return set;
  }

  get isEmpty(): boolean {
    return !this.isMember && this.children.size === 0;
  }

  has(path: Path): boolean {
    const [element, ...rest] = path;
    if (element === undefined) return this.isMember;
    return this.children.get(element)?.has(rest) === true;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty || other === this) return this;
    if (this.isEmpty) return other;
    let children: Map<string, FieldSet> | undefined;
    for (const [element, theirs] of other.children) {
      const ours = this.children.get(element);
      const both = ours === undefined ? theirs : ours.union(theirs);
      if (both === ours) continue;
      children ??= new Map(this.children);
      children.set(element, both);
    }
    return this.#with(this.isMember || other.isMember, children);
  }

  intersection(other: FieldSet): FieldSet {
    if (other === this) return this;
    const children = new Map<string, FieldSet>();
    const [small, large] = this.children.size < other.children.size ? [this, other] : [other, this];
    for (const [element, child] of small.children) {
      const match = large.children.get(element);
      const both = match === undefined ? FieldSet.empty : child.intersection(match);
      if (!both.isEmpty) children.set(element, both);
    }
    return new FieldSet(this.isMember && other.isMember, children);
  }

  difference(other: FieldSet): FieldSet {
    return this.#without(other, (ours, theirs) => ours.difference(theirs));
  }

  /** Without the members of `other` and everything below them. */
  differenceOfTrees(other: FieldSet): FieldSet {
    return this.#without(other, (ours, theirs) =>
      theirs.isMember ? FieldSet.empty : ours.differenceOfTrees(theirs),
    );
  }

  #without(other: FieldSet, subtract: (ours: FieldSet, theirs: FieldSet) => FieldSet): FieldSet {
    let children: Map<string, FieldSet> | undefined;
    for (const [element, theirs] of other.children) {
      const ours = this.children.get(element);
      if (ours === undefined) continue;
      const rest = subtract(ours, theirs);
      if (rest === ours) continue;
      children ??= new Map(this.children);
      if (rest.isEmpty) children.delete(element);
      else children.set(element, rest);
    }
    return this.#with(this.isMember && !other.isMember, children);
  }

  #with(isMember: boolean, children: ReadonlyMap<string, FieldSet> | undefined): FieldSet {
    if (children === undefined && isMember === this.isMember) return this;
    return new FieldSet(isMember, children ?? this.children);
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.isMember !== other.isMember || this.children.size !== other.children.size)
      return false;
    for (const [element, child] of this.children) {
      const match = other.children.get(element);
      if (match === undefined || !child.equals(match)) return false;
    }
    return true;
  }

  /** All members: those of a level first, then what is below them. */
  *paths(prefix: Path = []): Generator<Path> {
    const children = [...this.children].toSorted(([a], [b]) => compareElements(a, b));
    for (const [element, child] of children) if (child.isMember) yield [...prefix, element];
    for (const [element, child] of children) yield* child.paths([...prefix, element]);
  }

  /** As `fieldsV1` in managedFields. The same set always gives the same object. */
  encode(): JsonObject {
    if (this.#encoded === undefined) {
      const encoded: MutableJsonObject = {};
      if (this.isMember && this.children.size > 0) encoded['.'] = {};
      const elements = [...this.children.keys()].toSorted(compareElements);
      for (const element of elements) encoded[element] = this.children.get(element)?.encode() ?? {};
      this.#encoded = encoded;
      FieldSet.#decoded.set(encoded, this);
    }
    return this.#encoded;
  }

  /** Throws a SyntaxError for what no server could have written. An object is read once: objects never change. */
  static decode(fields: JsonObject): FieldSet {
    let set = FieldSet.#decoded.get(fields);
    if (set === undefined) {
      set = FieldSet.#decode(fields, false);
      FieldSet.#decoded.set(fields, set);
    }
    return set;
  }

  static readonly #decoded = new WeakMap<JsonObject, FieldSet>();

  static #decode(fields: JsonObject, isMember: boolean): FieldSet {
    const children = new Map<string, FieldSet>();
    for (const [text, below] of Object.entries(fields)) {
      if (text === '.') continue;
      const element = canonicalElement(text);
      // A sort of step that a newer server may know.
      if (element === undefined) continue;
      const inner = isObject(below) ? below : {};
      // An empty branch is a member; one with children is a member only if it says so.
      const set = FieldSet.#decode(inner, '.' in inner);
      children.set(element, set.children.size === 0 ? FieldSet.leaf : set);
    }
    return children.size === 0 && !isMember ? FieldSet.empty : new FieldSet(isMember, children);
  }
}
