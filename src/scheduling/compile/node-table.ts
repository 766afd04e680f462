// The nodes there are, as rows. In: nodes, and the labels that anything may ask about. Out: their room in columns, and
// whether a node meets a demand, worked out once per kind of node: nodes that agree on every label and taint that
// matters are one kind, and a cluster of thousands has a handful.
// Labels of a node are the whole truth: a demand is met by them or it is not, and never narrows them.
import type { Pod } from '../../api/core.ts';
import { isCompatible } from '../../model/compatibility.ts';
import { type LabelRules, normalKey } from '../../model/label-rules.ts';
import { requestsOfPods } from '../../model/pod-requests.ts';
import { requirementsFromLabels, type Requirements } from '../../model/requirements.ts';
import { atLeastZero, subtractResources } from '../../model/resources.ts';
import { capacityColumns, type ResourceColumns } from '../resource-columns.ts';
import type { RequirementStates, StateId } from '../requirement-states.ts';
import type { SchedulableNode } from '../schedulable-node.ts';
import type { TaintTable } from './taints.ts';

/** A DaemonSet's pod, with every alternative of what it demands of a node. */
export interface DaemonDemand {
  readonly pod: Pod;
  readonly alternatives: readonly StateId[];
  readonly tolerations: number;
}

/** Nodes that are looked at together before each is looked at. */
export const nodesPerBlock = 16;

export class NodeTable {
  readonly nodes: readonly SchedulableNode[];
  readonly taintsOf: Int32Array;
  /** `node * columns + column`: what pods can still use, beside what DaemonSets have yet to put there. */
  readonly room: Float64Array;
  /** `block * columns + column`: the most that any node of a block has. */
  readonly mostRoom: Float64Array;
  readonly #kindOf: Int32Array;
  readonly #kinds: Requirements[] = [];
  readonly #keys: ReadonlySet<string>;
  readonly #rules: LabelRules;
  readonly #states: RequirementStates;
  readonly #meets = new Map<number, boolean>();

  constructor(options: {
    readonly nodes: readonly SchedulableNode[];
    readonly rules: LabelRules;
    readonly states: RequirementStates;
    readonly taints: TaintTable;
    readonly columns: ResourceColumns;
    readonly daemons: readonly DaemonDemand[];
    readonly keys: ReadonlySet<string>;
  }) {
    const { nodes, taints, columns, daemons } = options;
    this.nodes = nodes;
    this.#rules = options.rules;
    this.#states = options.states;
    this.#keys = options.keys;
    this.taintsOf = Int32Array.from(nodes, (node) => taints.taintsId(node.taints));
    this.#kindOf = this.#classify();
    this.room = new Float64Array(nodes.length * columns.names.length);
    for (const [index, node] of nodes.entries()) {
      const expected = daemons.filter((daemon) => this.#runsOn(daemon, index, taints));
      const room = roomOn(node, expected);
      this.room.set(capacityColumns(columns, room), index * columns.names.length);
    }
    this.mostRoom = mostRoom(this.room, nodes.length, columns.names.length);
  }

  meets(node: number, demand: StateId): boolean {
    if (demand === 0) return true;
    const kind = this.#kindOf[node] as number;
    const pair = demand * 2 ** 24 + kind;
    const known = this.#meets.get(pair);
    if (known !== undefined) return known;
    const requirements = this.#states.requirementsOf(demand);
    const isCovered = [...requirements.keys()].every((key) => this.#keys.has(key));
    const labels = isCovered ? (this.#kinds[kind] as Requirements) : this.#labelsOf(node);
    const verdict = isCompatible(labels, requirements);
    if (isCovered) this.#meets.set(pair, verdict);
    return verdict;
  }

  labelsOf(node: number): Requirements {
    return this.#labelsOf(node);
  }

  #labelsOf(node: number): Requirements {
    return requirementsFromLabels(this.#rules, this.nodes[node]?.labels);
  }

  #classify(): Int32Array {
    const ids = new Map<string, number>();
    return Int32Array.from(this.nodes, ({ labels }) => {
      const relevant = Object.entries(labels).filter(([key]) =>
        this.#keys.has(normalKey(this.#rules, key)),
      );
      const text = JSON.stringify(relevant.toSorted(([a], [b]) => (a < b ? -1 : 1)));
      let id = ids.get(text);
      if (id === undefined) {
        const known = Object.fromEntries(relevant);
        id = this.#kinds.push(requirementsFromLabels(this.#rules, known)) - 1;
        ids.set(text, id);
      }
      return id;
    });
  }

  #runsOn(daemon: DaemonDemand, node: number, taints: TaintTable): boolean {
    return (
      taints.tolerates(daemon.tolerations, this.taintsOf[node] as number) &&
      daemon.alternatives.some((demand) => this.meets(node, demand))
    );
  }
}

function mostRoom(room: Float64Array, nodes: number, columns: number): Float64Array {
  const most = new Float64Array(Math.ceil(nodes / nodesPerBlock) * columns).fill(-Infinity);
  for (let node = 0; node < nodes; node++) {
    const block = Math.floor(node / nodesPerBlock) * columns;
    for (let column = 0; column < columns; column++) {
      const here = room[node * columns + column] as number;
      if (here > (most[block + column] as number)) most[block + column] = here;
    }
  }
  return most;
}

/** Room for pods: what is free, less what expected DaemonSets have not taken yet. */
function roomOn(node: SchedulableNode, expected: readonly DaemonDemand[]) {
  if (expected.length === 0) return node.available;
  const wanted = requestsOfPods(expected.map(({ pod }) => pod));
  const missing = atLeastZero(subtractResources(wanted, node.daemonRequests));
  return subtractResources(node.available, missing);
}
