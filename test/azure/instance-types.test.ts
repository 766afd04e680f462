// The catalogue against what the original makes of the same rows. The differences are few, meant, and listed.
import { describe, expect, test } from 'vitest';
import type { AKSNodeClassSpec, AKSNodeClassStatus } from '../../src/api/aks-node-class.ts';
import { azureLabel, azureWellKnownLabels, capacityType, label } from '../../src/api/labels.ts';
import { readRegions, readSizes } from '../../src/emulator/azure/data/vm-sizes.ts';
import type { ResourceList } from '../../src/api/core.ts';
import type { SizeFacts } from '../../src/emulator/azure/facts.ts';
import type { InstanceType } from '../../src/model/instance-type.ts';
import { requirementOn, type Requirements } from '../../src/model/requirements.ts';
import {
  formatAmount,
  fromResourceList,
  resourceName,
  toResourceList,
} from '../../src/model/resources.ts';
import { testCatalog } from '../support/azure/catalog.ts';
import { skuRecordOf } from '../support/azure/sku-records.ts';
import everySize from '../vectors/azure/every-size.json' with { type: 'json' };
import instanceTypes from '../vectors/azure/instance-types.json' with { type: 'json' };
import resourceSkus from '../vectors/azure/resource-skus.json' with { type: 'json' };

const classes: Readonly<
  Record<string, { readonly spec: Partial<AKSNodeClassSpec>; readonly status?: AKSNodeClassStatus }>
> = {
  defaults: { spec: {} },
  'AzureLinux, 64 GB, 40 pods': {
    spec: { imageFamily: 'AzureLinux', osDiskSizeGB: 64, maxPods: 40 },
  },
  'FIPS, encryption at host': { spec: { fipsMode: 'FIPS', security: { encryptionAtHost: true } } },
  'Trusted Launch, LocalDNS': {
    spec: { imageFamily: 'Ubuntu2204', security: { trustedLaunch: { vtpm: true } } },
    status: { localDNSState: 'Enabled' },
  },
};

function valuesOf(requirements: Requirements, key: string): string {
  return [...requirementOn(requirements, key).values].toSorted().join('|');
}

function projection(type: InstanceType) {
  return {
    labels: Object.fromEntries(
      [...type.requirements]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, { values }]) => [key, [...values].toSorted().join()]),
    ),
    capacity: toResourceList(type.capacity),
    kubeReserved: toResourceList(type.overhead.kubeReserved),
    allocatable: toResourceList(type.allocatable),
    offerings: type.offerings
      .map(({ zone, capacityType, price, available, requirements }) =>
        [
          zone,
          capacityType,
          price,
          available ? 'available' : 'unavailable',
          valuesOf(requirements, azureLabel.placementScope),
          valuesOf(requirements, azureLabel.priority),
          valuesOf(requirements, azureLabel.scaleSetPriority),
          valuesOf(requirements, azureLabel.skuUltraSsd),
        ].join(' '),
      )
      .toSorted(),
  };
}

type Expected = Omit<ReturnType<typeof projection>, 'labels'>;

/** The original writes disks in decimal suffixes; an amount is an amount. */
function expectedOf<T extends Expected>(type: T): T {
  const canonical = (list: ResourceList) => toResourceList(fromResourceList(list));
  return {
    ...type,
    capacity: canonical(type.capacity),
    kubeReserved: canonical(type.kubeReserved),
    allocatable: canonical(type.allocatable),
  };
}

describe.each(Object.entries(instanceTypes.regions))('recorded sizes of %s', (region, cases) => {
  test.each(Object.entries(cases))(
    'are what the original makes of them: %s',
    async (name, expected) => {
      const rows = new Map(Object.entries(resourceSkus.regions)).get(region) ?? [];
      const { types } = await testCatalog({ records: rows, region });
      const { spec, status } = classes[name]!;
      expect(
        Object.fromEntries(types(spec, status).map((type) => [type.name, projection(type)])),
      ).toEqual(
        Object.fromEntries(
          Object.entries(expected).map(([name, type]) => [name, expectedOf(type)]),
        ),
      );
    },
  );
});

const region = 'southcentralus';
const sizes = readSizes(readRegions().filter(({ name }) => name === region));
const recorded = new Set(resourceSkus.regions.southcentralus.map(({ name }) => name));
const others = sizes.filter(({ name }) => !recorded.has(name));

/** The original takes these for machines without an accelerator when Azure does not count it as a GPU. */
const namedAccelerators = Object.keys(everySize.sizes).filter((name) => name.includes('_V620_'));

function row(type: InstanceType, memberOf: string): string {
  const value = (key: string) => valuesOf(type.requirements, key);
  const onDemand = type.offerings.find(
    (offering) => offering.capacityType === capacityType.onDemand,
  );
  const memory = (resources: ReadonlyMap<string, bigint>) =>
    formatAmount(resourceName.memory, resources.get(resourceName.memory) ?? 0n);
  return [
    value(label.arch),
    value(azureLabel.skuFamily),
    value(azureLabel.skuSeries),
    value(azureLabel.skuVersion),
    value(azureLabel.skuCpu),
    value(azureLabel.skuMemory),
    value(azureLabel.skuGpuCount),
    value(azureLabel.skuGpuManufacturer),
    value(azureLabel.skuGpuName),
    value(azureLabel.skuEphemeralOsMaxSize),
    value(azureLabel.skuAcceleratedNetworking),
    value(azureLabel.skuPremiumStorage),
    value(azureLabel.skuHyperVGeneration),
    onDemand?.price,
    memory(type.capacity),
    formatAmount('cpu', type.overhead.kubeReserved.get('cpu') ?? 0n),
    memory(type.overhead.kubeReserved),
    memory(type.allocatable),
    memberOf,
  ].join();
}

