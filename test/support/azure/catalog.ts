// A catalogue with everything around it handed in: rows of sizes, usage figures and price pages that a test writes down.
import { classWith } from './node-class.ts';
import type { AKSNodeClassSpec, AKSNodeClassStatus } from '../../../src/api/aks-node-class.ts';
import { InstanceTypeCatalog } from '../../../src/azure/catalog/instance-type-catalog.ts';
import { clusterLabelValue } from '../../../src/azure/catalog/label-rules.ts';
import { LearntCapacity } from '../../../src/azure/catalog/learnt-capacity.ts';
import { PriceBook } from '../../../src/azure/catalog/price-book.ts';
import { type ComputeUsage, QuotaBook } from '../../../src/azure/catalog/quota.ts';
import type { RetailPriceItem } from '../../../src/azure/catalog/retail-prices.ts';
import type { SkuRecord } from '../../../src/azure/catalog/sku-record.ts';
import { UnavailableOfferings } from '../../../src/azure/catalog/unavailable-offerings.ts';
import { createLogger } from '../../../src/base/log.ts';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import type { InstanceType } from '../../../src/model/instance-type.ts';

export interface TestCatalog {
  readonly clock: VirtualClock;
  readonly catalog: InstanceTypeCatalog;
  readonly prices: PriceBook;
  readonly quota: QuotaBook;
  readonly unavailable: UnavailableOfferings;
  readonly learnt: LearntCapacity;
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  readonly signal: AbortSignal;
  /** What Azure answers from now on. */
  answer: {
    records: readonly SkuRecord[];
    usages: readonly ComputeUsage[];
    prices: readonly RetailPriceItem[];
  };
  /** How often the list of sizes was asked for. */
  listed: number;
  readonly types: (
    spec?: Partial<AKSNodeClassSpec>,
    status?: AKSNodeClassStatus,
  ) => readonly InstanceType[];
  readonly type: (name: string, spec?: Partial<AKSNodeClassSpec>) => InstanceType;
}

export async function testCatalog(options: {
  readonly records: readonly SkuRecord[];
  readonly region?: string;
  readonly usages?: readonly ComputeUsage[];
  readonly nodeResourceGroup?: string;
  /** False: nobody has asked Azure yet. */
  readonly refreshed?: boolean;
}): Promise<TestCatalog> {
  const { region = 'southcentralus', nodeResourceGroup = 'MC_group(1)_cluster_southcentralus' } =
    options;
  const clock = new VirtualClock();
  const answer = { records: options.records, usages: options.usages ?? [], prices: [] };
  const logged: Record<string, unknown>[] = [];
  const prices = new PriceBook({
    region,
    source: { page: () => Promise.resolve({ Items: test.answer.prices }) },
  });
  const quota = new QuotaBook({
    clock,
    source: {
      async *list() {
        yield await Promise.resolve(test.answer.usages);
      },
    },
  });
  const unavailable = new UnavailableOfferings({ clock });
  const learnt = new LearntCapacity();
  const catalog = new InstanceTypeCatalog({
    source: {
      async *list() {
        test.listed++;
        yield await Promise.resolve(test.answer.records);
      },
    },
    cluster: {
      region,
      clusterLabel: clusterLabelValue(nodeResourceGroup),
      memoryOverheadShare: 0.075,
    },
    network: { plugin: 'azure', pluginMode: 'overlay' },
    market: { prices, quota, unavailable, learnt },
    log: createLogger({
      level: 'debug',
      clock,
      output: { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
    }),
  });
  const types: TestCatalog['types'] = (spec, status) => catalog.list(classWith(spec, status));
  const test: TestCatalog = {
    clock,
    catalog,
    prices,
    quota,
    unavailable,
    learnt,
    logged,
    signal: new AbortController().signal,
    answer,
    listed: 0,
    types,
    type(name, spec) {
      const found = types(spec).find((type) => type.name === name);
      if (found === undefined) throw new Error(`no instance type ${name}`);
      return found;
    },
  };
  if (options.refreshed === false) return test;
  await catalog.refresh(test.signal);
  await quota.refresh(test.signal);
  return test;
}
