// What a filter says about a pod on a node: nothing when it fits, else why not.
// `final` tells that no pod leaving the node could change it, so preemption need not look there.

export interface Refusal {
  readonly reasons: readonly string[];
  readonly final: boolean;
}

export type Verdict = Refusal | undefined;

export function refuse(...reasons: readonly string[]): Refusal {
  return { reasons, final: false };
}

export function refuseForGood(...reasons: readonly string[]): Refusal {
  return { reasons, final: true };
}
