// One informer per resource for all controllers of a manager, made when first asked for.
// In: resource addresses. Out: shared live copies, started and drained together.
import type { KubeApi, RequestContext, ResourceAddress } from '../../api.ts';
import { Informer } from './informer.ts';

export class Informers {
  readonly #api: KubeApi;
  readonly #context: RequestContext;
  readonly #informers = new Map<string, Informer>();
  #wake: (() => void) | undefined;

  constructor(options: { readonly api: KubeApi; readonly context: RequestContext }) {
    this.#api = options.api;
    this.#context = options.context;
  }

  /** After `start` a newly asked informer is filled at once. */
  of(resource: ResourceAddress): Informer {
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    const known = this.#informers.get(key);
    if (known !== undefined) return known;
    const informer = new Informer({ api: this.#api, context: this.#context, resource });
    this.#informers.set(key, informer);
    if (this.#wake !== undefined) informer.start(this.#wake);
    return informer;
  }

  start(wake: () => void): void {
    this.#wake = wake;
    for (const informer of this.#informers.values()) informer.start(wake);
  }

  stop(): void {
    this.#wake = undefined;
    for (const informer of this.#informers.values()) informer.stop();
  }

  /** True when anything has happened since the last call. */
  drain(): boolean {
    let changed = false;
    for (const informer of this.#informers.values()) changed = informer.drain() || changed;
    return changed;
  }
}
