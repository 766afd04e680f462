// Ports of the host that DaemonSets want on new nodes. In: a template, and ports that pods want. Out: the types on which a
// DaemonSet wants one of them, so that the pod cannot be there.
import type { BitSet } from '../../base/bitset.ts';
import { type HostPort, portConflict } from '../../model/host-port.ts';
import type { Template } from '../compile/template.ts';

/** Undefined when there are none. */
export function typesWithoutPorts(
  { overhead }: Template,
  ports: readonly HostPort[],
): BitSet | undefined {
  if (ports.length === 0) return undefined;
  let blocked: BitSet | undefined;
  for (const { ports: taken, variants } of overhead) {
    if (portConflict(new Map([['', taken]]), 'this pod', ports) === undefined) continue;
    blocked = blocked === undefined ? variants.clone() : blocked.or(variants);
  }
  return blocked;
}
