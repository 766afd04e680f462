// Operations that end when others have ended: AKS makes machines, interfaces and pools of them, and is done when they are. In:
// parts that each call back once. Out: one operation to poll, and the state of the resource that it is about.
// 1. It ends once: with the first failure, or when all parts and its own time are over.
// 2. What fails, delays or sticks on request strikes its own time, so such a fault holds the whole.
import type { ArmCall, ArmReply, ResourceType } from '../arm/arm-call.ts';
import type { AzureEnvironment } from '../environment.ts';
import { preempted, type ArmError } from '../errors.ts';
import type { Started } from '../operations/operations.ts';
import type { Resource } from '../store.ts';
import { stateOf } from './cluster.ts';

export type Done = (error?: ArmError) => void;
export type Part = (done: Done) => void;

export interface Undertaking {
  readonly location: string;
  readonly parts: readonly Part[];
  readonly ended?: (error: ArmError | undefined) => void;
}

export class Undertakings {
  readonly #env: AzureEnvironment;
  /** What answers the write that is being answered right now. */
  #latest: Started | undefined;

  constructor(env: AzureEnvironment) {
    this.#env = env;
  }

  /** Tells of the first failure, or that all parts are done; once. */
  gather(parts: readonly Part[], done: Done): void {
    let waiting = parts.length;
    const end: Done = (error) => {
      if (waiting <= 0) return;
      waiting = error === undefined ? waiting - 1 : 0;
      if (waiting === 0) done(error);
    };
    if (waiting === 0) done();
    for (const part of parts) part(end);
  }

  run(call: ArmCall, { location, parts, ended }: Undertaking): Started {
    const { operations } = this.#env;
    const own = operations.start(call, { location, run: () => undefined });
    const shown = operations.open(call, location);
    const ownTime: Part = (done) => operations.whenEnded(own.id, ({ error }) => done(error));
    this.gather([ownTime, ...parts], (error) => {
      if (error !== undefined) operations.cancel(own.id, preempted());
      // First the resource, then the operation: who sees the end finds everything as it is to be.
      ended?.(error);
      operations.close(shown.id, error);
    });
    this.#latest = shown;
    return shown;
  }

  /** The same for a stored resource, whose state follows. */
  begin(
    call: ArmCall,
    resource: Resource,
    work: Undertaking & { readonly state: 'Creating' | 'Updating' },
  ): Started {
    const { lifecycle } = this.#env;
    lifecycle.setState(resource.id, work.state);
    return this.run(call, {
      ...work,
      ended: (error) => {
        this.settle(resource.id, error);
        work.ended?.(error);
      },
    });
  }

  /** The state after what was under way has ended; what is going meanwhile stays so. */
  settle(id: string, error: ArmError | undefined): void {
    const { lifecycle, store } = this.#env;
    const resource = store.get(id);
    if (resource === undefined || stateOf(resource) === 'Deleting') return;
    lifecycle.setState(id, error === undefined ? 'Succeeded' : 'Failed');
  }

  /** Writes of the type answer with the operation that they began. */
  answering(type: ResourceType): ResourceType {
    const { put, patch } = type;
    const answering =
      (handler: (call: ArmCall) => ArmReply) =>
      (call: ArmCall): ArmReply => {
        this.#takeLatest();
        const reply = handler(call);
        const started = this.#takeLatest();
        return started === undefined ? reply : { ...reply, headers: started.headers };
      };
    return {
      ...type,
      ...(put === undefined ? {} : { put: answering(put) }),
      ...(patch === undefined ? {} : { patch: answering(patch) }),
    };
  }

  #takeLatest(): Started | undefined {
    const latest = this.#latest;
    this.#latest = undefined;
    return latest;
  }
}
