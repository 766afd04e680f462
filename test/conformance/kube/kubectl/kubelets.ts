// Nodes whose pods run, for clusters that have no kubelets. In: a connection and the names of nodes. Out: Node objects
// that stay Ready, and pods on them that run as their image says, are Ready, and go when they are deleted.
// 1. Works through the API alone, so the emulated cluster and a real one get the very same.
// 2. After `stop` nothing of it goes on.
import { sleep, systemClock } from '../../../../src/base/clock.ts';
import type { Connection, KubeObject } from './connection.ts';

const mergePatch = 'application/merge-patch+json';
const leaseRenewalMs = 10_000;

/** What becomes of a pod is in the name of its first image; any other image runs and is ready. */
const images = {
  runs: 'example.com/web:1',
  succeeds: 'example.com/succeeds:1',
  fails: 'example.com/fails:1',
  neverReady: 'example.com/never-ready:1',
} as const;

export class Kubelets {
  readonly #connection: Connection;
  readonly #ending = new AbortController();
  readonly #names = new Set<string>();
  #addresses = 0;
  #work: readonly Promise<void>[] = [];

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async start(connection: Connection, names: readonly string[]): Promise<Kubelets> {
    const kubelets = new Kubelets(connection);
    await Promise.all(names.map((name) => kubelets.add(name)));
    kubelets.#work = [kubelets.#runPods(), kubelets.#renew()];
    return kubelets;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled(this.#work);
  }

  /** With a `purpose` only pods come to the node that tolerate it, and select it by its label of the same name. */
  async add(name: string, purpose?: string): Promise<void> {
    this.#names.add(name);
    const taints =
      purpose === undefined ? [] : [{ key: 'purpose', value: purpose, effect: 'NoSchedule' }];
    const labels = {
      ...(purpose === undefined ? {} : { purpose }),
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
    };
    await this.#connection.send('POST', '/api/v1/nodes', {
      metadata: { name, labels },
      spec: { taints },
    });
    await this.#connection.send(
      'POST',
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
      {
        metadata: { name },
        spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime() },
      },
    );
    await this.#connection.send(
      'PATCH',
      `/api/v1/nodes/${name}/status`,
      { status: nodeStatus() },
      mergePatch,
    );
  }

  async #renew(): Promise<void> {
    for (;;) {
      await sleep(systemClock, leaseRenewalMs, { signal: this.#ending.signal });
      const spec = { renewTime: microTime() };
      for (const name of this.#names) {
        const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`;
        await this.#connection.send('PATCH', path, { spec }, mergePatch);
      }
    }
  }

  async #runPods(): Promise<void> {
    for await (const { type, object } of this.#connection.watch(
      '/api/v1/pods',
      this.#ending.signal,
    )) {
      if (type !== 'DELETED' && this.#names.has(object.spec.nodeName ?? '')) {
        await this.#look(object);
      }
    }
  }

  async #look(pod: KubeObject): Promise<void> {
    const { name, namespace, uid, deletionTimestamp } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    if (deletionTimestamp !== undefined) {
      const options = { gracePeriodSeconds: 0, preconditions: { uid } };
      await this.#connection.send('DELETE', path, options);
      return;
    }
    if (pod.status?.phase !== 'Pending') return;
    this.#addresses += 1;
    const podIP = `10.244.0.${this.#addresses}`;
    await this.#connection.send(
      'PATCH',
      `${path}/status`,
      { status: podStatus(pod, podIP) },
      mergePatch,
    );
  }
}

/** Of no fixed moment: nothing that is compared shows it. */
function now(): string {
  return new Date(systemClock.now()).toISOString().replace(/\.\d+/, '');
}

function microTime(): string {
  return new Date(systemClock.now()).toISOString().replace('Z', '000Z');
}

function nodeStatus(): object {
  const amounts = { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '50Gi' };
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: now(),
    lastTransitionTime: now(),
  });
  return {
    capacity: amounts,
    allocatable: amounts,
    conditions: [
      condition(
        'MemoryPressure',
        'False',
        'KubeletHasSufficientMemory',
        'kubelet has sufficient memory available',
      ),
      condition(
        'DiskPressure',
        'False',
        'KubeletHasNoDiskPressure',
        'kubelet has no disk pressure',
      ),
      condition(
        'PIDPressure',
        'False',
        'KubeletHasSufficientPID',
        'kubelet has sufficient PID available',
      ),
      condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
    ],
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    // Nothing listens there: whatever ends at a kubelet is refused.
    daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
    nodeInfo: {
      machineID: 'm',
      systemUUID: 's',
      bootID: 'b',
      kernelVersion: '6.8.0',
      osImage: 'Ubuntu 24.04 LTS',
      containerRuntimeVersion: 'containerd://2.0.0',
      kubeletVersion: 'v1.35.4',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}

function podStatus(pod: KubeObject, podIP: string): object {
  const containers = pod.spec.containers ?? [];
  const image = containers[0]?.image;
  const ended = image === images.succeeds || image === images.fails;
  const ready = !ended && image !== images.neverReady;
  const exitCode = image === images.fails ? 1 : 0;
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  const over = { exitCode, reason, startedAt: now(), finishedAt: now() };
  const state = ended ? { terminated: over } : { running: { startedAt: now() } };
  const phase = ended ? (exitCode === 0 ? 'Succeeded' : 'Failed') : 'Running';
  const condition = (type: string, holds: boolean) => ({
    type,
    status: holds ? 'True' : 'False',
    lastTransitionTime: now(),
    ...(holds || !ended ? {} : { reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' }),
  });
  return {
    phase,
    startTime: now(),
    hostIP: '127.0.0.1',
    hostIPs: [{ ip: '127.0.0.1' }],
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: [
      condition('PodReadyToStartContainers', !ended),
      condition('Initialized', true),
      condition('Ready', ready),
      condition('ContainersReady', ready),
      condition('PodScheduled', true),
    ],
    containerStatuses: containers.map((container) => ({
      name: container.name,
      image: container.image,
      imageID: `${container.image}@sha256:0`,
      containerID: `containerd://${container.name}`,
      ready,
      started: !ended,
      restartCount: 0,
      state,
      lastState: {},
    })),
  };
}
