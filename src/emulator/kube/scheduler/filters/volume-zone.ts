// Keeps pods in the zone and region that the labels of their bound volumes name, on nodes that have such labels.
import type { NodeState } from '../node-state.ts';
import type { Volume } from '../objects.ts';
import { refuseForGood, type Verdict } from '../verdict.ts';

/** Old spelling → the one that nodes carry today. */
const topologyLabels: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region': 'topology.kubernetes.io/region',
};

export function filterVolumeZone(volumes: readonly Volume[], node: NodeState): Verdict {
  const keys = Object.keys(topologyLabels);
  if (!keys.some((key) => node.labels[key] !== undefined)) return undefined;
  for (const volume of volumes) {
    for (const key of keys) {
      const zones = volume.metadata.labels?.[key];
      if (zones === undefined) continue;
      const here = node.labels[key] ?? node.labels[topologyLabels[key] ?? key];
      if (here === undefined || !zones.split('__').includes(here)) {
        return refuseForGood('node(s) had no available volume zone');
      }
    }
  }
  return undefined;
}
