// One virtual machine, from power on to its end. In: its power, its payload and what happens to it. Out: a node of the cluster that the
// payload names, or a boot log that says why not.
//   off ─▶ booting ─▶ joining ─▶ running        any ─▶ off: power, eviction, deletion
//              └────────┴─▶ failed
// 1. Without power nothing of it runs: no lease, no status, no pod, and nobody is told; the cluster finds out by itself.
// 2. The certificate is on the disk: it outlives a restart, and is lost when the machine is made anew.
// 3. Only the payload makes it a node: nothing that it does not say is filled in.
import { sleep, type Clock } from '../../base/clock.ts';
import { isAbort } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import { randomUuid } from '../../base/uuid.ts';
import type { VirtualMachine, VmExtension } from '../azure/compute/vm-events.ts';
import type { SizeFacts } from '../azure/facts.ts';
import { readBoot, type BootInstructions, type BootReading } from './boot/boot-instructions.ts';
import { until } from './gate.ts';
import { KubeConnection } from './kube-connection.ts';
import { reach, type KubeEndpoint } from './kube-endpoint.ts';
import { requestCertificate, type NodeCertificate } from './kubelet/client-certificate.ts';
import { nodeNameOf } from './kubelet/node-object.ts';
import { hardwareOf, type Hardware } from './kubelet/node-resources.ts';
import type { NodeFault } from './node-fault.ts';
import { NodePrograms } from './node-programs.ts';
import type { ScheduledEvent } from './problem-detector.ts';
import type { Delays } from './timings.ts';

export type MachinePhase = 'off' | 'booting' | 'joining' | 'running' | 'failed';

export interface MachineHost {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly delays: Delays;
  readonly endpoints: readonly KubeEndpoint[];
  readonly networkAgents: readonly string[];
  readonly leaseRenewMs: number;
}

const joinRetryMs = 10_000;
const longestLog = 200;

export class Machine {
  readonly #host: MachineHost;
  readonly #size: SizeFacts;
  readonly #hardware: Hardware;
  readonly #nextPodAddress: () => string;
  readonly #lines: string[] = [];
  #vm: VirtualMachine;
  #phase: MachinePhase = 'off';
  #power: AbortController | undefined;
  #programs: NodePrograms | undefined;
  #certificate: NodeCertificate | undefined;
  #extended = Promise.withResolvers<void>();

  constructor(
    host: MachineHost,
    parts: {
      readonly vm: VirtualMachine;
      readonly size: SizeFacts;
      readonly nextPodAddress: () => string;
    },
  ) {
    this.#host = host;
    this.#vm = parts.vm;
    this.#size = parts.size;
    this.#nextPodAddress = parts.nextPodAddress;
    const { size, vm } = parts;
    this.#hardware = hardwareOf({ size, osDiskSizeGb: vm.osDiskSizeGb, random: host.random });
  }

  get vm(): VirtualMachine {
    return this.#vm;
  }

  get phase(): MachinePhase {
    return this.#phase;
  }

  get isReady(): boolean {
    return this.#programs?.isReady ?? false;
  }

  /** As Azure's boot diagnostics show it. */
  get bootLog(): readonly string[] {
    return this.#lines;
  }

  see(vm: VirtualMachine): void {
    this.#vm = vm;
  }