describe('every size that is known completely', () => {
  test('has the labels, price, capacity and overhead that the original gives it', async () => {
    const { types } = await testCatalog({
      records: others.map((size) => skuRecordOf(size, region)),
    });
    const members = Object.entries(everySize.classes).map(([letter, name]) => {
      const { spec, status } = classes[name]!;
      return [letter, new Set(types(spec, status).map((type) => type.name))] as const;
    });
    const ours = types().map((type) => [
      type.name,
      row(
        type,
        members
          .filter(([, names]) => names.has(type.name))
          .map(([letter]) => letter)
          .toSorted()
          .join(''),
      ),
    ]);
    const theirs = Object.entries(everySize.sizes).filter(
      ([name]) => !namedAccelerators.includes(name),
    );
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
    expect(ours.length).toBeGreaterThan(900);
  });

  test('is left out by the original for a reason that we have, too', async () => {
    const { catalog } = await testCatalog({
      records: others.map((size) => skuRecordOf(size, region)),
    });
    const amd = others.filter(({ name }) => catalog.size(name)?.gpu?.vendor === 'amd');
    const offered = others.filter(({ name }) => catalog.size(name) !== undefined).length;
    expect(offered - amd.length).toBe(
      Object.keys(everySize.sizes).length - namedAccelerators.length,
    );
  });
});

describe('every instance type', async () => {
  const { types } = await testCatalog({ records: sizes.map((size) => skuRecordOf(size, region)) });
  const facts = new Map(sizes.map((size) => [size.name, size]));
  const offending = (rule: (type: InstanceType, size: SizeFacts) => boolean): string[] =>
    types({ gpu: { mode: 'None' } })
      .filter((type) => !rule(type, facts.get(type.name)!))
      .map(({ name }) => name);
  const value = (type: InstanceType, key: string) => valuesOf(type.requirements, key);

  test.each<[string, (type: InstanceType, size: SizeFacts) => boolean]>([
    [
      'has a requirement for every well-known label',
      ({ requirements }) => azureWellKnownLabels.every((key) => requirements.has(key)),
    ],
    [
      'answers yes or no where that is the question',
      (type) =>
        [azureLabel.skuAcceleratedNetworking, azureLabel.skuPremiumStorage].every((key) =>
          /^(?:true|false)$/.test(value(type, key)),
        ),
    ],
    ['is named as its size', (type, { name }) => value(type, label.instanceType) === name],
    [
      'tells processors and memory',
      (type, { vCpus, memoryGiB }) =>
        value(type, azureLabel.skuCpu) === String(vCpus) &&
        value(type, azureLabel.aksSkuMemory) === String(memoryGiB * 1024),
    ],
    [
      'carries its family and version in its series',
      (type) => {
        const version = value(type, azureLabel.skuVersion);
        const series = value(type, azureLabel.skuSeries);
        return (
          series.startsWith(value(type, azureLabel.skuFamily)) &&
          (series.endsWith(`_v${version}`) || (version === '1' && !series.includes('_v')))
        );
      },
    ],
    [
      'has two offerings in each zone and two without',
      ({ offerings }, { placements }) =>
        offerings.length === 2 * ((placements[region]?.zones.length ?? 0) + 1),
    ],
    [
      'leaves pods less than it has of processors and memory, and all of the rest',
      ({ capacity, allocatable }) =>
        [...capacity].every(([name, nano]) => {
          const left = allocatable.get(name) ?? 0n;
          return ['cpu', 'memory'].includes(name) ? left < nano && left > 0n : left === nano;
        }),
    ],
    [
      'shows some 7.5 % less memory than is sold',
      ({ capacity }, { memoryGiB }) => {
        const share = Number(capacity.get('memory')) / 1e9 / 2 ** 30 / memoryGiB;
        return share > 0.91 && share <= 0.925;
      },
    ],
    [
      'reserves processors by the published rates, to a thousandth',
      ({ overhead }, { vCpus }) => {
        const rate = (core: number): number => (core < 1 ? 60 : core < 2 ? 40 : core < 4 ? 20 : 10);
        const milli = Array.from({ length: vCpus }, (_, core) => rate(core)).reduce(
          (a, b) => a + b,
        );
        const reserved = Number(overhead.kubeReserved.get('cpu')) / 1e6;
        return reserved <= milli && reserved >= milli - 1;
      },
    ],
    [
      'has GPUs of one make, or none',
      ({ capacity }, { gpus = 0 }) =>
        Number((capacity.get('nvidia.com/gpu') ?? 0n) + (capacity.get('amd.com/gpu') ?? 0n)) ===
        gpus * 1e9,
    ],
  ])('%s', (_, rule) => {
    expect(offending(rule)).toEqual([]);
  });
});

describe('the facts about a size whose answer was recorded', () => {
  const facts = new Map(sizes.map((size) => [size.name, size]));
  const kept = resourceSkus.regions.southcentralus.filter(({ name }) => facts.has(name));

  test.each(kept)('are those of the answer: $name', (answer) => {
    const told = new Map(answer.capabilities.map(({ name, value }) => [name, value]));
    const ours = skuRecordOf(facts.get(answer.name)!, region);
    const zero = new Set(['MaxResourceVolumeMB', 'NvmeDiskSizeInMiB', 'CachedDiskBytes']);
    const stated = ours.capabilities!.map(({ name = '', value = '' }) => [name, value]);
    expect({ family: ours.family, size: ours.size, ...Object.fromEntries(stated) }).toEqual({
      family: answer.family,
      size: answer.size,
      ...Object.fromEntries(
        stated.map(([name = '']) => [name, told.get(name) ?? (zero.has(name) ? '0' : '')]),
      ),
    });
  });

  test('exist for all of them', () => {
    expect(kept).toHaveLength(20);
  });
});
