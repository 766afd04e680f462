// The usual complaints about a field, in the words that a real server has for them. In: field path, value, rule. Out: the
// error. Validation collects these; only status-error.ts turns them into an answer.
import type { Json } from '../../api/meta.ts';
import { type FieldError, quote } from '../../api/crd/validation/field-error.ts';

export function required(field: string, detail = ''): FieldError {
  return { field, type: 'Required', detail };
}

export function invalid(field: string, value: Json, detail: string): FieldError {
  return { field, type: 'Invalid', value, detail };
}

export function forbidden(field: string, detail: string): FieldError {
  return { field, type: 'Forbidden', detail };
}

export function duplicate(field: string, value: Json): FieldError {
  return { field, type: 'Duplicate', value, detail: '' };
}

export function notFoundValue(field: string, value: Json): FieldError {
  return { field, type: 'NotFound', value, detail: '' };
}

export function notSupported(field: string, value: Json, supported: readonly string[]): FieldError {
  const values = supported.map((item) => quote(item)).join(', ');
  return { field, type: 'NotSupported', value, detail: `supported values: ${values}` };
}

export function tooLong(field: string, maxBytes: number): FieldError {
  const unit = maxBytes === 1 ? 'byte' : 'bytes';
  return { field, type: 'TooLong', detail: `may not be more than ${maxBytes} ${unit}` };
}

export function tooMany(field: string, count: number, most: number): FieldError {
  const items = most === 1 ? 'item' : 'items';
  return { field, type: 'TooMany', value: count, detail: `must have at most ${most} ${items}` };
}
