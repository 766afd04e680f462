// Rows of the Resource SKUs list for tests: a plausible machine, and what the test is about instead.
import type { SkuRecord } from '../../../src/azure/catalog/sku-record.ts';

export function skuRow(
  name: string,
  changes: {
    readonly capabilities?: Readonly<Record<string, string | undefined>>;
    readonly record?: SkuRecord;
    readonly region?: string;
    readonly zones?: readonly string[];
  } = {},
): SkuRecord {
  const { region = 'southcentralus', zones = ['1', '2', '3'] } = changes;
  const size = name.slice(name.indexOf('_') + 1);
  const capabilities: Readonly<Record<string, string | undefined>> = {
    vCPUs: '4',
    MemoryGB: '16',
    CpuArchitectureType: 'x64',
    HyperVGenerations: 'V1,V2',
    PremiumIO: 'True',
    AcceleratedNetworkingEnabled: 'True',
    EncryptionAtHostSupported: 'True',
    LowPriorityCapable: 'True',
    ...changes.capabilities,
  };
  return {
    name,
    size,
    family: `standard${size.replace(/\d+/, '')}Family`,
    resourceType: 'virtualMachines',
    capabilities: Object.entries(capabilities).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value }],
    ),
    locationInfo: [{ location: region, zones }],
    ...changes.record,
  };
}
