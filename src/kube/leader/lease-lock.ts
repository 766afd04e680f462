// A Lease as a lock that one of several candidates holds. In: reads and writes of the one Lease. Out: what it
// says (a LeaseRecord), and whether a write took effect.
//  1. A write takes effect only if the Lease is as this lock saw it last: the server compares versions.
//  2. Fields and labels of the Lease that are not ours survive our writes.
//  3. An answer that comes after its caller has given up changes nothing here: a decision made on one version
//     of the Lease is never carried out on another.
//  4. No write leaves the Lease as it was: observers tell a living holder by its Lease changing.
import { toMicroTimestamp, type Clock } from '../../base/clock.ts';
import { leases, type ResourceType } from '../../api/resource-type.ts';
import type { Lease } from '../../api/workloads.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../client/errors.ts';
import type { ObjectRef } from '../client/paths.ts';

interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** The part of a Kubernetes client that the lock needs. */
export interface LeaseClient {
  get(type: ResourceType<Lease>, ref: ObjectRef, options: CallOptions): Promise<Lease>;
  create(type: ResourceType<Lease>, lease: Lease, options: CallOptions): Promise<Lease>;
  update(type: ResourceType<Lease>, lease: Lease, options: CallOptions): Promise<Lease>;
}

export interface LeaseRecord {
  /** Differs whenever the Lease has been written, whatever was written. */
  readonly version: string;
  /** Empty when nobody holds the lease. */
  readonly holder: string;
  /** How long after its last change the record still protects its holder. Undefined when it does not say. */
  readonly durationMs: number | undefined;
  readonly acquireTime: string | undefined;
  readonly transitions: number;
}

interface LeaseLockOptions {
  readonly client: LeaseClient;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Set on the Lease besides what others have set. */
  readonly labels?: Readonly<Record<string, string>>;
}

export class LeaseLock {
  readonly #options: LeaseLockOptions;
  /** As the server answered last; undefined when there is none. */
  #lease: Lease | undefined;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  get lease(): Lease | undefined {
    return this.#lease;
  }

  /** What the Lease says now; undefined when there is none. */
  async read(options: CallOptions): Promise<LeaseRecord | undefined> {
    const { client, namespace, name } = this.#options;
    const lease = await client.get(leases, { namespace, name }, options).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    options.signal.throwIfAborted();
    this.#lease = lease;
    return lease === undefined ? undefined : recordOf(lease);
  }

  /** Takes the lease over. False when it is no longer as it was last read. */
  acquire(options: CallOptions): Promise<boolean> {
    const now = this.#timestamp();
    const before = this.#lease === undefined ? undefined : recordOf(this.#lease);
    return this.#write(options, {
      ...this.#held(now),
      acquireTime: now,
      leaseTransitions: before === undefined ? 0 : before.transitions + 1,
    });
  }

  /** Tells everybody that the holder is alive. False when the lease is no longer as it was last seen. */
  renew(options: CallOptions): Promise<boolean> {
    const now = this.#timestamp();
    const before = this.#lease === undefined ? undefined : recordOf(this.#lease);
    return this.#write(options, {
      ...this.#held(now),
      acquireTime: before?.acquireTime ?? now,
      leaseTransitions: before?.transitions ?? 0,
    });
  }

  /** Lets the next candidate have it at once. */
  release(options: CallOptions): Promise<boolean> {
    const now = this.#timestamp();
    return this.#write(options, {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: this.#lease === undefined ? 0 : recordOf(this.#lease).transitions,
    });
  }

  #held(now: string): { holderIdentity: string; leaseDurationSeconds: number; renewTime: string } {
    const { identity, leaseDurationMs } = this.#options;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
      renewTime: now,
    };
  }

  async #write(options: CallOptions, spec: NonNullable<Lease['spec']>): Promise<boolean> {
    const { client, namespace, name, labels } = this.#options;
    const before = this.#lease;
    const metadata = { ...before?.metadata, name, namespace };
    const lease: Lease = {
      ...before,
      metadata:
        labels === undefined
          ? metadata
          : { ...metadata, labels: { ...metadata.labels, ...labels } },
      spec: { ...before?.spec, ...spec },
    };
    try {
      const written =
        before === undefined
          ? await client.create(leases, lease, options)
          : await client.update(leases, lease, options);
      options.signal.throwIfAborted();
      this.#lease = written;
      return true;
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error) || isNotFound(error)) return false;
      throw error;
    }
  }

  /** The server ignores a write that changes nothing, so a wall clock that was set back must not cause one. */
  #timestamp(): string {
    const now = toMicroTimestamp(this.#options.clock.now());
    if (now !== this.#lease?.spec?.renewTime) return now;
    return toMicroTimestamp(this.#options.clock.now() + 1);
  }
}

/** The record in a Lease. What is missing or makes no sense is read as if it were not there. */
function recordOf(lease: Lease): LeaseRecord {
  const spec: NonNullable<Lease['spec']> = lease.spec ?? {};
  const seconds = spec.leaseDurationSeconds;
  return {
    version: `${lease.metadata.uid ?? ''}/${lease.metadata.resourceVersion ?? ''}`,
    holder: spec.holderIdentity ?? '',
    durationMs: typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined,
    acquireTime: spec.acquireTime,
    transitions: spec.leaseTransitions ?? 0,
  };
}
