// Taking spot machines away. In: a machine that has to go. Out: its listeners hear at once that it will be taken, and
// when; after the notice it is deleted or deallocated, as its policy says.
// 1. A machine is under notice once; asking again changes nothing.
// 2. A machine that is gone, or is going by itself, before its notice is over is not evicted.
import type { Timer } from '../../../base/clock.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { CapacityPools } from './capacity.ts';
import type { VmEvents } from './vm-events.ts';
import { machineFrom, setPowerState } from './vm/machine.ts';
import { readVm } from './vm/request.ts';

/** Azure promises half a minute, and mostly gives no more. */
const defaultNoticeMs = 30_000;

export class Evictions {
  readonly #env: AzureEnvironment;
  readonly #events: VmEvents;
  readonly #capacity: CapacityPools;
  readonly #noticeMs: number;
  readonly #timers = new Map<string, Timer>();

  constructor(options: {
    readonly env: AzureEnvironment;
    readonly events: VmEvents;
    readonly capacity: CapacityPools;
    readonly noticeMs?: number | undefined;
  }) {
    this.#env = options.env;
    this.#events = options.events;
    this.#capacity = options.capacity;
    this.#noticeMs = options.noticeMs ?? defaultNoticeMs;
    options.events.onChanged(({ kind, vm }) => {
      if (kind === 'deleted') this.#forget(vm.id);
    });
  }

  begin(vmId: string): void {
    const { clock, store, lifecycle } = this.#env;
    const vm = store.get(vmId);
    const isGoing = lifecycle.underWay(vmId)?.isRemoval === true;
    if (vm === undefined || isGoing || this.#timers.has(vm.key)) return;
    const evict = (): void => this.#evict(vm.id);
    this.#timers.set(vm.key, clock.setTimer(this.#noticeMs, evict, 'azure eviction'));
    const atMs = clock.now() + this.#noticeMs;
    this.#events.emit({ kind: 'preempting', vm: machineFrom(this.#env, vm), atMs });
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #forget(vmId: string): void {
    const key = vmId.toLowerCase();
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }

  #evict(vmId: string): void {
    this.#forget(vmId);
    const { store, lifecycle } = this.#env;
    const vm = store.get(vmId);
    if (vm === undefined || lifecycle.underWay(vmId)?.isRemoval === true) return;
    this.#events.emit({ kind: 'evicted', vm: machineFrom(this.#env, vm) });
    if (readVm(vm.body).evictionPolicy?.toLowerCase() === 'delete') {
      lifecycle.remove(vm.id);
      return;
    }
    this.#capacity.release(vm.id);
    const stopped = setPowerState(this.#env, vm.id, 'deallocated');
    if (stopped === undefined) return;
    this.#events.emit({ kind: 'deallocated', vm: machineFrom(this.#env, stopped) });
  }
}
