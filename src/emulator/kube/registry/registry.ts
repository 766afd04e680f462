// The kinds that the server serves at this moment. In: built-in rows, and rows of custom resources as they come
// and go. Out: a kind by its place in the path or by its name in a body, and all of them in discovery's order.
import type { ResourceKind } from './resource-kind.ts';

export interface ServedVersion {
  readonly version: string;
  readonly kinds: readonly ResourceKind[];
}

export interface ServedGroup {
  readonly group: string;
  /** Preferred version first. */
  readonly versions: readonly ServedVersion[];
}

export class Registry {
  readonly #byPath = new Map<string, ResourceKind>();
  readonly #byKind = new Map<string, ResourceKind>();
  readonly #builtInGroups: readonly string[];
  #groups: readonly ServedGroup[] | undefined;
  /** Grows with every change: what is derived from the table is stale when it differs. */
  generation = 0;

  /** `builtIn` in the order in which discovery shows groups and versions. */
  constructor(builtIn: readonly ResourceKind[]) {
    this.#builtInGroups = [...new Set(builtIn.map((kind) => kind.group))];
    for (const kind of builtIn) this.add(kind);
  }

  add(kind: ResourceKind): void {
    this.#byPath.set(`${kind.group}/${kind.version}/${kind.plural}`, kind);
    this.#byKind.set(`${kind.group}/${kind.version}/${kind.kind}`, kind);
    this.#changed();
  }

  remove(kind: ResourceKind): void {
    const path = `${kind.group}/${kind.version}/${kind.plural}`;
    if (this.#byPath.get(path) === kind) this.#byPath.delete(path);
    const name = `${kind.group}/${kind.version}/${kind.kind}`;
    if (this.#byKind.get(name) === kind) this.#byKind.delete(name);
    this.#changed();
  }

  find(group: string, version: string, plural: string): ResourceKind | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  findKind(group: string, version: string, kind: string): ResourceKind | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
  }

  /** Any served version of a resource. */
  findResource(group: string, plural: string): ResourceKind | undefined {
    for (const kind of this.#byPath.values()) {
      if (kind.group === group && kind.plural === plural) return kind;
    }
    return undefined;
  }

  get kinds(): Iterable<ResourceKind> {
    return this.#byPath.values();
  }

  /** Built-in groups in their fixed order, then those of custom resources by name. */
  get groups(): readonly ServedGroup[] {
    this.#groups ??= this.#collect();
    return this.#groups;
  }

  #changed(): void {
    this.generation++;
    this.#groups = undefined;
  }

  #collect(): readonly ServedGroup[] {
    const byGroup = Map.groupBy(this.#byPath.values(), (kind) => kind.group);
    const custom = [...byGroup.keys()].filter((group) => !this.#builtInGroups.includes(group));
    const isBuiltIn = (group: string): boolean => this.#builtInGroups.includes(group);
    return [...this.#builtInGroups, ...custom.toSorted()].flatMap((group) => {
      const kinds = byGroup.get(group);
      if (kinds === undefined) return [];
      const byVersion = [...Map.groupBy(kinds, (kind) => kind.version)];
      const ordered = isBuiltIn(group)
        ? byVersion
        : byVersion.toSorted(([a], [b]) => compareVersions(a, b));
      const versions = ordered.map(([version, members]) => ({
        version,
        kinds: members.toSorted((a, b) => (a.plural < b.plural ? -1 : 1)),
      }));
      return [{ group, versions }];
    });
  }
}

const versionShape = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** Kubernetes' order of versions, best first: v2, v1, v1beta2, v1alpha1, then anything else by name. */
export function compareVersions(a: string, b: string): number {
  const first = versionShape.exec(a);
  const second = versionShape.exec(b);
  if (first === null || second === null) {
    if (first !== null) return -1;
    if (second !== null) return 1;
    return a < b ? -1 : 1;
  }
  const rank = (stage: string | undefined): number => ['alpha', 'beta', undefined].indexOf(stage);
  return (
    rank(second[2]) - rank(first[2]) ||
    Number(second[1]) - Number(first[1]) ||
    Number(second[3] ?? 0) - Number(first[3] ?? 0)
  );
}
