// What a control loop is: which changes concern which of its keys, and how one key is put right.
// 1. `reconcile` is synchronous and level-triggered: it looks at what is, never at what has happened.
// 2. It may be called at any time and any number of times for a key that exists or no longer does.
// 3. Copies that it reads are exact: all of the server's events have been taken before it runs.
import type { Clock } from '../../../../base/clock.ts';
import type { Random } from '../../../../base/random.ts';
import type { EventRecorder } from '../../scheduler/event-recorder.ts';
import type { Client } from './client.ts';
import type { Informers } from './informers.ts';

export interface ControllerContext {
  readonly client: Client;
  readonly informers: Informers;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: EventRecorder;
  /** Asks for a key to be looked at, now or after a while. */
  readonly enqueue: (key: string, afterMs?: number) => void;
}

/** Milliseconds after which to look at the key again, or nothing. */
export type Again = number | undefined;

export interface Controller {
  readonly name: string;
  reconcile(key: string): Again;
}

/** Subscribes to informers and enqueues keys; called once, before they start. */
export type ControllerFactory = (context: ControllerContext) => Controller;
