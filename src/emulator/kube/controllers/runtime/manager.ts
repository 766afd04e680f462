// Runs controllers over one set of live copies. In: the server, a clock, controllers. Out: writes to the server.
// 1. Before every reconcile all events are taken, so no controller acts on what it or another has already changed.
// 2. Controllers take turns, one key each; after a burst the event loop gets its turn.
// 3. A reconcile that fails is tried again with growing delay; it never stops the others.
import type { Clock, Timer } from '../../../../base/clock.ts';
import type { Logger } from '../../../../base/log.ts';
import type { Random } from '../../../../base/random.ts';
import type { KubeApi, RequestContext } from '../../api.ts';
import { isReason } from '../../status-error.ts';
import { EventRecorder } from '../../scheduler/event-recorder.ts';
import { Client } from './client.ts';
import type { Controller, ControllerFactory } from './controller.ts';
import { Informers } from './informers.ts';
import { KeyQueue } from './key-queue.ts';

const burst = 500;

interface Running {
  readonly controller: Controller;
  readonly queue: KeyQueue;
}

export interface ManagerOptions {
  readonly api: KubeApi;
  readonly context: RequestContext;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly controllers: readonly ControllerFactory[];
}

export class ControllerManager {
  readonly #options: ManagerOptions;
  readonly #informers: Informers;
  readonly #running: Running[] = [];
  #turn: Timer | undefined;
  #next = 0;
  #stopped = true;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#informers = new Informers({ api: options.api, context: options.context });
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    for (const factory of this.#options.controllers) this.#running.push(this.#assemble(factory));
    this.#informers.start(() => this.#wake());
    this.#wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#turn?.cancel();
    this.#turn = undefined;
    this.#informers.stop();
    for (const { queue } of this.#running) queue.stop();
    this.#running.length = 0;
  }

  #assemble(factory: ControllerFactory): Running {
    const { api, context, clock, random } = this.#options;
    let name = 'controller';
    const queue = new KeyQueue({ clock, wake: () => this.#wake(), label: 'reconcile' });
    const client = new Client(api, context);
    const controller = factory({
      client,
      informers: this.#informers,
      clock,
      random: random.fork(),
      events: new EventRecorder({ api, context, clock, random, component: () => name }),
      enqueue: (key, afterMs) => queue.add(key, afterMs),
    });
    ({ name } = controller);
    return { controller, queue };
  }

  /** Work happens in a timer of its own, never inside the write that caused it. */
  #wake(): void {
    if (this.#stopped || this.#turn !== undefined) return;
    this.#turn = this.#options.clock.setTimer(0, () => this.#work(), 'controllers');
  }

  #work(): void {
    this.#turn = undefined;
    for (let done = 0; done < burst; done++) {
      this.#informers.drain();
      if (!this.#step()) return;
    }
    this.#wake();
  }

  #step(): boolean {
    for (let tries = 0; tries < this.#running.length; tries++) {
      this.#next = (this.#next + 1) % this.#running.length;
      const running = this.#running[this.#next];
      const key = running?.queue.take();
      if (running === undefined || key === undefined) continue;
      this.#reconcile(running, key);
      return true;
    }
    return false;
  }

  #reconcile({ controller, queue }: Running, key: string): void {
    try {
      const again = controller.reconcile(key);
      queue.succeeded(key);
      if (again !== undefined) queue.add(key, Math.max(1, again));
    } catch (error) {
      queue.failed(key);
      // Somebody else wrote first: ordinary, and the next look will see it.
      if (isReason(error, 'Conflict')) return;
      this.#options.log.error('reconcile failed', { controller: controller.name, key, error });
    }
  }
}
