// A whole control plane in one process for the tests of the controllers and the scheduler: the emulated server, all
// loops, a virtual clock. Nothing in it is a stand-in but the kubelets, whose part tests write into pod statuses.
import { toTimestamp } from '../../../base/clock.ts';
import { createLogger } from '../../../base/log.ts';
import { MetricsRegistry } from '../../../base/metrics.ts';
import { seededRandom } from '../../../base/random.ts';
import { VirtualClock } from '../../../base/virtual-clock.ts';
import type { Json } from '../../../api/meta.ts';
import { createApiServer, type ApiServer } from '../api-server.ts';
import type { DeleteOptions, KubeApi, RequestContext, ResourceAddress } from '../api.ts';
import { stringAt, type JsonObject } from '../json.ts';
import { parseApiVersion, type ApiObject } from '../object.ts';
import { builtInKinds } from '../registry/built-in-kinds.ts';
import { Scheduler } from '../scheduler/scheduler.ts';
import { isReason } from '../status-error.ts';
import { allControllers } from './all-controllers.ts';
import { address } from './runtime/addresses.ts';
import { ControllerManager } from './runtime/manager.ts';

export const administrator: RequestContext = {
  user: { username: 'administrator', groups: ['system:masters'] },
};

const system = (username: string): RequestContext => ({
  user: { username, groups: ['system:masters'] },
  fieldManager: username.replace('system:', ''),
});

export class ClusterFixture {
  readonly clock = new VirtualClock();
  readonly faults: string[] = [];
  readonly api: KubeApi;
  readonly #server: ApiServer;
  readonly #manager: ControllerManager;
  readonly #scheduler: Scheduler;

