// Maps from resource name to quantity.
import type { ValidationRule } from './open-api.ts';
import { map, quantity } from './schema.ts';

export function resources(options: {
  readonly description: string;
  readonly rules?: readonly ValidationRule[];
}) {
  return map(quantity(), options);
}
