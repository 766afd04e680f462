// How a type of ours stands in Kubernetes' binary encoding: for each field that we read, its number and form. Numbers
// that no table names are passed over, so what nobody reads costs the length of its prefix.
// `WireMessage<T>` wants a row for every field of T: a field added to a type cannot be forgotten here.

export type WireForm =
  | 'text'
  | 'integer'
  | 'boolean'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  | 'message';

export interface WireField {
  readonly number: number;
  readonly form: WireForm;
  readonly shape: 'one' | 'list' | 'map';
  /**
   * A zero on the wire is a zero in JSON. Without, it is left out: Go writes every field that is no pointer, and its JSON
   * drops the empty ones.
   */
  readonly kept: boolean;
  /** Hardly any two objects have the same text here, so there is no use in remembering it. */
  readonly distinct: boolean;
  /** Many objects have the very same here, so it is worth remembering as a whole. */
  readonly alike: boolean;
  readonly message?: WireMessage;
  /** The number of a message whose members stand in JSON among those of its parent. */
  readonly inside?: number;
}

export type WireMessage<T = Readonly<Record<string, unknown>>> = {
  readonly [Name in keyof T]-?: WireField;
};

/** Of a whole object; the two that say what it is stand around it, not in it. */
export type WireObject<T> = WireMessage<Omit<T, 'apiVersion' | 'kind'>>;

const plain = { shape: 'one', kept: false, distinct: false, alike: false } as const;

export function field(number: number, form: WireForm): WireField {
  return { ...plain, number, form };
}

export function text(number: number): WireField {
  return field(number, 'text');
}

export function distinctText(number: number): WireField {
  return { ...text(number), distinct: true };
}

export function integer(number: number): WireField {
  return field(number, 'integer');
}

export function kept(row: WireField): WireField {
  return { ...row, kept: true };
}

/** For maps, lists and messages. */
export function alike(row: WireField): WireField {
  return { ...row, alike: true };
}

export function message<T>(number: number, table: WireMessage<T>): WireField {
  return { ...field(number, 'message'), message: table };
}

export function list(row: WireField): WireField {
  return { ...row, shape: 'list' };
}

export function texts(number: number): WireField {
  return list(text(number));
}

export function map(number: number, form: 'text' | 'quantity' = 'text'): WireField {
  return { ...field(number, form), shape: 'map' };
}

export function inside(number: number, row: WireField): WireField {
  return { ...row, inside: number };
}
