import { describe, expect, test } from 'vitest';
import { skuRow } from '../../../test/support/azure/sku-rows.ts';
import type { Exclusion } from './size-exclusion.ts';
import type { SkuRecord } from './sku-record.ts';
import { readVmSize, type VmSize } from './vm-size.ts';

const region = 'southcentralus';

function sizeOf(row: SkuRecord): VmSize {
  const answer = readVmSize(row, region);
  if ('excluded' in answer) throw new Error(answer.excluded);
  return answer.size;
}

const d4s = (capabilities: Readonly<Record<string, string | undefined>>): SkuRecord =>
  skuRow('Standard_D4s_v5', { capabilities });

describe('a size is no AKS node', () => {
  test.each<{ readonly row: SkuRecord; readonly excluded: Exclusion }>([
    ...['Standard_A0', 'Standard_A1', 'Standard_A1_v2', 'Standard_B1s', 'Standard_B1ms']
      .concat('Standard_F1', 'Standard_F1s', 'Standard_E64i_v3', 'Standard_E64is_v3')
      .concat('Basic_A0', 'Basic_A1', 'Basic_A2', 'Basic_A3', 'Basic_A4')
      .map((name) => ({ row: skuRow(name), excluded: 'restricted' as const })),
    { row: skuRow('Standard_?'), excluded: 'unknown name' },
    { row: { ...d4s({}), resourceType: 'disks' }, excluded: 'not a virtual machine' },
    {
      row: { ...d4s({}), restrictions: [{ type: 'Location', values: [region] }] },
      excluded: 'closed in the region',
    },
    { row: d4s({ vCPUs: '1' }), excluded: 'too few vCPUs' },
    { row: d4s({ vCPUs: undefined }), excluded: 'too few vCPUs' },
    { row: d4s({ MemoryGB: '3.4' }), excluded: 'too little memory' },
    { row: d4s({ MemoryGB: undefined }), excluded: 'too little memory' },
    { row: d4s({ CpuArchitectureType: undefined }), excluded: 'unknown architecture' },
    { row: d4s({ GPUs: '1' }), excluded: 'unsupported accelerator' },
    { row: skuRow('Standard_NG8ads_V620_v1'), excluded: 'unsupported accelerator' },
    { row: skuRow('Standard_M8-2ms'), excluded: 'constrained vCPUs' },
    { row: skuRow('Standard_DC8s_v3'), excluded: 'confidential' },
    { row: skuRow('Standard_EC8as_v5'), excluded: 'confidential' },
  ])('when it is $excluded: $row.name', ({ row, excluded }) => {
    expect(readVmSize(row, region)).toEqual({ excluded });
  });
});

describe('a size is an AKS node', () => {
  test.each([
    ['without constrained vCPUs', skuRow('Standard_M8ms')],
    [
      'with two vCPUs and 3.5 GiB',
      skuRow('Standard_D2_v2', { capabilities: { vCPUs: '2', MemoryGB: '3.5' } }),
    ],
    [
      'when another region is closed',
      skuRow('Standard_D4s_v5', {
        record: { restrictions: [{ type: 'Location', values: ['westus'] }] },
      }),
    ],
    ['with GPUs that AKS can run', skuRow('Standard_NC6s_v3', { capabilities: { GPUs: '1' } })],
    ['on promotion', skuRow('Standard_NC6_Promo', { capabilities: { GPUs: '1' } })],
  ])('%s', (_, row) => {
    expect('size' in readVmSize(row, region)).toBe(true);
  });
});

describe('what is read of a size', () => {
  test('is all that instance types need', () => {
    const row = skuRow('Standard_NC24ads_A100_v4', {
      capabilities: {
        vCPUs: '24',
        MemoryGB: '220',
        GPUs: '1',
        HyperVGenerations: 'V2',
        EphemeralOSDiskSupported: 'True',
        CachedDiskBytes: '274877906944',
        LowPriorityCapable: 'false',
        PremiumIO: 'False',
      },
      zones: ['3', '1'],
    });
    const { parts, ...size } = sizeOf(row);
    expect(parts.series).toBe('NCads_v4');
    expect(size).toEqual({
      name: 'Standard_NC24ads_A100_v4',
      family: 'standardNCads_A100_v4Family',
      vcpus: 24,
      memoryGiB: 220,
      architecture: 'amd64',
      generations: ['2'],
      gpus: 1,
      gpu: { vendor: 'nvidia', systems: ['ubuntu', 'azurelinux3'] },
      premiumStorage: false,
      acceleratedNetworking: true,
      encryptionAtHost: true,
      trustedLaunch: true,
      spotCapable: false,
      ephemeralDisk: { placement: 'CacheDisk', maxSizeGb: 274 },
      zones: [
        { zone: 'southcentralus-1', ultraSsd: false },
        { zone: 'southcentralus-3', ultraSsd: false },
        { zone: '0', ultraSsd: false },
      ],
    });
  });

  test.each([
    ['x64', 'amd64'],
    ['Arm64', 'arm64'],
    ['riscv', 'riscv'],
  ])('calls the architecture %s %s', (CpuArchitectureType, architecture) => {
    expect(
      sizeOf(skuRow('Standard_D4s_v5', { capabilities: { CpuArchitectureType } })).architecture,
    ).toBe(architecture);
  });

  test.each([
    ['V1,V2', undefined, true],
    ['V1', undefined, false],
    ['V2', 'True', false],
    ['V2', 'False', true],
  ])('has Trusted Launch with generations %s and disabled %s: %s', (generations, disabled, can) => {
    const row = skuRow('Standard_D4s_v5', {
      capabilities: { HyperVGenerations: generations, TrustedLaunchDisabled: disabled },
    });
    expect(sizeOf(row).trustedLaunch).toBe(can);
  });

  test('is regional only where the region or the size has no zones', () => {
    expect(sizeOf(skuRow('Standard_D4s_v5', { zones: [] })).zones).toEqual([
      { zone: '0', ultraSsd: false },
    ]);
  });

  const inZone = (zone: string, value: string) => ({
    name: [zone],
    capabilities: [{ name: 'UltraSSDAvailable', value }],
  });

  test.each([
    ['regional capability only', 'True', [], 'regional'],
    ['zonal capability only', 'False', [inZone('1', 'True')], 'southcentralus-1'],
    ['both', 'True', [inZone('2', 'True')], 'southcentralus-2 regional'],
    ['neither', 'False', [inZone('1', 'False')], ''],
    ['not named at all', undefined, [], ''],
  ])('has ultra disks where Azure says so: %s', (_, UltraSSDAvailable, zoneDetails, where) => {
    const row = skuRow('Standard_D4s_v5', {
      capabilities: { UltraSSDAvailable },
      record: { locationInfo: [{ location: region, zones: ['1', '2'], zoneDetails }] },
    });
    const found = sizeOf(row).zones.filter(({ ultraSsd }) => ultraSsd);
    expect(found.map(({ zone }) => (zone === '0' ? 'regional' : zone)).join(' ')).toBe(where);
  });
});
