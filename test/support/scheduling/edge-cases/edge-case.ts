// One small problem that shows one rule. `broken` names the rule of Kubernetes or of the pool that the original breaks
// there, with the reason; everything else it decides there is sound.
import type { ProblemJson } from '../problem-json.ts';
import type { Rule } from '../violation.ts';

export interface EdgeCase {
  /** What it is about, as a sentence. */
  readonly name: string;
  readonly problem: ProblemJson;
  readonly policy?: {
    readonly preferencePolicy?: 'Respect' | 'Ignore';
    readonly minValuesPolicy?: 'Strict' | 'BestEffort';
  };
  readonly broken?: { readonly rule: Rule; readonly because: string };
}
