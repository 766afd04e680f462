// The agent by which AKS shows what is wrong with a machine, or is about to happen to it. In: problems as they come and go. Out: node
// conditions and events in its words, written with the node's own credential.
// A scheduled event shows as VMEventScheduled whatever its type; the end of a spot machine shows as PreemptionScheduled as well.
import type { Clock } from '../../base/clock.ts';
import { objectsAt, type JsonObject } from '../kube/json.ts';
import { isDone, type KubeConnection } from './kube-connection.ts';
import { stamped } from './kubelet/node-conditions.ts';
import type { TellEvent } from './node-event.ts';

export type ScheduledEventType = 'Freeze' | 'Reboot' | 'Redeploy' | 'Preempt' | 'Terminate';

export interface ScheduledEvent {
  readonly type: ScheduledEventType;
  readonly atMs: number;
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

const healthy: readonly Condition[] = [
  well('ContainerRuntimeProblem', 'ContainerRuntimeIsUp', 'container runtime service is up'),
  well('FilesystemCorruptionProblem', 'FilesystemIsOK', 'Filesystem is healthy'),
  well(
    'FrequentContainerdRestart',
    'NoFrequentContainerdRestart',
    'containerd is functioning properly',
  ),
  well('FrequentKubeletRestart', 'NoFrequentKubeletRestart', 'kubelet is functioning properly'),
  well(
    'FrequentUnregisterNetDevice',
    'NoFrequentUnregisterNetDevice',
    'node is functioning properly',
  ),
  well('KernelDeadlock', 'KernelHasNoDeadlock', 'kernel has no deadlock'),
  well('KubeletProblem', 'KubeletIsUp', 'kubelet service is up'),
  well('ReadonlyFilesystem', 'FilesystemIsNotReadOnly', 'Filesystem is not read-only'),
  well('VMEventScheduled', 'NoVMEventScheduled', 'VM has no scheduled event'),
];

const healthyGpu: readonly Condition[] = [
  well('GPUMissing', 'NoGPUMissing', 'All GPUs are present'),
  well('XIDErrors', 'NoXIDErrors', 'GPU XID errors not found in kernel log'),
];

const nodeHealthy = 'kubernetes.azure.com/NodeHealthy';

function well(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', reason, message };
}

export class ProblemDetector {
  readonly #nodeName: string;
  readonly #connection: KubeConnection;
  readonly #clock: Clock;
  readonly #tell: TellEvent;
  readonly #hasGpu: boolean;

  constructor(options: {
    readonly nodeName: string;
    readonly connection: KubeConnection;
    readonly clock: Clock;
    readonly tell: TellEvent;
    readonly hasGpu: boolean;
  }) {
    this.#nodeName = options.nodeName;
    this.#connection = options.connection;
    this.#clock = options.clock;
    this.#tell = options.tell;
    this.#hasGpu = options.hasGpu;
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.#write([...healthy, ...(this.#hasGpu ? healthyGpu : [])], signal);
  }

  async announce({ type, atMs }: ScheduledEvent, signal: AbortSignal): Promise<void> {
    const at = new Date(atMs).toUTCString();
    const message = `${type} Scheduled: ${at}. DurationInSeconds: -1.`;
    const preempted: Condition = {
      type: 'PreemptionScheduled',
      status: 'True',
      reason: 'PreemptScheduled',
      message,
    };
    const scheduled: Condition = {
      type: 'VMEventScheduled',
      status: 'True',
      reason: 'VMEventScheduled',
      message,
    };
    await this.#write([scheduled, ...(type === 'Preempt' ? [preempted] : [])], signal);
    await this.#event(
      'VMEventScheduled',
      `Node condition VMEventScheduled is now: True, reason: VMEventScheduled, message: "${message}"`,
      signal,
    );
    await this.#event(`${type}Scheduled`, message, signal);
  }

  async gpuError(isBroken: boolean, signal: AbortSignal): Promise<void> {
    const message = 'GPU XID errors found in kernel log: Xid 79, GPU has fallen off the bus';
    const broken: readonly Condition[] = [
      { type: 'XIDErrors', status: 'True', reason: 'XIDErrorsPresent', message },
      { type: nodeHealthy, status: 'False', reason: 'XIDErrors', message },
    ];
    const mended: readonly Condition[] = [
      ...healthyGpu,
      { type: nodeHealthy, status: 'True', reason: 'NodeHealthy', message: 'node is healthy' },
    ];
    await this.#write(isBroken ? broken : mended, signal);
    if (isBroken) await this.#event('XIDErrors', message, signal);
  }

  async #write(conditions: readonly Condition[], signal: AbortSignal): Promise<void> {
    const target = `/api/v1/nodes/${this.#nodeName}`;
    const node = await this.#connection.send({ method: 'GET', target }, signal);
    if (!isDone(node)) return;
    const before = objectsAt(node.body, 'status', 'conditions');
    const nowMs = this.#clock.now();
    const body: JsonObject = {
      status: { conditions: conditions.map((one) => stamped({ ...one }, before, nowMs)) },
    };
    await this.#connection.send({ method: 'PATCH', target: `${target}/status`, body }, signal);
  }

  async #event(reason: string, message: string, signal: AbortSignal): Promise<void> {
    const component = 'custom-scheduledevents-consolidated-condition-plugin-monitor';
    const nodeName = this.#nodeName;
    await this.#tell({ nodeName, type: 'Warning', reason, message, component }, signal);
  }
}
