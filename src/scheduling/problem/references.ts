// Names in a problem: each used once, and each that is referred to is there. In: a document of the right shape. Out:
// faults. Two pods of one name, or a pod on a node that does not exist, would be solved to something, but not to what
// the writer meant.
import { isRecord } from '../../api/crd/validation/json-value.ts';
import type { Json } from '../../api/meta.ts';
import { instanceTypeName, nodeName } from './existing-nodes.ts';
import { blame, inside, type Place } from './place.ts';
import type { WrittenNode, WrittenProblem } from './written-problem.ts';

type Path = readonly (string | number)[];

export function checkReferences(written: WrittenProblem, place: Place): void {
  const at = (...path: Path): Place => path.reduce<Place>(inside, place);
  // One list of names for all pods, whether they wait or run.
  const pods = [...podNames(written, 'pods'), ...podNames(written, 'boundPods')];
  checkUnique(pods, at);
  checkUnique(
    written.nodePools.map((pool, i) => [poolName(pool), ['nodePools', i, 'metadata', 'name']]),
    at,
  );
  const types = written.instanceTypes.map(({ name }) => name);
  checkUnique(
    types.map((name, i) => [name, ['instanceTypes', i, 'name']]),
    at,
  );
  const nodes = written.nodes.map(nodeName);
  checkUnique(
    nodes.map((name, i) => [name, ['nodes', i]]),
    at,
  );
  for (const [i, node] of written.nodes.entries()) {
    checkCapacity(node, new Set(types), at('nodes', i));
  }
  checkBinding(written, new Set(nodes), at);
}

function podNames(written: WrittenProblem, list: 'pods' | 'boundPods'): [string, Path][] {
  return written[list].map(({ metadata: { namespace = 'default', name } }, i) => [
    `${namespace}/${name}`,
    [list, i, 'metadata', 'name'],
  ]);
}

function checkUnique(names: [string, Path][], at: (...path: Path) => Place): void {
  const first = new Map<string, Path>();
  for (const [name, path] of names) {
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, path);
    else {
      const rule = `is the name of ${at(...earlier).path} too; give each a name of its own`;
      blame(at(...path), name, rule);
    }
  }
}

function checkCapacity(node: WrittenNode, types: ReadonlySet<string>, place: Place): void {
  if (node.node?.status?.allocatable !== undefined) return;
  const type = instanceTypeName(node);
  if (type !== undefined && types.has(type)) return;
  const rule =
    'must be the name of one of `instanceTypes`; or state what the node has in node.status.allocatable';
  blame(inside(place, 'instanceType'), type, rule);
}

function checkBinding(
  { boundPods }: WrittenProblem,
  nodes: ReadonlySet<string>,
  at: (...path: Path) => Place,
): void {
  for (const [i, { spec }] of boundPods.entries()) {
    if (nodes.has(spec.nodeName ?? '')) continue;
    const rule =
      'must be the name of one of `nodes`; add the node, or move the pod to `pods` if it waits';
    blame(at('boundPods', i, 'spec', 'nodeName'), spec.nodeName, rule);
  }
}

/** Empty when it has none, which is another fault. */
function poolName({ metadata }: { readonly [key: string]: Json }): string {
  const name = isRecord(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}
