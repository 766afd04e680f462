// A kubelet in its node: registers it, keeps it alive, says how it is, and runs its pods. In: what the machine is and was told at boot,
// and a connection with the node's own certificate. Out: a Node, its lease, its status and its pods, until the signal aborts.
//   registers, not ready ─▶ network up ─▶ Ready ─▶ GPUs
// 1. Registers once per start; a Node that is deleted under it is not made again.
// 2. Status is written when it changes and every five minutes; a frozen kubelet writes nothing.
import { sleep, type Clock } from '../../../base/clock.ts';
import { isAbort } from '../../../base/errors.ts';
import { objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { BootInstructions } from '../boot/boot-instructions.ts';
import type { Gate } from '../gate.ts';
import { isDone, refusalOf, type KubeConnection } from '../kube-connection.ts';
import type { TellEvent } from '../node-event.ts';
import type { PodHost } from '../pods/pod-host.ts';
import { PodManager } from '../pods/pod-manager.ts';
import type { Delays } from '../timings.ts';
import { NetworkReadiness } from './network-readiness.ts';
import { kubeletConditions, networkNotReady } from './node-conditions.ts';
import { keepLease } from './node-lease.ts';
import { nodeInfo, nodeNameOf, nodeObject, type KubeletMachine } from './node-object.ts';
import { nodeResources, type Hardware, type NodeResources } from './node-resources.ts';

export interface KubeletOptions {
  readonly machine: KubeletMachine;
  readonly boot: BootInstructions;
  readonly hardware: Hardware;
  readonly connection: KubeConnection;
  readonly clock: Clock;
  readonly delays: Delays;
  readonly gate: Gate;
  readonly tell: TellEvent;
  readonly log: (line: string) => void;
  readonly nextPodAddress: () => string;
  /** DaemonSets without whose pods there is no network. */
  readonly networkAgents: readonly string[];
  readonly leaseRenewMs: number;
  readonly registered: () => void;
}

/** What can be wrong with a node while its machine runs. */
export interface NodeTrouble {
  readonly isNotReady: boolean;
  readonly hasDiskPressure: boolean;
  readonly hasGpuError: boolean;
}

const noTrouble: NodeTrouble = { isNotReady: false, hasDiskPressure: false, hasGpuError: false };
const reportMs = 5 * 60_000;
const retryMs = 2000;
const evictionMs = 10_000;
const brokenRuntime =
  'container runtime is down, PLEG is not healthy: pleg was last seen active 3m0s ago; threshold is 3m0s';

export class Kubelet {
  readonly #options: KubeletOptions;
  readonly #signal: AbortSignal;
  readonly #pods: PodManager;
  readonly #network: NetworkReadiness;
  #trouble = noTrouble;
  #hasGpus = false;
  #wasReady = false;
  #conditions: readonly JsonObject[] = [];
  #wake: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(options: KubeletOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const { machine, clock, connection, delays, gate } = options;
    const host: PodHost = {
      clock,
      connection,
      delays,
      gate,
      signal,
      hostAddress: machine.vm.nics[0]?.privateAddress ?? '',
      images: new Set(),
      nextPodAddress: options.nextPodAddress,
      networkReady: (waiting) => this.#network.ready(waiting),
      podChanged: () => this.#network.podsChanged(),
    };
    this.#pods = new PodManager({
      host,
      nodeName: nodeNameOf(machine.vm),
      room: () => ({
        allocatable: this.#resources().allocatable,
        hasDiskPressure: this.#trouble.hasDiskPressure,
      }),
    });
    this.#network = new NetworkReadiness({
      agents: options.boot.networkPlugin === 'none' ? options.networkAgents : [],
      pods: () => this.#pods.workers,
      becameReady: () => this.#statusChanged(),
    });
  }

  get isReady(): boolean {
    return this.#wasReady;
  }

  setTrouble(change: Partial<NodeTrouble>): void {
    const hadPressure = this.#trouble.hasDiskPressure;
    this.#trouble = { ...this.#trouble, ...change };
    this.#statusChanged();
    if (hadPressure || !this.#trouble.hasDiskPressure) return;
    this.#relieve().catch((error: unknown) => {
      if (!isAbort(error)) throw error;
    });
  }

  /** Writes its status at once, as a kubelet does that was frozen and looks again. */
  resume(): void {
    this.#statusChanged();
  }

  async run(): Promise<void> {
    const { connection, clock, gate, leaseRenewMs } = this.#options;
    const nodeName = nodeNameOf(this.#options.machine.vm);
    await this.#register();
    this.#options.registered();
    const signal = this.#signal;
    await Promise.all([
      keepLease({ nodeName, connection, clock, gate, signal, renewMs: leaseRenewMs }),
      this.#report(),
      this.#pods.run(),
      this.#bringUp(),
    ]);
  }

  async #register(): Promise<void> {
    const { connection, clock, gate, machine, boot, log } = this.#options;
    const signal = this.#signal;
    for (;;) {
      await gate.pass(signal);
      const body = { ...nodeObject(machine, boot), status: this.#status() };
      const target = '/api/v1/nodes';
      const answer = await connection.send({ method: 'POST', target, body }, signal);
      const isKnown = answer.status === 409;
      if (isDone(answer) || isKnown) {
        log(isKnown ? 'kubelet: node was registered before' : 'kubelet: registered node');
        if (isKnown) await this.#noteRestart();
        return;
      }
      log(`kubelet: unable to register node: ${refusalOf(answer)}`);
      await sleep(clock, retryMs, { signal, label: 'kubelet registration' });
    }
  }

  /** The node as it was left: conditions keep their times, and a new boot is told. */
  async #noteRestart(): Promise<void> {
    const { connection, machine, tell } = this.#options;
    const nodeName = nodeNameOf(machine.vm);
    const target = `/api/v1/nodes/${nodeName}`;
    const { body } = await connection.send({ method: 'GET', target }, this.#signal);
    this.#conditions = objectsAt(body, 'status', 'conditions');
    if (textAt(body, 'status', 'nodeInfo', 'bootID') === machine.bootId) return;
    const message = `Node ${nodeName} has been rebooted, boot id: ${machine.bootId}`;
    const component = 'kubelet';
    await tell({ nodeName, type: 'Warning', reason: 'Rebooted', message, component }, this.#signal);
  }

  async #bringUp(): Promise<void> {
    const { clock, delays, boot, hardware } = this.#options;
    const signal = this.#signal;
    await sleep(clock, delays('networkMs'), { signal, label: 'node network' });
    this.#network.pluginInstalled();
    if (!boot.hasGpuDriver || hardware.gpus === 0) return;
    await this.#network.ready(signal);
    await sleep(clock, delays('gpuPluginMs'), { signal, label: 'GPU device plugin' });
    this.#hasGpus = true;
    this.#statusChanged();
  }

  /** One pod after the other, until the disk has room again. */
  async #relieve(): Promise<void> {
    const { clock, gate } = this.#options;
    const signal = this.#signal;
    for (;;) {
      await sleep(clock, evictionMs, { signal, label: 'kubelet eviction' });
      await gate.pass(signal);
      if (!this.#trouble.hasDiskPressure) return;
      this.#pods.evictOne();
    }
  }

  async #report(): Promise<never> {
    const { connection, gate, machine } = this.#options;
    const node = `/api/v1/nodes/${nodeNameOf(machine.vm)}`;
    const signal = this.#signal;
    for (;;) {
      await gate.pass(signal);
      this.#wake = Promise.withResolvers();
      // Read first: while the kubelet was silent others have said how its node is.
      const found = await connection.send({ method: 'GET', target: node }, signal);
      if (isDone(found)) this.#conditions = objectsAt(found.body, 'status', 'conditions');
      const body = { status: this.#status() };
      const answer = await connection.send(
        { method: 'PATCH', target: `${node}/status`, body },
        signal,
      );
      if (isDone(answer)) await this.#noteReadiness();
      // Gone is gone: only the machine's next start makes a node of it again.
      const isToRetry = !isDone(answer) && answer.status !== 404;
      await this.#wait(isToRetry ? retryMs : reportMs);
    }
  }

  async #noteReadiness(): Promise<void> {
    const { machine, tell } = this.#options;
    const isReady = this.#notReady() === undefined;
    if (isReady === this.#wasReady) return;
    this.#wasReady = isReady;
    const nodeName = nodeNameOf(machine.vm);
    const reason = isReady ? 'NodeReady' : 'NodeNotReady';
    const message = `Node ${nodeName} status is now: ${reason}`;
    await tell({ nodeName, type: 'Normal', reason, message, component: 'kubelet' }, this.#signal);
  }

  /** Until the time is over or the status has changed. */
  async #wait(ms: number): Promise<void> {
    const done = new AbortController();
    const signal = AbortSignal.any([this.#signal, done.signal]);
    const slept = sleep(this.#options.clock, ms, { signal, label: 'node status' });
    try {
      await Promise.race([slept, this.#wake.promise]);
    } finally {
      done.abort();
      slept.catch(() => undefined);
    }
  }

  #statusChanged(): void {
    this.#wake.resolve();
  }

  #notReady(): string | undefined {
    if (this.#trouble.isNotReady) return brokenRuntime;
    return this.#network.isReady ? undefined : networkNotReady;
  }

  #resources(): NodeResources {
    const { hardware, boot } = this.#options;
    const healthy = this.#trouble.hasGpuError ? hardware.gpus - 1 : hardware.gpus;
    return nodeResources(hardware, boot.kubelet, this.#hasGpus ? healthy : undefined);
  }

  #status(): JsonObject {
    const { machine, boot, clock } = this.#options;
    const health = {
      notReady: this.#notReady(),
      hasDiskPressure: this.#trouble.hasDiskPressure,
    };
    const conditions = kubeletConditions(health, this.#conditions, clock.now());
    this.#conditions = conditions;
    return {
      ...this.#resources(),
      conditions: [...conditions],
      nodeInfo: nodeInfo(machine, boot),
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    };
  }
}
