// Virtual machines and their extensions on the wire. In: the resource group and a name. Out: where they are. The types have
// the fields that we write or read, and no others; what Azure answers may lack any of them.
import { type GroupRef, resourceIn, type ResourceRef } from './resource.ts';

const apiVersion = '2025-04-01';

export interface VirtualMachine {
  readonly id?: string;
  readonly name?: string;
  readonly location?: string;
  readonly zones?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly identity?: UserAssignedIdentity;
  readonly properties?: {
    readonly provisioningState?: string;
    readonly timeCreated?: string;
    readonly hardwareProfile?: { readonly vmSize?: string };
    readonly storageProfile?: {
      readonly imageReference?: ImageReference;
      readonly osDisk?: OsDisk;
    };
    readonly osProfile?: OsProfile;
    readonly networkProfile?: {
      readonly networkInterfaces: readonly {
        readonly id: string;
        readonly properties: { readonly primary: boolean; readonly deleteOption: 'Delete' };
      }[];
    };
    readonly priority?: 'Regular' | 'Spot';
    readonly evictionPolicy?: 'Delete';
    readonly billingProfile?: { readonly maxPrice: number };
    readonly securityProfile?: SecurityProfile;
    readonly additionalCapabilities?: { readonly ultraSSDEnabled?: boolean };
  };
}

export interface UserAssignedIdentity {
  readonly type: string;
  readonly userAssignedIdentities?: Readonly<Record<string, object>>;
}

export interface ImageReference {
  readonly id?: string;
  readonly communityGalleryImageId?: string;
  readonly sharedGalleryImageId?: string;
  readonly publisher?: string;
  readonly offer?: string;
  readonly sku?: string;
  readonly version?: string;
}

export interface OsDisk {
  readonly name: string;
  readonly createOption: 'FromImage';
  readonly deleteOption: 'Delete';
  readonly diskSizeGB: number;
  readonly caching?: 'ReadOnly';
  readonly diffDiskSettings?: { readonly option: 'Local'; readonly placement: string };
  readonly managedDisk?: { readonly diskEncryptionSet: { readonly id: string } };
}

export interface OsProfile {
  readonly computerName: string;
  readonly adminUsername: string;
  readonly customData: string;
  readonly linuxConfiguration: {
    readonly disablePasswordAuthentication: true;
    readonly ssh: {
      readonly publicKeys: readonly { readonly path: string; readonly keyData: string }[];
    };
  };
}

export interface SecurityProfile {
  readonly encryptionAtHost?: boolean;
  readonly securityType?: 'TrustedLaunch';
  readonly uefiSettings?: { readonly secureBootEnabled?: boolean; readonly vTpmEnabled?: boolean };
}

export interface VmExtension {
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly properties: {
    readonly publisher: string;
    readonly type: string;
    readonly typeHandlerVersion: string;
    readonly autoUpgradeMinorVersion: true;
    readonly settings: object;
    readonly protectedSettings?: { readonly commandToExecute: string };
  };
}

export const virtualMachineType = 'Microsoft.Compute/virtualMachines';

export function virtualMachineRef(group: GroupRef, name: string): ResourceRef {
  return { id: resourceIn(group, virtualMachineType, name), apiVersion };
}

export function extensionRef(vm: ResourceRef, name: string): ResourceRef {
  return { id: `${vm.id}/extensions/${name}`, apiVersion };
}
