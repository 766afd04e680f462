// What happens to a launch after Azure has accepted it. In: the launch and its claim. Out: nothing if the machine gets complete;
// otherwise the machine is taken away and its claim with it, so that pods are scheduled anew.
// 1. A claim is judged only after its launch is on record: whoever writes that down must not find it gone.
// 2. A machine whose node has joined is not taken from under its pods: its claim goes, and its node is drained first.
// 3. A claim is followed by one at a time, however often its launch is taken up.
// 4. Nothing runs on after `drain` has resolved.
import type { NodeClaim } from '../../api/node-claim.ts';
import { nodeClaimCondition, nodeClaims } from '../../api/node-claim.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import { asError, describeError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { type Recorder, referenceTo } from '../../kube/events/event-recorder.ts';
import { findCondition, isConditionTrue } from '../../model/conditions.ts';
import type { Instance, Instances, Launch } from './instance.ts';
import type { Launcher } from './launcher.ts';

/** The claims of the cluster, as far as launches end them. */
export interface ClaimPort {
  get(name: string): NodeClaim | undefined;
  /** Gone already is as good. The reason is for the count of disrupted claims. */
  delete(nodeClaim: NodeClaim, reason: string, signal: AbortSignal): Promise<void>;
}

export interface CompletionOptions {
  readonly launcher: Pick<Launcher, 'learn'>;
  readonly instances: Pick<Instances, 'discard'>;
  readonly claims: ClaimPort;
  readonly events: Recorder;
  readonly clock: Clock;
  readonly log: Logger;
}

const lookEveryMs = 500;
const longestText = 500;

export class Completion {
  readonly #options: CompletionOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: CompletionOptions) {
    this.#options = options;
  }

  /** Waits here; throws why the machine will never be complete, with nothing of it left. */
  async wait(nodeClaim: NodeClaim, launch: Launch, signal: AbortSignal): Promise<void> {
    try {
      await launch.completed(signal);
    } catch (error) {
      signal.throwIfAborted();
      const told = this.#tell(nodeClaim, { instance: launch.instance, error });
      await this.#options.instances.discard(nodeClaim.metadata.name, signal);
      throw told;
    }
  }

  /** Waits in the background. */
  follow(nodeClaim: NodeClaim, launch: Launch): void {
    const { signal } = this.#stopping;
    const key = nodeClaim.metadata.uid ?? nodeClaim.metadata.name;
    if (this.#running.has(key)) return;
    const done = this.#follow(nodeClaim, launch, signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        const { name } = nodeClaim.metadata;
        this.#options.log.error('cannot end a failed launch', { NodeClaim: name, error });
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, done);
  }

  async drain(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running.values());
  }

  async #follow(nodeClaim: NodeClaim, launch: Launch, signal: AbortSignal): Promise<void> {
    const { claims, instances } = this.#options;
    try {
      await launch.completed(signal);
    } catch (error) {
      signal.throwIfAborted();
      const current = await this.#onRecord(nodeClaim, signal);
      if (current === undefined || current.metadata.deletionTimestamp !== undefined) {
        // Nobody wants it any more: that it fails is what deleting it looks like from here.
        await instances.discard(nodeClaim.metadata.name, signal);
        return;
      }
      this.#tell(nodeClaim, { instance: launch.instance, error });
      if (!isConditionTrue(current.status?.conditions, nodeClaimCondition.registered)) {
        await instances.discard(nodeClaim.metadata.name, signal);
      }
      await claims.delete(nodeClaim, 'async_provisioning', signal);
    }
  }

  /** What it was, as the loops understand it. */
  #tell(
    nodeClaim: NodeClaim,
    failed: { readonly instance: Instance; readonly error: unknown },
  ): Error {
    const { launcher, events, log } = this.#options;
    const { name, uid } = nodeClaim.metadata;
    const error = launcher.learn(failed.error, failed.instance) ?? asError(failed.error);
    log.error('machine failed after azure had accepted it', { NodeClaim: name, error });
    events.publish({
      object: referenceTo(nodeClaims, nodeClaim),
      type: 'Warning',
      reason: 'AsyncProvisioningError',
      message: shortened(describeError(failed.error)),
      dedupeValues: [uid ?? name],
    });
    return error;
  }

  /** The claim once its launch is on record; undefined when it is gone. */
  async #onRecord({ metadata }: NodeClaim, signal: AbortSignal): Promise<NodeClaim | undefined> {
    const { claims, clock } = this.#options;
    for (;;) {
      const current = claims.get(metadata.name);
      if (current === undefined || current.metadata.uid !== metadata.uid) return undefined;
      const launched = findCondition(current.status?.conditions, nodeClaimCondition.launched);
      if (launched !== undefined && launched.status !== 'Unknown') return current;
      await sleep(clock, lookEveryMs, { signal, label: 'claim launched' });
    }
  }
}

function shortened(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}...`;
}
