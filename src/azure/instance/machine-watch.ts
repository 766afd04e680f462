// Waiting for AKS machines, many at the price of one. In: names of machines that are being made. Out: the end of each.
// The pool is listed as long as anybody waits, and each list is read for everyone; an operation a machine would cost a call
// each every few seconds.
// 1. A machine that a list does not show is asked for by name before it counts as gone.
// 2. A list that fails ends nobody's wait; time does.
import { type Clock, sleep } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { Machine } from '../arm/machines.ts';
import { stateOf } from './instance.ts';
import { provisioningErrorOf } from './machine-instance.ts';

export interface MachineReader {
  get(name: string, signal: AbortSignal): Promise<Machine | undefined>;
  list(signal: AbortSignal): Promise<readonly Machine[]>;
}

const listEveryMs = 10_000;
const longestMs = 15 * 60 * 1000;

export class MachineWatch {
  readonly #reader: MachineReader;
  readonly #clock: Clock;
  /** The list that is under way or was made last, shared by all who wait. */
  #latest:
    | { readonly atMs: number; readonly machines: Promise<ReadonlyMap<string, Machine>> }
    | undefined;

  constructor(options: { readonly reader: MachineReader; readonly clock: Clock }) {
    this.#reader = options.reader;
    this.#clock = options.clock;
  }

  /** Throws why the machine will never be ready. */
  async ready(name: string, signal: AbortSignal): Promise<void> {
    const endMs = this.#clock.monotonic() + longestMs;
    while (this.#clock.monotonic() < endMs) {
      await sleep(this.#clock, listEveryMs, { signal, label: 'aks machine' });
      const machine = await this.#look(name, signal);
      if (machine !== undefined && isReady(name, machine)) return;
    }
    throw failure('MachineStuck', 'the machine was not finished in time', name);
  }

  /** Undefined: nothing was learnt. */
  async #look(name: string, signal: AbortSignal): Promise<Machine | undefined> {
    try {
      const machines = await this.#list(signal);
      const listed = machines.get(name);
      if (listed !== undefined) return listed;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
    const machine = await this.#reader.get(name, signal);
    if (machine !== undefined) return machine;
    throw failure('MachineGone', 'the machine went away before it was finished', name);
  }

  #list(signal: AbortSignal): Promise<ReadonlyMap<string, Machine>> {
    const nowMs = this.#clock.monotonic();
    if (this.#latest !== undefined && nowMs - this.#latest.atMs < listEveryMs / 2) {
      return this.#latest.machines;
    }
    const machines = this.#reader
      .list(signal)
      .then((list) => new Map(list.map((machine) => [machine.name ?? '', machine])));
    this.#latest = { atMs: nowMs, machines };
    return machines;
  }
}

function isReady(name: string, machine: Machine): boolean {
  const state = stateOf(machine.properties?.provisioningState);
  if (state === 'failed') throw provisioningErrorOf(machine);
  if (state === 'deleting') {
    throw failure('MachineGone', 'the machine is being deleted before it was finished', name);
  }
  return state === 'ready';
}

function failure(code: string, message: string, machine: string): CodedError {
  return new CodedError(code, message, { fields: { aksMachineName: machine } });
}
