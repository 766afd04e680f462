// What happens to virtual machines, for those who make them come alive. In: changes. Out: every listener hears each
// change once, in order, with the machine as it is then. A listener is never asked; what it does shows in the
// machine's own world.

export interface VmNic {
  readonly id: string;
  readonly privateAddress: string;
  readonly isPrimary: boolean;
}

export interface VmExtension {
  readonly name: string;
  readonly publisher: string;
  readonly type: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly protectedSettings: Readonly<Record<string, unknown>>;
}

export type PowerState = 'starting' | 'running' | 'stopped' | 'deallocated';

export interface VirtualMachine {
  readonly id: string;
  readonly vmId: string;
  readonly name: string;
  readonly computerName: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly location: string;
  readonly zone: string | undefined;
  readonly size: string;
  readonly priority: 'Regular' | 'Spot';
  readonly powerState: PowerState;
  readonly createdMs: number;
  readonly tags: Readonly<Record<string, string>>;
  /** Decoded; empty when there is none. */
  readonly customData: Uint8Array;
  readonly imageId: string;
  readonly adminUsername: string;
  readonly osDiskSizeGb: number;
  /** Resource ids of the user-assigned identities. */
  readonly identities: readonly string[];
  readonly nics: readonly VmNic[];
  readonly extensions: readonly VmExtension[];
  /** False: nothing in it ever starts, whatever its power state says. */
  readonly boots: boolean;
}

export type VmChangeKind =
  | 'created'
  | 'running'
  | 'failed'
  | 'stopped'
  | 'deallocated'
  | 'restarted'
  | 'reimaged'
  | 'updated'
  | 'extended'
  | 'preempting'
  | 'evicted'
  | 'deleted';

export interface VmChange {
  readonly kind: VmChangeKind;
  readonly vm: VirtualMachine;
  /** Of `extended`: the extension that was installed. */
  readonly extension?: VmExtension;
  /** Of `preempting`: when it will be taken away. */
  readonly atMs?: number;
}

export class VmEvents {
  readonly #listeners = new Set<(change: VmChange) => void>();

  onChanged(listener: (change: VmChange) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  emit(change: VmChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
