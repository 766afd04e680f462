// What the catalogue of a region costs: a thousand sizes, three zones and none, on demand and as spot. Building from
// nothing happens at the start and when a node class is new; looking for differences after every refusal and launch.
import { readSizeList } from '../src/azure/catalog/size-list.ts';
import { silentLogger } from '../src/base/log.ts';
import { readRegions, readSizes } from '../src/emulator/azure/data/vm-sizes.ts';
import { testCatalog } from '../test/support/azure/catalog.ts';
import { skuRecordOf } from '../test/support/azure/sku-records.ts';
import { callsPerSecond, thousands } from './measure.ts';
import type { Bench } from './run.ts';

const region = 'southcentralus';

export const bench: Bench = {
  name: 'azure-catalog',
  description: 'instance types of a region with three zones, milliseconds',
  async run(print) {
    const facts = readSizes(readRegions().filter(({ name }) => name === region));
    const records = facts.map((size) => skuRecordOf(size, region));
    const { types, catalog, unavailable, quota, signal } = await testCatalog({ records });
    const offerings = types().reduce((sum, type) => sum + type.offerings.length, 0);
    print(`${records.length} rows, ${types().length} instance types, ${offerings} offerings`);

    const line = async (what: string, work: () => unknown): Promise<void> => {
      const ms = 1000 / (await callsPerSecond(() => void work()));
      const figure = ms < 0.01 ? `${thousands(ms * 1e6)} ns` : `${ms.toFixed(2)} ms`;
      print(`${what.padEnd(46)} ${figure.padStart(12)}`);
    };
    // Every class differs in its disk, so that nothing that was built can be used again.
    let osDiskSizeGB = 30;
    await line('build for a new node class', () => types({ osDiskSizeGB: osDiskSizeGB++ }));
    await line('nothing has changed', () => types());
    const size = catalog.size('Standard_D4s_v5');
    if (size === undefined) throw new Error('a size is missing');
    await line('a launch has begun or ended', () => {
      quota.reserve(size, 'on-demand').release();
      return types();
    });
    await line('a size was refused, and is open again', () => {
      unavailable.refuse({ size, zone: '0', capacityType: 'spot', ttlMs: 0 });
      return types();
    });
    const source = {
      async *list() {
        yield await Promise.resolve(records);
      },
    };
    const started = performance.now();
    await readSizeList({ source, region, log: silentLogger, signal });
    print(
      `${"read Azure's list".padEnd(46)} ${`${(performance.now() - started).toFixed(2)} ms`.padStart(12)}`,
    );
  },
};
