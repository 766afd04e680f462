// The kinds that are read in binary form. In: a kind. Out: its table, or undefined for those that are read as JSON: custom
// resources, which servers never encode otherwise, and kinds that nobody keeps many of.
import {
  apiVersionOf,
  configMaps,
  csiNodes,
  daemonSets,
  deployments,
  leases,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  podTemplates,
  replicaSets,
  statefulSets,
  storageClasses,
  volumeAttachments,
  type ResourceType,
} from '../resource-type.ts';
import type { KubeObject } from '../meta.ts';
import { configMap, namespace, node } from './node.ts';
import { pod, podTemplate } from './pod.ts';
import {
  csiNode,
  persistentVolume,
  persistentVolumeClaim,
  storageClass,
  volumeAttachment,
} from './storage.ts';
import type { WireMessage, WireObject } from './wire-field.ts';
import { daemonSet, lease, podDisruptionBudget, scalableWorkload } from './workloads.ts';

function row<T extends KubeObject>(
  type: ResourceType<T>,
  table: WireObject<T>,
): readonly [string, WireMessage] {
  return [keyOf(type), table];
}

const tables: ReadonlyMap<string, WireMessage> = new Map([
  row(pods, pod),
  row(podTemplates, podTemplate),
  row(nodes, node),
  row(namespaces, namespace),
  row(configMaps, configMap),
  row(persistentVolumes, persistentVolume),
  row(persistentVolumeClaims, persistentVolumeClaim),
  row(storageClasses, storageClass),
  row(csiNodes, csiNode),
  row(volumeAttachments, volumeAttachment),
  row(daemonSets, daemonSet),
  row(deployments, scalableWorkload),
  row(statefulSets, scalableWorkload),
  row(replicaSets, scalableWorkload),
  row(podDisruptionBudgets, podDisruptionBudget),
  row(leases, lease),
]);

export function wireTableOf(type: ResourceType): WireMessage | undefined {
  return tables.get(keyOf(type));
}

function keyOf(type: ResourceType): string {
  return `${apiVersionOf(type)} ${type.kind}`;
}
