// Running pods, found by their labels. In: the pods of each node. Out: those that a rule may speak about, without
// looking at all of them: the index is made when it is first asked and costs one entry per label.
import type { Pod } from '../../api/core.ts';
import { labelText, type Matcher, requiredLabel } from './matcher.ts';

export interface RunningPod {
  readonly pod: Pod;
  readonly node: number;
}

export class PodIndex {
  readonly #byNode: readonly (readonly Pod[])[];
  #byLabel: Map<string, RunningPod[]> | undefined;

  constructor(byNode: readonly (readonly Pod[])[]) {
    this.#byNode = byNode;
  }

  onNode(node: number): readonly Pod[] {
    return this.#byNode[node] ?? [];
  }

  /** A superset of the pods that the matchers select. */
  matching(matchers: readonly Matcher[]): readonly RunningPod[] {
    if (matchers.some(({ selector }) => selector === undefined)) return [];
    const label = requiredLabel(matchers);
    if (label === undefined) {
      return this.#byNode.flatMap((pods, node) => pods.map((pod) => ({ pod, node })));
    }
    this.#byLabel ??= this.#index();
    return this.#byLabel.get(label) ?? [];
  }

  #index(): Map<string, RunningPod[]> {
    const index = new Map<string, RunningPod[]>();
    for (const [node, pods] of this.#byNode.entries()) {
      for (const pod of pods) addByLabels(index, { pod, node });
    }
    return index;
  }
}

function addByLabels(index: Map<string, RunningPod[]>, running: RunningPod): void {
  for (const [key, value] of Object.entries(running.pod.metadata.labels ?? {})) {
    const text = labelText(key, value);
    const list = index.get(text);
    if (list === undefined) index.set(text, [running]);
    else list.push(running);
  }
}
