// What a virtual machine's body asks for, read once. In: JSON as it came. Out: typed parts; what is missing stays
// missing, the checks decide what that means.
import {
  at,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  type JsonObject,
} from '../../../kube/json.ts';
import type { Priority } from '../quotas.ts';

export interface NicRequest {
  readonly id: string;
  readonly isPrimary: boolean;
  readonly deletesWithVm: boolean;
}

export interface VmRequest {
  readonly size: string;
  readonly zones: readonly string[];
  readonly priority: Priority;
  readonly evictionPolicy: string | undefined;
  readonly maxPrice: number | undefined;
  readonly image: JsonObject | undefined;
  readonly osDisk: JsonObject;
  readonly osProfile: JsonObject | undefined;
  readonly nics: readonly NicRequest[];
  readonly securityProfile: JsonObject;
  readonly usesUltraSsd: boolean;
  readonly identity: JsonObject | undefined;
}

export function readVm(body: JsonObject): VmRequest {
  const properties = objectAt(body, 'properties');
  const isSpot = /^(spot|low)$/i.test(textAt(properties, 'priority'));
  return {
    size: textAt(properties, 'hardwareProfile', 'vmSize'),
    zones: listAt(body, 'zones').filter((zone) => typeof zone === 'string'),
    priority: isSpot ? 'Spot' : 'Regular',
    evictionPolicy: stringAt(properties, 'evictionPolicy'),
    maxPrice: numberAt(properties, 'billingProfile', 'maxPrice'),
    image: objectAt(properties, 'storageProfile', 'imageReference'),
    osDisk: objectAt(properties, 'storageProfile', 'osDisk') ?? {},
    osProfile: objectAt(properties, 'osProfile'),
    nics: readNics(properties),
    securityProfile: objectAt(properties, 'securityProfile') ?? {},
    usesUltraSsd: at(properties, 'additionalCapabilities', 'ultraSSDEnabled') === true,
    identity: objectAt(body, 'identity'),
  };
}

function readNics(properties: JsonObject | undefined): NicRequest[] {
  const nics = objectsAt(properties, 'networkProfile', 'networkInterfaces');
  return nics.map((nic) => ({
    id: textAt(nic, 'id'),
    // The only one is the primary one, whether it says so or not.
    isPrimary: nics.length === 1 || at(nic, 'properties', 'primary') === true,
    deletesWithVm: isDelete(stringAt(nic, 'properties', 'deleteOption')),
  }));
}

export function isDelete(option: string | undefined): boolean {
  return option?.toLowerCase() === 'delete';
}
