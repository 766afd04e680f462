// Network interfaces on the wire. In: the resource group and a name. Out: where the interface is, and its body as we write
// it; only the fields that we set are here.
import { type GroupRef, resourceIn, type ResourceRef } from './resource.ts';

const apiVersion = '2022-01-01';

export interface NetworkInterface {
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly properties: {
    readonly enableAcceleratedNetworking: boolean;
    readonly enableIPForwarding: false;
    readonly networkSecurityGroup?: { readonly id: string };
    readonly ipConfigurations: readonly IpConfiguration[];
  };
}

export interface IpConfiguration {
  readonly name: string;
  readonly properties: {
    readonly primary: boolean;
    readonly privateIPAllocationMethod: 'Dynamic';
    readonly subnet: { readonly id: string };
    readonly loadBalancerBackendAddressPools?: readonly { readonly id: string }[];
  };
}

export const networkInterfaceType = 'Microsoft.Network/networkInterfaces';

export function networkInterfaceRef(group: GroupRef, name: string): ResourceRef {
  return { id: resourceIn(group, networkInterfaceType, name), apiVersion };
}
