// Paths below a place that others choose. In: the path. Out: field errors, in the server's words.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid } from '../field-error.ts';

export function backstepErrors(path: string, field: string): readonly FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

/** Relative, and never upwards. */
export function descendingPathErrors(path: string, field: string): readonly FieldError[] {
  const absolute = path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : [];
  return [...absolute, ...backstepErrors(path, field)];
}

/** The same for names of files, of which those with two dots in front belong to the kubelet. */
export function filePathErrors(path: string, field: string): readonly FieldError[] {
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  return [
    ...descendingPathErrors(path, field),
    ...(isReserved ? [invalid(field, path, "must not start with '..'")] : []),
  ];
}
