// The programs of a machine that has become a node: kubelet, Azure's agent and problem detector, and the renewal of their certificate.
// In: what the machine is, was told at boot and is trusted with. Out: a way to make them fail; they run until the signal aborts.
import { sleep, type Clock } from '../../base/clock.ts';
import { isAbort } from '../../base/errors.ts';
import type { Random } from '../../base/random.ts';
import type { BootInstructions } from './boot/boot-instructions.ts';
import { initializeNode } from './cloud-node-manager.ts';
import { Gate } from './gate.ts';
import { KubeConnection } from './kube-connection.ts';
import type { KubeEndpoint } from './kube-endpoint.ts';
import { requestCertificate, type NodeCertificate } from './kubelet/client-certificate.ts';
import { Kubelet } from './kubelet/kubelet.ts';
import { nodeNameOf, type KubeletMachine } from './kubelet/node-object.ts';
import type { Hardware } from './kubelet/node-resources.ts';
import { createEventTeller } from './node-event.ts';
import type { NodeFault } from './node-fault.ts';
import { ProblemDetector, type ScheduledEvent } from './problem-detector.ts';
import type { Delays } from './timings.ts';

export interface NodeProgramsOptions {
  readonly machine: KubeletMachine;
  readonly boot: BootInstructions;
  readonly hardware: Hardware;
  readonly endpoint: KubeEndpoint;
  readonly certificate: NodeCertificate;
  readonly clock: Clock;
  readonly random: Random;
  readonly delays: Delays;
  readonly log: (line: string) => void;
  readonly nextPodAddress: () => string;
  readonly networkAgents: readonly string[];
  readonly leaseRenewMs: number;
  readonly renewed: (certificate: NodeCertificate) => void;
}

/** Of a certificate's life: what is left is enough for a server that is away for weeks. */
const renewAt = 0.8;
const renewRetryMs = 60_000;

export class NodePrograms {
  readonly #options: NodeProgramsOptions;
  readonly #signal: AbortSignal;
  readonly #connection: KubeConnection;
  readonly #detector: ProblemDetector;
  readonly #kubelet: Kubelet;
  readonly #gate = new Gate();
  readonly #registered = Promise.withResolvers<void>();

  constructor(options: NodeProgramsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const { endpoint, boot, clock, hardware, machine } = options;
    const { certificate } = options.certificate;
    const agent = `kubelet/v${boot.kubernetesVersion} (linux)`;
    const connection = new KubeConnection({
      handler: endpoint.handler,
      credential: { certificate },
      agent,
    });
    this.#connection = connection;
    const tell = createEventTeller({ connection, clock, random: options.random });
    const nodeName = nodeNameOf(machine.vm);
    const hasGpu = boot.hasGpuDriver && hardware.gpus > 0;
    this.#detector = new ProblemDetector({ nodeName, connection, clock, tell, hasGpu });
    const registered = (): void => this.#registered.resolve();
    const gate = this.#gate;
    this.#kubelet = new Kubelet({ ...options, connection, gate, tell, registered }, signal);
  }

  get isReady(): boolean {
    return this.#kubelet.isReady;
  }

  async run(): Promise<void> {
    await Promise.all([this.#kubelet.run(), this.#initialize(), this.#renew()]);
  }

  setFault(fault: NodeFault, isOn: boolean): void {
    switch (fault) {
      case 'not-ready':
        this.#kubelet.setTrouble({ isNotReady: isOn });
        return;
      case 'disk-pressure':
        this.#kubelet.setTrouble({ hasDiskPressure: isOn });
        return;
      case 'gpu-error':
        this.#kubelet.setTrouble({ hasGpuError: isOn });
        this.#detect(() => this.#detector.gpuError(isOn, this.#signal));
        return;
      case 'frozen':
        if (isOn) this.#gate.shut();
        else this.#gate.open();
        if (!isOn) this.#kubelet.resume();
        return;
      default:
        fault satisfies never;
    }
  }

  announce(event: ScheduledEvent): void {
    const { clock, delays } = this.#options;
    this.#detect(async () => {
      await sleep(clock, delays('noticeMs'), { signal: this.#signal, label: 'scheduled event' });
      await this.#detector.announce(event, this.#signal);
    });
  }

  /** The detector works on its own; when the machine goes it goes with it. */
  #detect(work: () => Promise<void>): void {
    const done = async (): Promise<void> => {
      await this.#registered.promise;
      await work();
    };
    done().catch((error: unknown) => {
      if (!isAbort(error)) throw error;
    });
  }

  async #initialize(): Promise<void> {
    const { boot, endpoint, clock, delays, machine } = this.#options;
    const signal = this.#signal;
    await this.#registered.promise;
    await this.#detector.start(signal);
    if (boot.kubelet.flags.get('cloud-provider') !== 'external') return;
    await sleep(clock, delays('cloudInitMs'), { signal, label: 'cloud node manager' });
    const connection = new KubeConnection({
      handler: endpoint.handler,
      credential: { token: endpoint.cloudToken },
      agent: 'cloud-node-manager',
    });
    await initializeNode({ vm: machine.vm, connection, clock, signal });
  }

  async #renew(): Promise<never> {
    const { clock, machine } = this.#options;
    const signal = this.#signal;
    let { notBeforeMs, notAfterMs } = this.#options.certificate;
    for (;;) {
      const dueMs = notBeforeMs + renewAt * (notAfterMs - notBeforeMs);
      const waitMs = Math.max(renewRetryMs, dueMs - clock.now());
      await sleep(clock, waitMs, { signal, label: 'kubelet certificate renewal' });
      const nodeName = nodeNameOf(machine.vm);
      const connection = this.#connection;
      const outcome = await requestCertificate({ connection, nodeName, clock, signal });
      if (!outcome.ok) continue;
      ({ notBeforeMs, notAfterMs } = outcome.certificate);
      connection.use({ certificate: outcome.certificate.certificate });
      this.#options.renewed(outcome.certificate);
    }
  }
}
