// Scheduled events: what Azure is about to do to a machine, told to the machine beforehand. In: notices of evictions, and
// maintenance on request. Out: a document for each machine, and what was announced, done when its time has come.
//
//   Scheduled ──NotBefore, or the machine agrees──▶ Started ──over──▶ (gone)
//
// 1. Every change of a machine's events gives its document a higher number. 2. What was announced happens once. 3. Nothing is
//    left of the events of a machine that is gone. 4. A preemption is done by who announced it; here it only shows.
import type { Timer } from '../../../base/clock.ts';
import { randomUuid } from '../../../base/uuid.ts';
import type { Random } from '../../../base/random.ts';
import type { JsonObject } from '../../kube/json.ts';
import type { Compute } from '../compute/compute.ts';
import { machineFrom } from '../compute/vm/machine.ts';

export type MaintenanceType = 'Freeze' | 'Reboot' | 'Redeploy' | 'Terminate';
type EventType = MaintenanceType | 'Preempt';

interface ScheduledEvent {
  readonly id: string;
  readonly type: EventType;
  readonly vmName: string;
  readonly notBeforeMs: number;
  readonly durationSeconds: number;
  readonly description: string;
  readonly status: 'Scheduled' | 'Started';
}

interface Machine {
  incarnation: number;
  events: readonly ScheduledEvent[];
}

/** The least notice that Azure promises. */
const noticeMs: Readonly<Record<MaintenanceType, number>> = {
  Freeze: 15 * 60_000,
  Reboot: 15 * 60_000,
  Redeploy: 10 * 60_000,
  Terminate: 5 * 60_000,
};

const usualSeconds: Readonly<Record<EventType, number>> = {
  Freeze: 5,
  Reboot: 60,
  Redeploy: 120,
  Terminate: 0,
  Preempt: -1,
};

const descriptions: Readonly<Record<EventType, string>> = {
  Freeze:
    'Virtual machine is being paused because of a memory-preserving Live Migration operation.',
  Reboot: 'Host server is undergoing maintenance.',
  Redeploy: 'Virtual machine is being moved because the host server is failing.',
  Terminate: 'Virtual machine is scheduled to be deleted.',
  Preempt: 'The Spot virtual machine is being evicted.',
};

export class ScheduledEvents {
  readonly #compute: Compute;
  readonly #random: Random;
  readonly #machines = new Map<string, Machine>();
  readonly #timers = new Map<string, Timer>();
  readonly #listening: Disposable;

  constructor(compute: Compute) {
    this.#compute = compute;
    this.#random = compute.env.random.fork();
    this.#listening = compute.events.onChanged(({ kind, vm, atMs }) => {
      if (kind === 'preempting') {
        this.#add(vm.id, { type: 'Preempt', vmName: vm.name, notBeforeMs: atMs ?? 0 });
      } else if (kind === 'evicted') this.#drop(vm.id, ({ type }) => type !== 'Preempt');
      else if (kind === 'deleted') this.#forget(vm.id);
    });
  }

  /** Announces maintenance; gives the id of the event, or undefined when there is no such machine. */
  schedule(
    vmId: string,
    maintenance: { readonly type: MaintenanceType; readonly noticeMs?: number },
  ): string | undefined {
    const { env } = this.#compute;
    const vm = env.store.get(vmId);
    if (vm === undefined) return undefined;
    const waitMs = maintenance.noticeMs ?? noticeMs[maintenance.type];
    const notBeforeMs = env.clock.now() + waitMs;
    const id = this.#add(vm.id, { type: maintenance.type, vmName: vm.name, notBeforeMs });
    this.#after(id, waitMs, () => this.#start(vm.id, id));
    return id;
  }

  /** What the machine reads. */
  document(vmId: string): JsonObject {
    const { incarnation = 1, events = [] } = this.#machines.get(vmId.toLowerCase()) ?? {};
    return {
      DocumentIncarnation: incarnation,
      Events: events.map((event) => ({
        EventId: event.id,
        EventStatus: event.status,
        EventType: event.type,
        ResourceType: 'VirtualMachine',
        Resources: [event.vmName],
        // What has begun has no such time any more.
        NotBefore: event.status === 'Started' ? '' : new Date(event.notBeforeMs).toUTCString(),
        Description: event.description,
        EventSource: event.type === 'Terminate' ? 'User' : 'Platform',
        DurationInSeconds: event.durationSeconds,
      })),
    };
  }

  /** The machine agrees: it need not be waited for. False when one of them is none of its events. */
  approve(vmId: string, eventIds: readonly string[]): boolean {
    const events = this.#machines.get(vmId.toLowerCase())?.events ?? [];
    if (eventIds.some((id) => !events.some((event) => event.id === id))) return false;
    for (const id of eventIds) this.#start(vmId, id);
    return true;
  }

  stop(): void {
    this.#listening[Symbol.dispose]();
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #add(vmId: string, event: Pick<ScheduledEvent, 'type' | 'vmName' | 'notBeforeMs'>): string {
    const id = randomUuid(this.#random).toUpperCase();
    const added: ScheduledEvent = {
      ...event,
      id,
      status: 'Scheduled',
      durationSeconds: usualSeconds[event.type],
      description: descriptions[event.type],
    };
    this.#change(vmId, (events) => [...events, added]);
    return id;
  }

  #start(vmId: string, id: string): void {
    const event = this.#machines.get(vmId.toLowerCase())?.events.find((one) => one.id === id);
    if (event === undefined || event.status === 'Started') return;
    this.#change(vmId, (events) =>
      events.map((one) => (one.id === id ? { ...one, status: 'Started' } : one)),
    );
    if (event.type === 'Preempt') return;
    this.#after(id, event.durationSeconds * 1000, () => {
      this.#drop(vmId, (one) => one.id !== id);
      this.#carryOut(vmId, event.type);
    });
  }

  #carryOut(vmId: string, type: EventType): void {
    const { env, events } = this.#compute;
    const vm = env.store.get(vmId);
    if (vm === undefined || type === 'Freeze') return;
    if (type === 'Terminate') env.lifecycle.remove(vm.id);
    else events.emit({ kind: 'restarted', vm: machineFrom(env, vm) });
  }

  #drop(vmId: string, isKept: (event: ScheduledEvent) => boolean): void {
    this.#change(vmId, (events) => events.filter((event) => isKept(event)));
  }

  #change(
    vmId: string,
    change: (events: readonly ScheduledEvent[]) => readonly ScheduledEvent[],
  ): void {
    const key = vmId.toLowerCase();
    const machine = this.#machines.get(key) ?? { incarnation: 1, events: [] };
    this.#machines.set(key, {
      incarnation: machine.incarnation + 1,
      events: change(machine.events),
    });
  }

  #forget(vmId: string): void {
    const key = vmId.toLowerCase();
    for (const { id } of this.#machines.get(key)?.events ?? []) {
      this.#timers.get(id)?.cancel();
      this.#timers.delete(id);
    }
    this.#machines.delete(key);
  }

  #after(id: string, delayMs: number, run: () => void): void {
    this.#timers.get(id)?.cancel();
    const fire = (): void => {
      this.#timers.delete(id);
      run();
    };
    this.#timers.set(id, this.#compute.env.clock.setTimer(delayMs, fire, 'azure scheduled event'));
  }
}