  constructor(options: { readonly seed?: number } = {}) {
    const random = seededRandom(options.seed ?? 1);
    const output = { write: (line: string) => void this.faults.push(line) };
    const log = createLogger({ level: 'error', output, clock: this.clock });
    const { clock } = this;
    this.#server = createApiServer({
      clock,
      random,
      log,
      metrics: new MetricsRegistry(),
      authenticator: { authenticate: () => administrator.user },
      authorizer: { authorize: () => ({ allowed: true, reason: '' }) },
    });
    this.#server.start();
    this.api = this.#server.api;
    const { api } = this;
    this.#manager = new ControllerManager({
      api,
      context: system('system:kube-controller-manager'),
      clock,
      random,
      log,
      controllers: allControllers({ catalog: this.#server.kinds, caPem: 'a certificate' }),
    });
    this.#scheduler = new Scheduler({
      api,
      context: system('system:kube-scheduler'),
      clock,
      random,
      log,
    });
  }

  async start(): Promise<this> {
    this.#manager.start();
    this.#scheduler.start();
    await this.run();
    return this;
  }

  stop(): void {
    this.#scheduler.stop();
    this.#manager.stop();
    this.#server.stop();
  }

  /** Lets all that can happen within `ms` happen. */
  async run(ms = 0): Promise<void> {
    await this.clock.advance(ms);
  }

  /** A request as a client outside would send it. */
  async send(
    method: string,
    path: string,
    body?: Json,
    contentType = 'application/json',
  ): Promise<{ readonly status: number; readonly body: JsonObject }> {
    const [place = '', query = ''] = path.split('?');
    const bytes = body === undefined ? '' : JSON.stringify(body);
    const reply = await this.#server.handler({
      method,
      path: place,
      query: new URLSearchParams(query),
      headers: { 'content-type': contentType, accept: 'application/json' },
      signal: new AbortController().signal,
      body: async () => await Promise.resolve(new TextEncoder().encode(bytes)),
    });
    const text =
      typeof reply.body === 'string'
        ? reply.body
        : new TextDecoder().decode(reply.body as Uint8Array);
    return { status: reply.status, body: JSON.parse(text) as JsonObject };
  }

  create(object: JsonObject): ApiObject {
    const { resource, namespace } = this.#placeOf(object);
    return this.api.create({ context: administrator, resource, object, ...namespace });
  }

  get(resource: ResourceAddress, name: string, namespace?: string): ApiObject | undefined {
    try {
      const place = namespace === undefined ? {} : { namespace };
      return this.api.get({ context: administrator, resource, name, ...place });
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  list(resource: ResourceAddress, namespace?: string): readonly ApiObject[] {
    const place = namespace === undefined ? {} : { namespace };
    return this.api.list({ context: administrator, resource, ...place }).items;
  }

  names(resource: ResourceAddress, namespace?: string): readonly string[] {
    return this.list(resource, namespace).map(({ metadata }) => metadata.name);
  }

  merge(
    resource: ResourceAddress,
    object: ApiObject,
    patch: Json,
    subresource?: string,
  ): ApiObject {
    const { namespace, name } = object.metadata;
    return this.api.patch({
      context: administrator,
      resource,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      patchType: 'application/merge-patch+json',
      patch,
      ...(subresource === undefined ? {} : { subresource }),
    });
  }

  delete(resource: ResourceAddress, object: ApiObject, options: DeleteOptions = {}): void {
    const { namespace, name } = object.metadata;
    const place = namespace === undefined ? {} : { namespace };
    this.api.delete({ context: administrator, resource, name, ...place, options });
  }

  /** A node whose kubelet posts a status now; later heartbeats are `heartbeat`'s. */
  node(name: string, options: { readonly zone?: string; readonly cpu?: string } = {}): ApiObject {
    const labels: Record<string, string> = { 'kubernetes.io/hostname': name };
    if (options.zone !== undefined) labels['topology.kubernetes.io/zone'] = options.zone;
    const node = this.create({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
    const allocatable = { cpu: options.cpu ?? '4', memory: '16Gi', pods: '110' };
    return this.merge(
      address.nodes,
      node,
      { status: { allocatable, capacity: allocatable, conditions: [this.#readiness()] } },
      'status',
    );
  }

  heartbeat(): void {
    for (const node of this.list(address.nodes)) {
      this.merge(address.nodes, node, { status: { conditions: [this.#readiness()] } }, 'status');
    }
  }

  /** What kubelets do: they report, pods with a node run and are ready, those asked to go are gone. */
  kubelets(isReady: (pod: ApiObject) => boolean = () => true): void {
    this.heartbeat();
    for (const pod of this.list(address.pods)) {
      if (stringAt(pod, 'spec', 'nodeName') === undefined) continue;
      if (pod.metadata.deletionTimestamp !== undefined) {
        this.delete(address.pods, pod, { gracePeriodSeconds: 0 });
      } else if (stringAt(pod, 'status', 'phase') === 'Pending') this.setRunning(pod, isReady(pod));
    }
  }

  /** Lets time pass with kubelets at work, until everything that was begun is done. */
  async live(seconds = 20): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.run(1_000);
      this.kubelets();
    }
    await this.run();
  }

  setRunning(pod: ApiObject, isReady = true): void {
    const conditions = [
      {
        type: 'Ready',
        status: isReady ? 'True' : 'False',
        lastTransitionTime: toTimestamp(this.clock.now()),
      },
    ];
    this.merge(address.pods, pod, { status: { phase: 'Running', conditions } }, 'status');
  }

  finish(pod: ApiObject, phase: 'Succeeded' | 'Failed'): void {
    this.merge(address.pods, pod, { status: { phase } }, 'status');
  }

  #readiness(): Json {
    const now = toTimestamp(this.clock.now());
    return { type: 'Ready', status: 'True', lastHeartbeatTime: now, lastTransitionTime: now };
  }

  #placeOf(object: JsonObject): {
    readonly resource: ResourceAddress;
    readonly namespace: { readonly namespace?: string };
  } {
    const gv = parseApiVersion(stringAt(object, 'apiVersion') ?? '');
    const kind = builtInKinds.find(
      (row) => row.group === gv?.group && row.version === gv.version && row.kind === object['kind'],
    );
    if (kind === undefined) throw new Error(`no kind for ${JSON.stringify(object)}`);
    const { group, version, plural } = kind;
    const namespace = stringAt(object, 'metadata', 'namespace') ?? 'default';
    return {
      resource: { group, version, resource: plural },
      namespace: kind.namespaced ? { namespace } : {},
    };
  }
}
