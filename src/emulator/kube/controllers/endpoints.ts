// Endpoints and EndpointSlices: where a Service leads. In: services with a selector, and pods. Out: one Endpoints
// object and one slice per service, enough for `kubectl describe` and for those who watch readiness by them.
// Pods without an address, or ended, are left out; pods on their way out are in the slice but not ready.
import type { ContainerPort } from '../../../api/core.ts';
import type { Json } from '../../../api/meta.ts';
import { sameJson, stringAt, type JsonObject } from '../json.ts';
import type { ResourceAddress } from '../api.ts';
import type { ApiObject } from '../object.ts';
import { matchesPairs } from '../scheduler/label-selector.ts';
import { podOf } from '../scheduler/objects.ts';
import { controllerReference, isReady } from './pods.ts';
import { address } from './runtime/addresses.ts';
import type {
  ControllerContext,
  ControllerFactory,
  Again,
  Controller,
} from './runtime/controller.ts';
import { objectKey, type Informer } from './runtime/informer.ts';

const managedBy = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
const serviceName = 'kubernetes.io/service-name';

interface ServiceSpec {
  readonly selector?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly clusterIP?: string;
  readonly publishNotReadyAddresses?: boolean;
  readonly ports?: readonly {
    readonly name?: string;
    readonly port: number;
    readonly protocol?: string;
    readonly targetPort?: number | string;
  }[];
}

interface Endpoint {
  readonly pod: ApiObject;
  readonly ip: string;
  readonly isReady: boolean;
  readonly isServing: boolean;
}

export const endpointsController: ControllerFactory = (context) => new EndpointsController(context);

class EndpointsController implements Controller {
  readonly name = 'endpoint-controller';
  readonly #context: ControllerContext;
  readonly #services: Informer;
  readonly #pods: Informer;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#services = context.informers.of(address.services);
    this.#pods = context.informers.of(address.pods);
    context.informers.of(address.endpoints);
    context.informers
      .of(address.endpointSlices)
      .addIndex('service', ({ metadata }) => [
        `${metadata.namespace}/${metadata.labels?.[serviceName]}`,
      ]);
    this.#pods.addIndex('namespace', (pod) => [pod.metadata.namespace ?? '']);
    this.#services.addIndex('namespace', (service) => [service.metadata.namespace ?? '']);
    this.#services.onChange(({ before, after }) => {
      const service = after ?? before;
      if (service !== undefined) context.enqueue(objectKey(service));
    });
    this.#pods.onChange(({ before, after }) => {
      for (const pod of [before, after]) if (pod !== undefined) this.#concern(pod);
    });
  }

  reconcile(key: string): Again {
    const service = this.#services.get(key);
    if (service === undefined) return undefined;
    const { selector, type } = specOf(service);
    if (selector === undefined || type === 'ExternalName') return undefined;
    const endpoints = this.#pods
      .indexed('namespace', service.metadata.namespace ?? '')
      .filter((pod) => matchesPairs(selector, pod.metadata.labels ?? {}))
      .flatMap((pod) => endpointOf(pod, specOf(service)))
      .toSorted((a, b) => (a.pod.metadata.name < b.pod.metadata.name ? -1 : 1));
    const { informers } = this.#context;
    const known = informers.of(address.endpoints).get(key);
    this.#put(address.endpoints, known, endpointsObject(service, endpoints), ['subsets']);
    const [slice] = informers.of(address.endpointSlices).indexed('service', key);
    this.#put(address.endpointSlices, slice, sliceObject(service, endpoints), [
      'endpoints',
      'ports',
    ]);
    return undefined;
  }

  #concern(pod: ApiObject): void {
    const labels = pod.metadata.labels ?? {};
    for (const service of this.#services.indexed('namespace', pod.metadata.namespace ?? '')) {
      const { selector } = specOf(service);
      if (selector !== undefined && matchesPairs(selector, labels)) {
        this.#context.enqueue(objectKey(service));
      }
    }
  }

  #put(
    resource: ResourceAddress,
    known: ApiObject | undefined,
    wanted: JsonObject,
    fields: readonly string[],
  ): void {
    const { client } = this.#context;
    if (known === undefined) {
      client.createIfAbsent(resource, wanted, stringAt(wanted, 'metadata', 'namespace'));
      return;
    }
    if (fields.every((field) => sameJson(known[field] ?? [], wanted[field] ?? []))) return;
    const changed = Object.fromEntries(fields.map((field) => [field, wanted[field] ?? []]));
    client.update(resource, { ...known, ...changed });
  }
}

