// A machine as the loops see it. In: an instance, and its type if it is still known. Out: a NodeClaim with what the machine is:
// labels, capacity, image, age. Nothing is said of what the claim asked for.
import { annotation, azureLabel, capacityType, label } from '../../api/labels.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import { toTimestamp } from '../../base/clock.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { type Resources, toResourceList } from '../../model/resources.ts';
import { singleValued } from '../bootstrap/node-labels.ts';
import { tagName } from '../bootstrap/resource-tags.ts';
import { vmPriority } from '../catalog/label-rules.ts';
import { placementScopeOf } from '../catalog/zones.ts';
import type { Instance } from './instance.ts';

export function claimOfInstance(
  instance: Instance,
  context: { readonly instanceType: InstanceType | undefined; readonly nowMs: number },
): NodeClaim {
  const { instanceType, nowMs } = context;
  const { createdMs = nowMs, machineId } = instance;
  return {
    metadata: {
      name: nodeClaimNameOf(instance),
      // A machine that does not tell its age must not look old to the sweep.
      creationTimestamp: toTimestamp(createdMs),
      ...(instance.state === 'deleting' && { deletionTimestamp: toTimestamp(nowMs) }),
      labels: labelsOf(instance, instanceType),
      annotations: machineId === undefined ? {} : { [annotation.aksMachineResourceId]: machineId },
    },
    spec: emptySpec,
    status: {
      providerID: instance.providerId,
      imageID: instance.imageId,
      ...(instanceType !== undefined && {
        capacity: amounts(instanceType.capacity),
        allocatable: amounts(instanceType.allocatable),
      }),
    },
  };
}

/** Machines of AKS may have a shortened name, so their claim is in a tag. */
export function nodeClaimNameOf({ name, tags }: Instance): string {
  return tags[tagName.machineNodeClaim] ?? name.replace(/^aks-/, '');
}

/** Who gets a claim from a cloud reads its status and labels; the wish is in the claim that was sent. */
const emptySpec = {
  nodeClassRef: { group: '', kind: '', name: '' },
  requirements: [],
  expireAfter: 'Never',
} as const satisfies NodeClaim['spec'];

function labelsOf(instance: Instance, instanceType: InstanceType | undefined) {
  const { zone, capacityType: type, tags } = instance;
  const priority = type === capacityType.spot ? vmPriority.spot : vmPriority.regular;
  const nodePool = tags[tagName.nodePool];
  return {
    ...(instanceType !== undefined && singleValued(instanceType.requirements)),
    ...(zone !== undefined && {
      [label.zone]: zone,
      [azureLabel.placementScope]: placementScopeOf(zone),
    }),
    [label.capacityType]: type,
    [azureLabel.scaleSetPriority]: priority,
    [azureLabel.priority]: priority,
    [azureLabel.skuUltraSsd]: String(instance.ultraSsd),
    ...(nodePool !== undefined && { [label.nodePool]: nodePool }),
  };
}

function amounts(resources: Resources) {
  return toResourceList(new Map([...resources].filter(([, nano]) => nano !== 0n)));
}
