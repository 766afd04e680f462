// One complaint about one field, in the words that a real server has for it. In: field path, value, rule.
// Out: the cause of a 422 answer. Validation collects these; only status-error.ts turns them into an answer.
import type { Json, StatusCause } from '../../api/meta.ts';
import { formatValue, quote } from '../../api/crd/validation/field-error.ts';

export type FieldErrorType =
  | 'Required'
  | 'Invalid'
  | 'TypeInvalid'
  | 'NotSupported'
  | 'NotFound'
  | 'Duplicate'
  | 'TooLong'
  | 'TooMany'
  | 'Forbidden'
  | 'InternalError';

export interface FieldError {
  readonly field: string;
  readonly type: FieldErrorType;
  readonly detail: string;
  /** The offending value; absent where the server does not repeat it. */
  readonly value?: Json;
}

const labels: Readonly<Record<FieldErrorType, string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  TypeInvalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  NotFound: 'Not found',
  Duplicate: 'Duplicate value',
  TooLong: 'Too long',
  TooMany: 'Too many',
  Forbidden: 'Forbidden',
  InternalError: 'Internal error',
};

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

/** The complaint without the name of its field. */
function errorBody(error: FieldError): string {
  const label = labels[error.type];
  const shown = error.value === undefined ? label : `${label}: ${formatValue(error.value)}`;
  return error.detail === '' ? shown : `${shown}: ${error.detail}`;
}

/** All complaints as one text: bare when it is one, in brackets when there are several; repeats once. */
export function aggregate(errors: readonly FieldError[]): string {
  const lines = [...new Set(errors.map((error) => `${error.field}: ${errorBody(error)}`))];
  return lines.length === 1 ? lines.join('') : `[${lines.join(', ')}]`;
}

export function causesOf(errors: readonly FieldError[]): readonly StatusCause[] {
  return errors.map((error) => ({
    reason: error.type === 'InternalError' ? error.type : `FieldValue${error.type}`,
    message: errorBody(error),
    field: error.field,
  }));
}
