// What the types of Microsoft.Compute share: the catalogue, quotas, capacity, images and the news of machines. In:
// options. Out: one context that each of its types is built on.
import type { AzureEnvironment } from '../environment.ts';
import type { ImageFacts, SizeFacts } from '../facts.ts';
import { CapacityPools, type CapacityRule } from './capacity.ts';
import { Evictions } from './evictions.ts';
import { ImageCatalog } from './images.ts';
import { Quotas, type QuotaRule } from './quotas.ts';
import { SizeCatalog } from './size-catalog.ts';
import type { SpotOptions } from './spot-options.ts';
import { VmEvents } from './vm-events.ts';

export interface ComputeOptions {
  readonly sizes?: readonly SizeFacts[];
  readonly images?: readonly ImageFacts[];
  readonly quotas?: readonly QuotaRule[];
  readonly capacity?: readonly CapacityRule[];
  readonly spot?: SpotOptions;
}

export interface Compute {
  readonly env: AzureEnvironment;
  readonly catalog: SizeCatalog;
  readonly images: ImageCatalog;
  readonly quotas: Quotas;
  readonly capacity: CapacityPools;
  readonly events: VmEvents;
  readonly evictions: Evictions;
}

export function createCompute(env: AzureEnvironment, options: ComputeOptions): Compute {
  const events = new VmEvents();
  const capacity = new CapacityPools(options.capacity);
  const noticeMs = options.spot?.noticeMs;
  return {
    env,
    catalog: new SizeCatalog(options.sizes ?? []),
    images: new ImageCatalog(options.images ?? []),
    quotas: new Quotas(options.quotas),
    capacity,
    events,
    evictions: new Evictions({ env, events, capacity, noticeMs }),
  };
}
