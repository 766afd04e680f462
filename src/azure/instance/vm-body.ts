// The virtual machine of a node. In: the cluster, what was chosen, what it boots with. Out: the body to PUT.
// Disk and interface go with the machine: whatever deletes it leaves nothing behind.
import { type AKSNodeClassSpec, specOf } from '../../api/aks-node-class.ts';
import { capacityType } from '../../api/labels.ts';
import type {
  ImageReference,
  OsDisk,
  SecurityProfile,
  UserAssignedIdentity,
  VirtualMachine,
} from '../arm/virtual-machines.ts';
import type { ClusterSettings } from '../bootstrap/node-plan.ts';
import { resourceTags } from '../bootstrap/resource-tags.ts';
import { placementFor } from '../catalog/ephemeral-disk.ts';
import { armZonesOf } from '../catalog/zones.ts';
import { parseImageId } from '../image/image-id.ts';
import type { LaunchPlan } from './instance.ts';

export interface VmSettings {
  readonly sshPublicKey: string;
  /** Ids of user-assigned identities that every node gets. */
  readonly nodeIdentities: readonly string[];
  readonly diskEncryptionSetId?: string | undefined;
}

export function vmBody(
  cluster: ClusterSettings,
  settings: VmSettings,
  plan: LaunchPlan,
  parts: { readonly name: string; readonly nicId: string; readonly customData: string },
): VirtualMachine {
  const { name, nicId, customData } = parts;
  const spec = specOf(plan.nodeClass);
  const securityProfile = securityOf(spec);
  const identity = identityOf(settings.nodeIdentities);
  return {
    location: cluster.location,
    zones: armZonesOf(plan.zone),
    tags: resourceTags(cluster, plan),
    ...(identity !== undefined && { identity }),
    properties: {
      hardwareProfile: { vmSize: plan.size.name },
      storageProfile: {
        imageReference: imageOf(plan.imageId),
        osDisk: osDiskOf(name, spec, settings, plan),
      },
      osProfile: {
        computerName: name,
        adminUsername: cluster.adminUsername,
        customData,
        linuxConfiguration: {
          disablePasswordAuthentication: true,
          ssh: {
            publicKeys: [
              {
                path: `/home/${cluster.adminUsername}/.ssh/authorized_keys`,
                keyData: settings.sshPublicKey,
              },
            ],
          },
        },
      },
      networkProfile: {
        networkInterfaces: [{ id: nicId, properties: { primary: true, deleteOption: 'Delete' } }],
      },
      ...priorityOf(plan),
      ...(securityProfile !== undefined && { securityProfile }),
      ...(plan.ultraSsd && { additionalCapabilities: { ultraSSDEnabled: true } }),
    },
  };
}

export function identityOf(ids: readonly string[]): UserAssignedIdentity | undefined {
  if (ids.length === 0) return undefined;
  return {
    type: 'UserAssigned',
    userAssignedIdentities: Object.fromEntries(ids.map((id) => [id, {}])),
  };
}

function imageOf(imageId: string): ImageReference {
  return parseImageId(imageId)?.kind === 'community'
    ? { communityGalleryImageId: imageId }
    : { id: imageId };
}

function osDiskOf(
  name: string,
  { osDiskSizeGB }: AKSNodeClassSpec,
  { diskEncryptionSetId }: VmSettings,
  { size }: LaunchPlan,
): OsDisk {
  const placement = placementFor(size.ephemeralDisk, osDiskSizeGB);
  return {
    name,
    createOption: 'FromImage',
    deleteOption: 'Delete',
    diskSizeGB: osDiskSizeGB,
    ...(placement !== undefined && {
      caching: 'ReadOnly',
      diffDiskSettings: { option: 'Local', placement },
    }),
    ...(diskEncryptionSetId !== undefined && {
      managedDisk: { diskEncryptionSet: { id: diskEncryptionSetId } },
    }),
  };
}

function priorityOf({ capacityType: type }: LaunchPlan) {
  if (type !== capacityType.spot) return { priority: 'Regular' } as const;
  // Up to the price on demand: only a lack of capacity evicts.
  return {
    priority: 'Spot',
    evictionPolicy: 'Delete',
    billingProfile: { maxPrice: -1 },
  } as const;
}

function securityOf({ security }: AKSNodeClassSpec): SecurityProfile | undefined {
  const { encryptionAtHost, trustedLaunch } = security ?? {};
  const isTrusted = trustedLaunch?.vtpm === true || trustedLaunch?.secureBoot === true;
  if (encryptionAtHost === undefined && !isTrusted) return undefined;
  return {
    ...(encryptionAtHost !== undefined && { encryptionAtHost }),
    ...(isTrusted && {
      securityType: 'TrustedLaunch',
      uefiSettings: {
        secureBootEnabled: trustedLaunch.secureBoot === true,
        vTpmEnabled: trustedLaunch.vtpm === true,
      },
    }),
  };
}
