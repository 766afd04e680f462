// Which of two versions of one kind is newer. Versions are decimal numbers of any length, as strings: the
// API server promises that they can be compared, and they outgrow what a number holds exactly.
// Where one of them is no such number neither function says yes, so callers choose the safe side.

/** `a` is certainly newer than `b`. */
export function isNewer(a: string | undefined, b: string | undefined): boolean {
  return isVersion(a) && isVersion(b) && (a.length === b.length ? a > b : a.length > b.length);
}

/** `a` is certainly as old as `b`, or older. */
export function isStale(a: string | undefined, b: string | undefined): boolean {
  return isVersion(a) && isVersion(b) && (a.length === b.length ? a <= b : a.length < b.length);
}

/** A loop, not an expression: this is asked four times for every event. */
function isVersion(text: string | undefined): text is string {
  if (text === undefined || text === '') return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return false;
  }
  return text.charCodeAt(0) !== 0x30 || text.length === 1;
}
