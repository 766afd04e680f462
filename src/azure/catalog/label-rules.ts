// What is special about labels on Azure. In: the core's rules. Out: the same with the provider's labels, spellings and
// closed sets of values, and the text that the cluster label may have.
import {
  AZURE_GROUP,
  azureLabel,
  azureWellKnownLabels,
  capacityType,
  label,
} from '../../api/labels.ts';
import { coreLabelRules, extendLabelRules, type LabelRules } from '../../model/label-rules.ts';
import { regionalZone } from './zones.ts';

export const vmPriority = { regular: 'regular', spot: 'spot' } as const;
export const nodeMode = { system: 'system', user: 'user' } as const;

const yesOrNo = new Set(['true', 'false']);
const priorities = new Set(Object.values(vmPriority));

export const azureLabelRules: LabelRules = extendLabelRules(coreLabelRules, {
  wellKnown: new Set(azureWellKnownLabels),
  restrictedDomains: new Set([AZURE_GROUP]),
  restricted: new Set([azureLabel.skuHyperVGeneration]),
  aliases: new Map([['topology.disk.csi.azure.com/zone', label.zone]]),
  // The disk driver leaves the zone of a disk without one empty.
  valueAliases: new Map([[label.zone, new Map([['', regionalZone]])]]),
  knownValues: new Map([
    [label.capacityType, new Set([capacityType.onDemand, capacityType.spot])],
    [azureLabel.skuAcceleratedNetworking, yesOrNo],
    [azureLabel.skuPremiumStorage, yesOrNo],
    [azureLabel.skuUltraSsd, yesOrNo],
    [azureLabel.skuGpuManufacturer, new Set(['nvidia', 'amd'])],
    [azureLabel.placementScope, new Set(['zonal', 'regional'])],
    [azureLabel.mode, new Set(Object.values(nodeMode))],
    [azureLabel.scaleSetPriority, priorities],
    [azureLabel.priority, priorities],
    [azureLabel.osSku, new Set(['Ubuntu', 'AzureLinux'])],
    [azureLabel.fipsEnabled, new Set(['true'])],
  ]),
});

const longestValue = 63;

/** A node resource group as the value of a label: AKS's own way of making it fit. */
export function clusterLabelValue(nodeResourceGroup: string): string {
  const value = nodeResourceGroup.replaceAll(/[()]/g, '-').slice(0, longestValue);
  if (!/[-_.]$/.test(value)) return value;
  return `${value.slice(0, longestValue - 1)}z`;
}
