// One Azure put together, without a socket. In: options. Out: handlers for Resource Manager and for Entra, and the
// parts that the rest of the world talks to directly. Everything runs on the handed-in clock; after `stop` no timer
// of it is left.
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { HttpHandler } from '../../base/http-server.ts';
import type { Logger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import { randomUuid } from '../../base/uuid.ts';
import type { AuthenticationOptions } from './arm/authentication.ts';
import { createArmHandler } from './arm/handler.ts';
import { Lifecycle } from './arm/lifecycle.ts';
import { Registrations } from './arm/registrations.ts';
import { TypeRegistry } from './arm/registry.ts';
import { Access } from './authorization/access.ts';
import { ownerRoleId } from './authorization/built-in-roles.ts';
import { assignRole } from './authorization/role-assignments.ts';
import { createBootstrappingHandler } from './bootstrapping/bootstrapping-service.ts';
import { createCompute, type Compute, type ComputeOptions } from './compute/compute.ts';
import { SpotMarket } from './compute/spot-market.ts';
import {
  createContainerService,
  type ContainerService,
  type ContainerServiceOptions,
} from './containerservice/container-service.ts';
import type { IssuerKeys } from './entra/client-proof.ts';
import { Directory, type Principal } from './entra/directory.ts';
import { createEntraHandler } from './entra/handler.ts';
import { TokenIssuer } from './entra/token-issuer.ts';
import type { AzureEnvironment, Subscription } from './environment.ts';
import type { RegionFacts } from './facts.ts';
import { Faults, type FaultRule } from './faults.ts';
import { ScheduledEvents } from './metadata/scheduled-events.ts';
import { LatencySource, type Latencies } from './operations/latency.ts';
import { Operations } from './operations/operations.ts';
import { createRetailPrices } from './prices/retail-prices.ts';
import { Regions } from './regions.ts';
import type { ResourceGraphOptions } from './resource-graph/resource-graph.ts';
import { resourceTypes } from './resource-types.ts';
import { cloudMetadata } from './resources/cloud-metadata.ts';
import { ResourceStore } from './store.ts';
import { TokenBuckets, unlimited, type ThrottleBudget } from './throttle.ts';

export interface AzureOptions extends ComputeOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics?: MetricsRegistry;
  readonly tenantId?: string;
  readonly subscriptions?: readonly Subscription[];
  readonly regions: readonly RegionFacts[];
  /** Who may do everything from the start. */
  readonly owner?: Principal;
  /** Take precedence over what Azure usually takes. */
  readonly latencies?: Latencies;
  /** 0: everything is done at once; 1 unless given. */
  readonly latencyFactor?: number;
  /** What clients are told to wait between polls; 1 unless given. */
  readonly retryAfterSeconds?: number;
  readonly faults?: readonly FaultRule[];
  /** Azure's own budgets unless given. */
  readonly throttling?: readonly ThrottleBudget[] | 'off';
  readonly pageSize?: number;
  /** Items on one page of the price list; 1000 unless given. */
  readonly pricePageSize?: number;
  readonly graph?: ResourceGraphOptions;
  readonly containerService?: ContainerServiceOptions;
  /** Public keys of issuers of federated tokens: a cluster's service accounts. */
  readonly issuerKeys?: IssuerKeys;
  /** Whoever keeps it keeps tokens valid across restarts. */
  readonly tokenKey?: KeyObject;
  /** Providers that a subscription has yet to register. */
  readonly unregistered?: readonly (readonly [subscriptionId: string, namespace: string])[];
}

export interface AzureAddresses {
  readonly armUrl: string;
  readonly entraUrl: string;
  readonly pricesUrl?: string;
}

export interface Azure {
  readonly armHandler: HttpHandler;
  readonly entraHandler: HttpHandler;
  /** The public price list. */
  readonly pricesHandler: HttpHandler;
  /** AKS's node bootstrapping service, for plain HTTP. */
  readonly bootstrappingHandler: HttpHandler;
  readonly env: AzureEnvironment;
  /** Sizes, quotas, capacity and images, and the news of virtual machines. */
  readonly compute: Compute;
  readonly spotMarket: SpotMarket;
  readonly containerService: ContainerService;
  /** What machines are told beforehand; a machine reads its own by createInstanceMetadata. */
  readonly scheduledEvents: ScheduledEvents;
  readonly tokens: TokenIssuer;
  readonly tenantId: string;
  readonly subscriptions: readonly Subscription[];
  stop(): void;
}

/** What the public cloud's Resource Manager answers to, besides its own address. */
const publicAudiences = ['https://management.azure.com', 'https://management.core.windows.net'];

const publicGraph = 'https://graph.microsoft.com';

