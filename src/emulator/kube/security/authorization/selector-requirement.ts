// Whether a field selector pins a field to one value. In: the selector as sent. Out: yes or no; a selector that
// cannot be read pins nothing, and is refused where it is used.

export function requiresEqual(selector: string, field: string, value: string): boolean {
  return selector
    .split(/(?<!\\),/)
    .some((term) => term === `${field}=${value}` || term === `${field}==${value}`);
}
