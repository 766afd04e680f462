// What the network of a cluster means for a node. In: the network's plugin, mode and dataplane. Out: the plugin that
// the image is told to set up, and how many pods fit.
//   azure + overlay            pods have addresses of their own: the CNI comes as a DaemonSet, the image sets up none
//   azure on the node's subnet every pod takes an address of the subnet: few pods
//   azure on it with cilium    the same, but the CNI comes as a DaemonSet
//   none                       the user brings a CNI
import type { AKSNodeClassSpec } from '../../api/aks-node-class.ts';
import { defaultMaxPods } from '../catalog/class-parameters.ts';
import type { ClusterNetwork } from './node-plan.ts';

type Mode = Pick<ClusterNetwork, 'plugin' | 'pluginMode' | 'dataplane'>;

export function isOverlay({ plugin, pluginMode }: Omit<Mode, 'dataplane'>): boolean {
  return plugin === 'azure' && pluginMode === 'overlay';
}

export function imageNetworkPlugin(network: Mode): 'azure' | 'none' {
  const comesAsDaemonSet = isOverlay(network) || network.dataplane === 'cilium';
  return network.plugin === 'none' || comesAsDaemonSet ? 'none' : 'azure';
}

export function maxPodsOf(
  spec: Pick<AKSNodeClassSpec, 'maxPods'>,
  network: Omit<Mode, 'dataplane'>,
): number {
  return spec.maxPods ?? defaultMaxPods(network);
}
