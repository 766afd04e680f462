// Claims, volumes and what nodes can attach, as the scheduler sees them. In: objects coming and going.
// Out: lookups. `version` changes with every change, so that verdicts about volumes can be told stale.
// A claim or volume that the scheduler itself has just decided about is seen as decided before the server says so:
// the server is synchronous, and its answer arrives with the next event.
import type { CsiNode, VolumeAttachment } from '../../../api/workloads.ts';
import { keyOf, type Claim, type Volume, type VolumeClass } from './objects.ts';

type Named = { readonly metadata: { readonly namespace?: string; readonly name: string } };

/** Objects by `namespace/name`, telling its owner of every change. */
class ObjectMap<T extends Named> extends Map<string, T> {
  readonly #changed: () => void;

  constructor(changed: () => void) {
    super();
    this.#changed = changed;
  }

  put(before: T | undefined, after: T | undefined): void {
    if (after !== undefined) this.set(keyOf(after.metadata), after);
    else if (before !== undefined) this.delete(keyOf(before.metadata));
    this.#changed();
  }
}

export class StorageState {
  version = 0;
  readonly #changed = (): void => void this.version++;
  readonly claims = new ObjectMap<Claim>(this.#changed);
  readonly volumes = new ObjectMap<Volume>(this.#changed);
  readonly classes = new ObjectMap<VolumeClass>(this.#changed);
  readonly csiNodes = new ObjectMap<CsiNode>(this.#changed);
  readonly attachments = new ObjectMap<VolumeAttachment>(this.#changed);

  attachmentsOn(nodeName: string): readonly VolumeAttachment[] {
    return [...this.attachments.values()].filter((item) => item.spec.nodeName === nodeName);
  }
}
