// A list of texts as messages of the server show it: `["a" "b"]`.
import { quote } from '../../../api/crd/validation/field-error.ts';

export function quoteAll(items: readonly string[]): string {
  return `[${items.map((item) => quote(item)).join(' ')}]`;
}
