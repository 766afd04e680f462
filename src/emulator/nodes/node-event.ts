// Events about a node, as its own programs write them. In: what happened. Out: an Event in `default`; one that cannot be written is lost,
// as events are.
import { toTimestamp, type Clock } from '../../base/clock.ts';
import { randomSuffix, type Random } from '../../base/random.ts';
import type { KubeConnection } from './kube-connection.ts';

export interface NodeEvent {
  readonly nodeName: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The program that says it. */
  readonly component: string;
}

export type TellEvent = (event: NodeEvent, signal: AbortSignal) => Promise<void>;

export function createEventTeller(options: {
  readonly connection: KubeConnection;
  readonly clock: Clock;
  readonly random: Random;
}): TellEvent {
  const { connection, clock, random } = options;
  return async ({ nodeName, type, reason, message, component }, signal) => {
    const now = toTimestamp(clock.now());
    const body = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${nodeName}.${randomSuffix(random, 16)}`, namespace: 'default' },
      involvedObject: { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeName },
      type,
      reason,
      message,
      source: { component, host: nodeName },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      reportingComponent: component,
      reportingInstance: nodeName,
    };
    const target = '/api/v1/namespaces/default/events';
    await connection.send({ method: 'POST', target, body }, signal);
  };
}
