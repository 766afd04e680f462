// The "no" of a pure function as a value: what the API server would answer as a Status.
import type { StatusCause } from '../../../api/meta.ts';

export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly causes?: readonly StatusCause[];
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };
