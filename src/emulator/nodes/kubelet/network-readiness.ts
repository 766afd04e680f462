// When a node has a network. In: that the plugin's time is over, and the pods on the node. Out: ready once, and for good: when the
// plugin is there, the pods of every agent that it needs run here, and so do all daemons that live in the host's own network.
import { at, objectsAt, stringAt, type JsonObject } from '../../kube/json.ts';
import { until } from '../gate.ts';
import type { PodWorker } from '../pods/pod-worker.ts';

export class NetworkReadiness {
  readonly #agents: readonly string[];
  readonly #pods: () => readonly PodWorker[];
  readonly #becameReady: () => void;
  readonly #done = Promise.withResolvers<void>();
  #hasPlugin = false;
  #isReady = false;

  constructor(options: {
    readonly agents: readonly string[];
    readonly pods: () => readonly PodWorker[];
    readonly becameReady: () => void;
  }) {
    this.#agents = options.agents;
    this.#pods = options.pods;
    this.#becameReady = options.becameReady;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  pluginInstalled(): void {
    this.#hasPlugin = true;
    this.podsChanged();
  }

  podsChanged(): void {
    if (this.#isReady || !this.#hasPlugin || !this.#daemonsRun()) return;
    this.#isReady = true;
    this.#done.resolve();
    this.#becameReady();
  }

  async ready(signal: AbortSignal): Promise<void> {
    if (!this.#isReady) await until(this.#done.promise, signal);
  }

  #daemonsRun(): boolean {
    const daemons = this.#pods().filter(({ pod }) => isHostDaemon(pod));
    const up = new Set(daemons.filter(({ isUp }) => isUp).map(({ pod }) => daemonSetOf(pod)));
    return daemons.every(({ isUp }) => isUp) && this.#agents.every((agent) => up.has(agent));
  }
}

function isHostDaemon(pod: JsonObject): boolean {
  return daemonSetOf(pod) !== undefined && at(pod, 'spec', 'hostNetwork') === true;
}

function daemonSetOf(pod: JsonObject): string | undefined {
  const owner = objectsAt(pod, 'metadata', 'ownerReferences').find(
    ({ kind }) => kind === 'DaemonSet',
  );
  return stringAt(owner, 'name');
}
