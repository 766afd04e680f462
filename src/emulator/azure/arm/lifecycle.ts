// The life of a stored resource: accepted, under way, there, going, gone. In: changes that a provider has checked.
// Out: the store's content, `provisioningState` as a client sees it meanwhile, and the operations to poll.
//
//   (none) ─PUT─▶ Creating ─▶ Succeeded ─PUT/PATCH─▶ Updating ─▶ Succeeded        any ─DELETE─▶ Deleting ─▶ (gone)
//                    └──────▶ Failed ◀──────────────────┘
//
// 1. At most one operation at a time is under way for a resource; a deletion may take another's place.
// 2. Whatever leaves the store, by its own deletion or with its parent or group, is told to its type exactly once.
// 3. A resource is gone only after all below it are.
import type { Clock } from '../../../base/clock.ts';
import { CodedError } from '../../../base/errors.ts';
import type { Random } from '../../../base/random.ts';
import { randomUuid } from '../../../base/uuid.ts';
import { withValue, type JsonObject } from '../../kube/json.ts';
import { type ArmError, preempted } from '../errors.ts';
import type { Operations, Started } from '../operations/operations.ts';
import type { Resource, ResourceStore } from '../store.ts';
import type { ArmCall } from './arm-call.ts';
import { nameOf, parseResourceId, toKey } from './resource-id.ts';

export interface Change {
  readonly body: JsonObject;
  readonly hidden?: JsonObject;
}

interface UnderWay {
  readonly operationId: string;
  readonly isRemoval: boolean;
}

export class Lifecycle {
  readonly #store: ResourceStore;
  readonly #operations: Operations;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #underWay = new Map<string, UnderWay>();
  readonly #removed = new Map<string, (resource: Resource) => void>();

  constructor(options: {
    readonly store: ResourceStore;
    readonly operations: Operations;
    readonly clock: Clock;
    readonly random: Random;
  }) {
    this.#store = options.store;
    this.#operations = options.operations;
    this.#clock = options.clock;
    this.#random = options.random;
  }

  /** `removed` is called whenever a resource of the type has left the store. */
  onRemoved(type: string, removed: (resource: Resource) => void): void {
    this.#removed.set(type.toLowerCase(), removed);
  }

  /** The operation under way for a resource. */
  underWay(id: string): UnderWay | undefined {
    return this.#underWay.get(toKey(id));
  }

  /** Writes at once; a new etag every time. */
  save(id: string, type: string, change: Change): Resource {
    const before = this.#store.get(id);
    const nowMs = this.#clock.now();
    const resource: Resource = {
      ...(before ?? { ...identityOf(id), type, hidden: {}, createdMs: nowMs }),
      body: change.body,
      ...(change.hidden === undefined ? {} : { hidden: change.hidden }),
      etag: randomUuid(this.#random),
      changedMs: nowMs,
    };
    this.#store.put(resource);
    return resource;
  }

  /** Changes part of what is there; nothing when it is gone. */
  update(id: string, change: (body: JsonObject) => JsonObject): Resource | undefined {
    const current = this.#store.get(id);
    if (current === undefined) return undefined;
    const body = change(current.body);
    return body === current.body ? current : this.save(current.id, current.type, { body });
  }

  setState(id: string, state: string): Resource | undefined {
    return this.update(id, (body) => withValue(body, ['properties', 'provisioningState'], state));
  }

  /**
   * Starts what takes time on a resource that is stored already. `run` gives the final body, or throws an ArmError; the
   * state follows by itself.
   */
  begin(
    call: ArmCall,
    resource: Resource,
    work: {
      readonly location: string;
      readonly operation?: string;
      readonly latencyMs?: number;
      run(current: Resource): JsonObject | undefined;
      failed?(current: Resource, error: ArmError): void;
    },
  ): Started {
    const { id, key } = resource;
    const started = this.#operations.start(call, {
      ...work,
      run: () => {
        const current = this.#store.get(id) ?? resource;
        const body = work.run(current) ?? this.#store.get(id)?.body ?? current.body;
        this.#underWay.delete(key);
        this.update(id, () => withValue(body, ['properties', 'provisioningState'], 'Succeeded'));
        return undefined;
      },
      failed: (error) => {
        this.#underWay.delete(key);
        const current = this.setState(id, 'Failed');
        if (current !== undefined) work.failed?.(current, error);
      },
    });
    this.#underWay.set(key, { operationId: started.id, isRemoval: false });
    return started;
  }

  /** Marks as going, and removes with all below it when time is up. */
  beginRemoval(
    call: ArmCall,
    resource: Resource,
    work: { readonly location: string; readonly latencyMs?: number; removing?(): void },
  ): Started {
    const { id, key } = resource;
    const current = this.#underWay.get(key);
    if (current?.isRemoval === true) return this.#operations.resume(call, current.operationId);
    if (current !== undefined) this.#operations.cancel(current.operationId, preempted());
    this.setState(id, 'Deleting');
    const started = this.#operations.start(call, {
      ...work,
      run: () => {
        work.removing?.();
        this.#underWay.delete(key);
        this.remove(id);
        return undefined;
      },
      failed: () => {
        this.#underWay.delete(key);
        this.setState(id, 'Failed');
      },
    });
    this.#underWay.set(key, { operationId: started.id, isRemoval: true });
    return started;
  }

  /** Removes at once, with all below it: the deepest first, and among equals the last created first. */
  remove(id: string): void {
    const below = this.#store.below(id).toReversed();
    below.sort((a, b) => b.key.split('/').length - a.key.split('/').length);
    for (const child of below) this.#removeOne(child.id);
    this.#removeOne(id);
  }

  #removeOne(id: string): void {
    const running = this.#underWay.get(toKey(id));
    this.#underWay.delete(toKey(id));
    // Whoever waits for its deletion sees that done; whoever waits for anything else does not.
    if (running?.isRemoval === true) this.#operations.close(running.operationId);
    else if (running !== undefined) this.#operations.cancel(running.operationId, preempted());
    const resource = this.#store.delete(id);
    if (resource !== undefined) this.#removed.get(resource.type.toLowerCase())?.(resource);
  }
}

function identityOf(
  id: string,
): Pick<Resource, 'id' | 'key' | 'name' | 'subscriptionId' | 'resourceGroup'> {
  const parsed = parseResourceId(id);
  if (parsed === undefined)
    throw new CodedError('NoResourceId', 'not a resource id', { fields: { id } });
  const { subscriptionId, resourceGroup } = parsed;
  return { id, key: toKey(id), name: nameOf(parsed), subscriptionId, resourceGroup };
}
