// Why a node stays. In: nothing. Out: the form of the answer: a kind to switch on, a text as the original's events word it,
// and whom it is about.

export type ReasonKind =
  /** It is not there yet, on its way out, promised to somebody, or not ours. */
  | 'state'
  /** An annotation on the node or on one of its pods. */
  | 'doNotDisrupt'
  | 'podDisruptionBudget'
  /** Its pool does not want this kind of consolidation. */
  | 'policy'
  /** Pods have come or gone too recently. */
  | 'window'
  /** Nobody knows what it is or what it costs. */
  | 'unknown'
  /** The pool's budget for disruption is used up. */
  | 'budget'
  /** Its pods would find no other place. */
  | 'pods'
  /** More new nodes than allowed would be needed. */
  | 'replacements'
  /** What would replace it is not cheaper. */
  | 'price'
  | 'minValues'
  | 'spotToSpot'
  /** It would save too little for the disruption. */
  | 'balance'
  /** Another command is better; it may be its turn next time. */
  | 'later';

export interface Reason {
  readonly kind: ReasonKind;
  readonly message: string;
  /** Pods or disruption budgets, `namespace/name`. */
  readonly about?: readonly string[];
}
