// What a plan did wrong. A violation names its rule, so that a test can say which one it expects, and tells in words
// who, where and why.

export type Rule =
  | 'accounting'
  | 'capacity'
  | 'claim requirements'
  | 'csi limit'
  | 'device'
  | 'host port'
  | 'instance type'
  | 'limit'
  | 'min values'
  | 'node'
  | 'node label'
  | 'node pool'
  | 'pod affinity'
  | 'pod anti-affinity'
  | 'price'
  | 'spread'
  | 'taint'
  | 'volume';

export interface Violation {
  readonly rule: Rule;
  readonly text: string;
}