function specOf(service: ApiObject): ServiceSpec {
  return (service['spec'] ?? {}) as unknown as ServiceSpec;
}

function endpointOf(pod: ApiObject, spec: ServiceSpec): readonly Endpoint[] {
  const ip = stringAt(pod, 'status', 'podIP');
  const phase = stringAt(pod, 'status', 'phase');
  if (ip === undefined || phase === 'Succeeded' || phase === 'Failed') return [];
  const isServing = isReady(pod);
  const isLeaving = pod.metadata.deletionTimestamp !== undefined;
  const isForced = spec.publishNotReadyAddresses === true;
  return [{ pod, ip, isServing, isReady: isForced || (isServing && !isLeaving) }];
}

function targetOf(pod: ApiObject): JsonObject {
  const { namespace = '', name, uid = '' } = pod.metadata;
  return { kind: 'Pod', namespace, name, uid };
}

function endpointsObject(service: ApiObject, endpoints: readonly Endpoint[]): JsonObject {
  const { name, namespace = '', labels = {} } = service.metadata;
  const live = endpoints.filter(({ pod }) => pod.metadata.deletionTimestamp === undefined);
  const addresses = (isWanted: boolean): Json =>
    live
      .filter((endpoint) => endpoint.isReady === isWanted)
      .map(({ pod, ip }) => ({
        ip,
        nodeName: podOf(pod).spec.nodeName ?? '',
        targetRef: targetOf(pod),
      }));
  const [ready, waiting] = [addresses(true), addresses(false)] as [
    readonly Json[],
    readonly Json[],
  ];
  const subset: Record<string, Json> = {};
  if (ready.length > 0) subset['addresses'] = ready;
  if (waiting.length > 0) subset['notReadyAddresses'] = waiting;
  subset['ports'] = portsOf(service, live);
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, namespace, labels: { ...labels, ...managedBy } },
    ...(live.length === 0 ? {} : { subsets: [subset] }),
  };
}

function sliceObject(service: ApiObject, endpoints: readonly Endpoint[]): JsonObject {
  const { name, namespace = '', labels = {} } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: {
        ...labels,
        [serviceName]: name,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      },
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    // Ports belong to endpoints: a slice of none has none.
    ports: endpoints.length === 0 ? [] : portsOf(service, endpoints),
    endpoints: endpoints.map(({ pod, ip, isReady: ready, isServing }) => ({
      addresses: [ip],
      conditions: {
        ready,
        serving: isServing,
        terminating: pod.metadata.deletionTimestamp !== undefined,
      },
      ...nodeOf(pod),
      targetRef: targetOf(pod),
    })),
  };
}

function nodeOf(pod: ApiObject): JsonObject {
  const { nodeName } = podOf(pod).spec;
  return nodeName === undefined ? {} : { nodeName };
}

function portsOf(service: ApiObject, endpoints: readonly Endpoint[]): readonly Json[] {
  return (specOf(service).ports ?? []).map(({ name = '', port, protocol = 'TCP', targetPort }) => ({
    ...(name === '' ? {} : { name }),
    port: resolvePort(targetPort ?? port, endpoints) ?? port,
    protocol,
  }));
}

/** A named target is the container port of that name, taken from the first pod that has it. */
function resolvePort(target: number | string, endpoints: readonly Endpoint[]): number | undefined {
  if (typeof target === 'number') return target;
  for (const { pod } of endpoints) {
    const ports = podOf(pod).spec.containers.flatMap(
      (container) => (container.ports ?? []) as readonly (ContainerPort & { name?: string })[],
    );
    const found = ports.find(({ name }) => name === target);
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}
