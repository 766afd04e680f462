// What was chosen for a claim, without a choice being made: exactly the size, zone and capacity type that a test names.
import type { AKSNodeClass } from '../../../src/api/aks-node-class.ts';
import type { InstanceTypeCatalog } from '../../../src/azure/catalog/instance-type-catalog.ts';
import type { LaunchPlan } from '../../../src/azure/instance/instance.ts';
import { pickImage } from '../../../src/azure/image/pick-image.ts';
import type { InstanceType } from '../../../src/model/instance-type.ts';
import { noRequirements } from '../../../src/model/requirements.ts';
import { testClaim } from './adapter.ts';

export function launchPlan(
  catalog: InstanceTypeCatalog,
  nodeClass: AKSNodeClass,
  wish: { readonly name: string } & Partial<Pick<LaunchPlan, 'zone' | 'capacityType'>> & {
      readonly size?: string;
    },
): LaunchPlan {
  const { name, size: sizeName = 'Standard_D2s_v3' } = wish;
  const { zone = 'southcentralus-1', capacityType = 'on-demand' } = wish;
  const instanceType = catalog.list(nodeClass).find((type) => type.name === sizeName);
  const size = catalog.size(sizeName);
  if (instanceType === undefined || size === undefined) throw new Error(`no size ${sizeName}`);
  return {
    nodeClaim: testClaim(name),
    nodeClass,
    kubernetesVersion: nodeClass.status?.kubernetesVersion ?? '',
    imageId: imageFor(nodeClass, instanceType),
    instanceType,
    size,
    requirements: noRequirements,
    capacityType,
    zone,
    ultraSsd: false,
    ephemeralOsDisk: false,
  };
}

function imageFor(nodeClass: AKSNodeClass, type: InstanceType): string {
  const image = pickImage(nodeClass.status?.images ?? [], type);
  if (!image.ok) throw new Error(image.reason);
  return image.imageId;
}