/** `addresses` are asked for when a request comes: a port may not be known before. */
export function createAzure(options: AzureOptions, addresses: () => AzureAddresses): Azure {
  const { clock, random, metrics = new MetricsRegistry() } = options;
  const ids = random.fork();
  const tenantId = options.tenantId ?? randomUuid(ids);
  const subscriptions = options.subscriptions ?? [{ id: randomUuid(ids), name: 'Emulator' }];
  const tokens = new TokenIssuer({ tenantId, clock, random: random.fork(), key: options.tokenKey });
  const env = createEnvironment(options, { tenantId, subscriptions, tokens });
  if (options.owner !== undefined) addOwner(env, options.owner, ids);
  const compute = createCompute(env, options);
  const spotMarket = new SpotMarket(compute, options.spot ?? {});
  const scheduledEvents = new ScheduledEvents(compute);
  const { registry, registrations, containerService } = createTypes(compute, options);
  const { throttling } = options;
  const authentication = authenticationOf(tokens, tenantId, addresses);
  const graphAudiences = (): string[] =>
    [publicGraph, addresses().entraUrl].flatMap((url) => [url, `${url}/`]);
  const requests = metrics.counter({
    name: 'azure_resource_manager_requests_total',
    help: 'Requests to the emulated Resource Manager by operation and status code.',
    labels: ['operation', 'code'],
  });
  return {
    armHandler: createArmHandler({
      env,
      registry,
      registrations,
      throttle: throttling === 'off' ? unlimited : new TokenBuckets(clock, throttling),
      authentication,
      url: () => addresses().armUrl,
      documents: (path, armUrl, query) =>
        cloudMetadata(path, query, { ...addresses(), armUrl, tenantId, name: 'Emulator' }),
      observe: (operation, status) => requests.add({ operation, code: String(status) }),
    }),
    entraHandler: createEntraHandler({
      clock,
      random: random.fork(),
      directory: env.directory,
      tokens,
      issuerKeys: options.issuerKeys ?? (() => undefined),
      url: () => addresses().entraUrl,
      isAudience: (resource) =>
        [...authentication.audiences, ...graphAudiences()].includes(resource),
      isGraphAudience: (resource) => graphAudiences().includes(resource),
    }),
    pricesHandler: createRetailPrices({
      sizes: options.sizes ?? [],
      regions: options.regions,
      spotPrice: (size, region) => spotMarket.price(size, region),
      url: () => addresses().pricesUrl ?? 'https://prices.azure.com',
      pageSize: options.pricePageSize,
    }),
    bootstrappingHandler: createBootstrappingHandler({ service: containerService, authentication }),
    env,
    compute,
    spotMarket,
    containerService,
    scheduledEvents,
    tokens,
    tenantId,
    subscriptions,
    stop: () => {
      spotMarket.stop();
      scheduledEvents.stop();
      compute.evictions.stop();
      env.operations.stop();
    },
  };
}

/** Types that make resources of other types find them in the registry that they are in themselves. */
function createTypes(
  compute: Compute,
  options: AzureOptions,
): {
  readonly registry: TypeRegistry;
  readonly registrations: Registrations;
  readonly containerService: ContainerService;
} {
  const registrations = new Registrations(options.unregistered);
  const registry = (): TypeRegistry => created;
  const { images, graph } = options;
  const containerService = createContainerService(compute, {
    ...options.containerService,
    images,
    registry,
  });
  const created = new TypeRegistry(
    resourceTypes(compute, { registrations, registry, containerService, graph }),
  );
  return { registry: created, registrations, containerService };
}

/** Addresses may change until the first request, so nothing of them is kept. */
function authenticationOf(
  tokens: TokenIssuer,
  tenantId: string,
  addresses: () => AzureAddresses,
): AuthenticationOptions {
  return {
    tokens,
    get audiences() {
      return [...publicAudiences, addresses().armUrl].flatMap((url) => [url, `${url}/`]);
    },
    get authority() {
      return `${addresses().entraUrl}/${tenantId}`;
    },
  };
}

function createEnvironment(
  options: AzureOptions,
  place: Pick<AzureEnvironment, 'tenantId' | 'subscriptions' | 'tokens'>,
): AzureEnvironment {
  const { clock, random, log } = options;
  const store = new ResourceStore();
  const latency = new LatencySource({
    random: random.fork(),
    latencies: options.latencies,
    factor: options.latencyFactor,
  });
  const operations = new Operations({
    clock,
    random: random.fork(),
    latency,
    log,
    retryAfterSeconds: options.retryAfterSeconds ?? 1,
  });
  return {
    clock,
    random: random.fork(),
    log,
    ...place,
    regions: new Regions(options.regions),
    store,
    operations,
    lifecycle: new Lifecycle({ store, operations, clock, random: random.fork() }),
    latency,
    faults: new Faults(random.fork(), options.faults),
    directory: new Directory(),
    access: new Access(store),
    pageSize: options.pageSize ?? 1000,
  };
}

function addOwner(env: AzureEnvironment, owner: Principal, random: Random): void {
  env.directory.put(owner);
  for (const { id } of env.subscriptions) {
    assignRole(env, {
      scope: `/subscriptions/${id}`,
      name: randomUuid(random),
      roleId: ownerRoleId,
      principalId: owner.objectId,
    });
  }
}
