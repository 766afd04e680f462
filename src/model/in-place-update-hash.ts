// The hash of what is changed on a running machine without replacing it: its tags and, for plain VMs, its
// identities. In: both. Out: the decimal text for the annotation `karpenter.azure.com/in-place-update-hash`.
// It is FNV-1a of 32 bits over JSON exactly as Go writes it: keys by byte order, empty parts left out, and the
// characters < > & and the two Unicode line separators escaped.

export interface InPlaceUpdate {
  /** Resource ids; absent for AKS machines, whose identities the service manages. */
  readonly identities?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
}

export function inPlaceUpdateHash({ identities = [], tags = {} }: InPlaceUpdate): string {
  const parts: string[] = [];
  if (identities.length > 0) {
    const unique = [...new Set(identities)].toSorted(byCodePoint);
    parts.push(`"identities":{${unique.map((id) => `${goText(id)}:{}`).join(',')}}`);
  }
  const keys = Object.keys(tags).toSorted(byCodePoint);
  if (keys.length > 0) {
    const pairs = keys.map((key) => `${goText(key)}:${goText(tags[key] ?? '')}`);
    parts.push(`"tags":{${pairs.join(',')}}`);
  }
  return fnv1a(new TextEncoder().encode(`{${parts.join(',')}}`)).toString();
}

function goText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The order of UTF-8 bytes is that of code points; that of JavaScript strings is not. */
function byCodePoint(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  const at = left.findIndex((character, i) => character !== right[i]);
  if (at < 0) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
}

function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