  powerOn(): void {
    if (this.#power !== undefined) return;
    const power = new AbortController();
    this.#power = power;
    this.#boot(power.signal).catch((error: unknown) => {
      if (isAbort(error)) return;
      this.#fail('a program on it failed');
      this.#host.log.error('a machine failed', { error, vm: this.#vm.id });
    });
  }

  powerOff(): void {
    if (this.#power === undefined) return;
    this.#power.abort();
    this.#power = undefined;
    this.#programs = undefined;
    this.#phase = 'off';
    this.#say('power off');
  }

  restart(): void {
    this.powerOff();
    this.powerOn();
  }

  /** A new disk from the same image: what the machine had learnt is lost. */
  reimage(): void {
    this.#certificate = undefined;
    this.restart();
  }

  extensionInstalled(): void {
    this.#extended.resolve();
    this.#extended = Promise.withResolvers();
  }

  /** Nothing happens to a machine that is no node. */
  setFault(fault: NodeFault, isOn: boolean): void {
    this.#programs?.setFault(fault, isOn);
  }

  announce(event: ScheduledEvent): void {
    this.#programs?.announce(event);
  }

  async #boot(signal: AbortSignal): Promise<void> {
    const { clock, delays } = this.#host;
    this.#phase = 'booting';
    this.#say('power on');
    if (!this.#vm.boots) {
      this.#fail('the operating system does not start');
      return;
    }
    const bootId = randomUuid(this.#host.random);
    await sleep(clock, delays('osBootMs'), { signal, label: 'machine boot' });
    const reading = await this.#payload(signal);
    if (reading.outcome !== 'boots') {
      this.#fail(reading.reason);
      return;
    }
    await sleep(clock, delays('provisionMs'), { signal, label: 'machine provisioning' });
    const { instructions } = reading;
    const reached = reach(this.#host.endpoints, instructions);
    if (!reached.ok) {
      this.#fail(`kubelet: ${reached.reason}`);
      return;
    }
    this.#phase = 'joining';
    await sleep(clock, delays('kubeletStartMs'), { signal, label: 'kubelet start' });
    this.#certificate ??= await this.#join(reached.endpoint, instructions, signal);
    await this.#live({ endpoint: reached.endpoint, boot: instructions, bootId, signal });
  }

  /** Waits as long as the payload says that more is to come. */
  async #payload(signal: AbortSignal): Promise<BootReading> {
    for (;;) {
      const more = this.#extended.promise;
      const commands = this.#vm.extensions.flatMap((extension) => commandOf(extension));
      const { customData } = this.#vm;
      const reading = readBoot({ customData, commands });
      if (reading.outcome !== 'waits') return reading;
      this.#say(reading.reason);
      await until(more, signal);
    }
  }

  /** A machine whose token is refused asks again, for as long as it lives. */
  async #join(
    { handler }: KubeEndpoint,
    { bootstrapToken: token, kubernetesVersion }: BootInstructions,
    signal: AbortSignal,
  ): Promise<NodeCertificate> {
    const { clock } = this.#host;
    const agent = `kubelet/v${kubernetesVersion} (linux)`;
    const connection = new KubeConnection({ handler, credential: { token }, agent });
    for (;;) {
      const nodeName = nodeNameOf(this.#vm);
      const outcome = await requestCertificate({ connection, nodeName, clock, signal });
      if (outcome.ok) return outcome.certificate;
      this.#say(`kubelet: no client certificate: ${outcome.reason}`);
      await sleep(clock, joinRetryMs, { signal, label: 'kubelet bootstrap' });
    }
  }

  async #live(parts: {
    readonly endpoint: KubeEndpoint;
    readonly boot: BootInstructions;
    readonly bootId: string;
    readonly signal: AbortSignal;
  }): Promise<void> {
    const { endpoint, boot, bootId, signal } = parts;
    const certificate = this.#certificate;
    if (certificate === undefined) return;
    const programs = new NodePrograms(
      {
        ...this.#host,
        machine: { vm: this.#vm, size: this.#size, bootId },
        boot,
        hardware: this.#hardware,
        endpoint,
        certificate,
        log: (line) => this.#say(line),
        nextPodAddress: this.#nextPodAddress,
        renewed: (renewed) => {
          this.#certificate = renewed;
        },
      },
      signal,
    );
    this.#programs = programs;
    this.#phase = 'running';
    await programs.run();
  }

  #fail(why: string): void {
    this.#phase = 'failed';
    this.#say(why);
    this.#host.log.info('a machine does not become a node', { vm: this.#vm.id, reason: why });
  }

  #say(line: string): void {
    const at = new Date(this.#host.clock.now()).toISOString();
    this.#lines.push(`${at} ${line}`);
    if (this.#lines.length > longestLog) this.#lines.shift();
  }
}

/** Of a script extension; none of any other. */
function commandOf({ type, settings, protectedSettings }: VmExtension): string[] {
  if (type !== 'CustomScript') return [];
  const command = protectedSettings['commandToExecute'] ?? settings['commandToExecute'];
  return typeof command === 'string' ? [command] : [];
}
