// All that Microsoft.Compute has here.
import type { ResourceType } from '../arm/arm-call.ts';
import { operationTypes } from '../operations/operation-types.ts';
import type { Compute } from './compute.ts';
import { diskEncryptionSets } from './disk-encryption-sets.ts';
import { disks } from './disks.ts';
import { vmExtensions } from './extensions.ts';
import { galleryTypes } from './images.ts';
import { resourceSkus } from './skus.ts';
import { computeUsages } from './usages.ts';
import { virtualMachines } from './virtual-machines.ts';

export function computeTypes(compute: Compute): ResourceType[] {
  const { env } = compute;
  return [
    ...virtualMachines(compute),
    vmExtensions(compute),
    disks(env),
    diskEncryptionSets(env),
    resourceSkus(env, compute.catalog),
    computeUsages(env, compute),
    ...galleryTypes(env, compute.images),
    ...operationTypes(env.operations, 'Microsoft.Compute'),
  ];
}
