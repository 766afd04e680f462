// Events about objects, as `kubectl describe` shows them. In: object, reason, words. Out: Event objects.
// 1. The same thing said again within the span of one series does not make a second event: its count grows.
// 2. An event that cannot be written is dropped: telling must never break doing.
import { toMicroTimestamp, toTimestamp, type Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/random.ts';
import type { KubeApi, RequestContext } from '../api.ts';
import type { JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { StatusError } from '../status-error.ts';

const events = { group: '', version: 'v1', resource: 'events' };
/** After this long a repeated event is a new one. */
const seriesMs = 6 * 60_000;
const maxRemembered = 4096;
const maxNoteLength = 1024;

interface Said {
  readonly name: string;
  readonly namespace: string;
  readonly atMs: number;
  count: number;
}

export interface Saying {
  readonly about: ApiObject;
  readonly type?: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action?: string;
  readonly message: string;
}

export class EventRecorder {
  readonly #api: KubeApi;
  readonly #context: RequestContext;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #component: () => string;
  readonly #isSeries: boolean;
  readonly #said = new Map<string, Said>();
  #lastMs = 0;
  #turn = 0;

  constructor(options: {
    readonly api: KubeApi;
    readonly context: RequestContext;
    readonly clock: Clock;
    readonly random: Random;
    readonly component: () => string;
    /** The scheduler writes events of the newer kind, with a time and a series; controllers count. */
    readonly isSeries?: boolean;
  }) {
    this.#api = options.api;
    this.#context = options.context;
    this.#clock = options.clock;
    this.#random = options.random.fork();
    this.#component = options.component;
    this.#isSeries = options.isSeries ?? false;
  }

  say(saying: Saying): void {
    const { about, type = 'Normal', reason, message } = saying;
    const key = `${about.metadata.uid} ${type} ${reason} ${message}`;
    const said = this.#said.get(key);
    try {
      if (said !== undefined && this.#clock.now() - said.atMs < seriesMs) this.#repeat(said);
      else this.#remember(key, this.#create(saying));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
    }
  }

  #create({ about, type = 'Normal', reason, action, message }: Saying): Said {
    const nowMs = this.#clock.now();
    const { namespace = 'default', name, uid, resourceVersion } = about.metadata;
    const component = this.#component();
    const eventName = `${name}.${this.#moment(nowMs)}`;
    this.#api.create({
      context: this.#context,
      resource: events,
      namespace,
      object: {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: eventName, namespace },
        involvedObject: {
          apiVersion: about.apiVersion,
          kind: about.kind,
          ...(about.metadata.namespace === undefined ? {} : { namespace }),
          name,
          ...(uid === undefined ? {} : { uid }),
          ...(resourceVersion === undefined ? {} : { resourceVersion }),
        },
        type,
        reason,
        message: shortened(message),
        reportingComponent: component,
        ...(this.#isSeries
          ? seriesFields(action ?? reason, component, nowMs)
          : countFields(component, nowMs)),
      },
    });
    return { name: eventName, namespace, atMs: nowMs, count: 1 };
  }

  /** Nanoseconds: kubectl shows what was said in one second in the order of names, so later ones must sort later. */
  #moment(nowMs: number): string {
    this.#turn = nowMs === this.#lastMs ? this.#turn + 1 : 0;
    this.#lastMs = nowMs;
    const nanos = Math.min(this.#turn, 999) * 1000 + this.#random.integer(1000);
    return (BigInt(nowMs) * 1_000_000n + BigInt(nanos)).toString(16);
  }

  /** In a series the first repetition is written and the later ones only counted, as upstream saves its writes. */
  #repeat(said: Said): void {
    said.count++;
    if (this.#isSeries && said.count !== 2) return;
    const nowMs = this.#clock.now();
    const lastObservedTime = toMicroTimestamp(nowMs);
    const patch = this.#isSeries
      ? { series: { count: said.count, lastObservedTime } }
      : { count: said.count, lastTimestamp: toTimestamp(nowMs) };
    this.#api.patch({
      context: this.#context,
      resource: events,
      namespace: said.namespace,
      name: said.name,
      patchType: 'application/merge-patch+json',
      patch,
    });
  }

  #remember(key: string, said: Said): void {
    if (this.#said.size >= maxRemembered) this.#said.clear();
    this.#said.set(key, said);
  }
}

function seriesFields(action: string, component: string, nowMs: number): JsonObject {
  return {
    action,
    eventTime: toMicroTimestamp(nowMs),
    reportingInstance: component,
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
  };
}

function countFields(component: string, nowMs: number): JsonObject {
  const now = toTimestamp(nowMs);
  return {
    count: 1,
    eventTime: null,
    reportingInstance: '',
    source: { component },
    firstTimestamp: now,
    lastTimestamp: now,
  };
}

function shortened(message: string): string {
  return message.length <= maxNoteLength ? message : `${message.slice(0, maxNoteLength - 4)} ...`;
}
