// Versions of Kubernetes as clusters, nodes and images state them: `1.31.2`, `v1.32.0-alpha.1+ab12`, `1.31`.
// In: text. Out: its parts, and an order in which a pre-release comes before its release.

export interface KubernetesVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** `['alpha', '1']`; empty for a release. */
  readonly preRelease: readonly string[];
}

const shape = /^v?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** A missing patch reads as 0; build metadata is dropped. Undefined when the text is no version. */
export function parseVersion(text: string): KubernetesVersion | undefined {
  const match = shape.exec(text.trim());
  if (match === null) return undefined;
  const [, major, minor, patch = '0', preRelease] = match;
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    preRelease: preRelease === undefined ? [] : preRelease.split('.'),
  };
}

export function compareVersions(a: KubernetesVersion, b: KubernetesVersion): number {
  const difference = a.major - b.major || a.minor - b.minor || a.patch - b.patch;
  if (difference !== 0) return Math.sign(difference);
  // A release is newer than everything that led to it.
  if (a.preRelease.length === 0 || b.preRelease.length === 0) {
    return Math.sign(b.preRelease.length - a.preRelease.length);
  }
  return comparePreReleases(a.preRelease, b.preRelease);
}

/** Without a leading `v`, as Azure writes it. */
export function formatVersion({ major, minor, patch, preRelease }: KubernetesVersion): string {
  const release = `${major}.${minor}.${patch}`;
  return preRelease.length === 0 ? release : `${release}-${preRelease.join('.')}`;
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

/** Numbers by value and before words, words by text. */
function compareIdentifiers(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [isNumber(a), isNumber(b)];
  if (left && right) return Math.sign(Number(a) - Number(b));
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : 1;
}

function isNumber(text: string): boolean {
  return /^[0-9]+$/.test(text);
}
