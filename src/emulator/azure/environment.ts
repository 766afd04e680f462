// What every type of resource is built on: one Azure's time, chance, facts, store and rules. Components take this,
// close over it, and keep no state of their own beside the store unless their file says so.
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import type { Lifecycle } from './arm/lifecycle.ts';
import type { Access } from './authorization/access.ts';
import type { Directory } from './entra/directory.ts';
import type { TokenIssuer } from './entra/token-issuer.ts';
import type { Faults } from './faults.ts';
import type { LatencySource } from './operations/latency.ts';
import type { Operations } from './operations/operations.ts';
import type { Regions } from './regions.ts';
import type { ResourceStore } from './store.ts';

export interface Subscription {
  readonly id: string;
  readonly name: string;
}

export interface AzureEnvironment {
  readonly clock: Clock;
  /** Take a `fork()` to draw from. */
  readonly random: Random;
  readonly log: Logger;
  readonly tenantId: string;
  readonly subscriptions: readonly Subscription[];
  readonly regions: Regions;
  readonly store: ResourceStore;
  readonly lifecycle: Lifecycle;
  readonly operations: Operations;
  readonly latency: LatencySource;
  readonly faults: Faults;
  /** Who can get a token. */
  readonly directory: Directory;
  readonly tokens: TokenIssuer;
  /** Who may do what. */
  readonly access: Access;
  /** Items on one page of a list. */
  readonly pageSize: number;
}
