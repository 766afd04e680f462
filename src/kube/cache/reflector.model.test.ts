// Random histories of a server, seen through a connection that breaks, doubles, delays and forgets. Whatever
// happens on the way, once it is quiet the store must equal the server, and what subscribers heard must add
// up to the store.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/meta.ts';
import type { Pod } from '../../api/core.ts';
import { pods } from '../../api/resource-type.ts';
import type { ServerWatch } from '../../../test/support/api-server-watch.ts';
import {
  podNamed,
  scriptedCluster,
  type ScriptedCluster,
} from '../../../test/support/scripted-cluster.ts';
import { Informer } from './informer.ts';
import type { Change } from './subscriptions.ts';

/** What can happen to a connection and its server, besides changes. */
const disturbances = {
  close: (model) => model.watch?.close(),
  cut: (model) => model.watch?.cut(),
  compact: (model) => model.server.compact(),
  garbage: (model) =>
    model.watch?.raw(model.server.binary ? garbageFrame : '{"type":"MODIFIED","object":{"met\n'),
  cutInside: (model) => model.cutInside(),
  bookmark: (model) => model.server.bookmark(),
  refuse: (model) => model.server.once(() => ({ status: 503, body: 'busy' })),
  expire: (model) => model.watch?.event('ERROR', { code: 410, reason: 'Expired' }),
  hold: (model) => model.watch?.hold(),
  release: (model) => model.watch?.release(),
  shuffle: (model) => model.watch?.release('reversed'),
  lag: (model) => model.lag(),
  answer: (model) => model.answer(),
} as const satisfies Record<string, (model: Model) => void>;

/** Three bytes that say that ten more follow. */
const garbageFrame = Buffer.from([0, 0, 0, 3, 0x0a, 0x0a, 0x41]);

type Disturbance = keyof typeof disturbances;

type Step =
  | { readonly do: 'put' | 'remove' | 'create' | 'patch' | 'delete'; readonly name: string }
  | { readonly do: 'disturb'; readonly by: Disturbance }
  /** Sends what was sent before once more, `back` events ago: doubled, and late. */
  | { readonly do: 'repeat'; readonly back: number }
  | { readonly do: 'wait'; readonly ms: number };

const name = fc.constantFrom('a', 'b', 'c');
const disturbance = fc.constantFrom(...(Object.keys(disturbances) as Disturbance[]));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('put', 'remove'), name }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('create', 'patch', 'delete'), name }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('disturb'), by: disturbance }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('repeat'), back: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.constantFrom(0, 10, 1500) }),
  },
);

class Model {
  readonly cluster = scriptedCluster();
  readonly informer = new Informer<Pod>({ ...this.cluster, type: pods, freeze: true });
  /** What a subscriber knows, from nothing but what it is told. */
  readonly heard = new Map<string, string>();
  readonly violations: string[] = [];
  readonly #sent: { type: string; object: KubeObject }[] = [];
  readonly #answers: (() => void)[] = [];
  #counter = 0;

  constructor(streaming: boolean, binary: boolean) {
    const { server, client } = this.cluster;
    server.serve(pods);
    server.streamingLists = streaming;
    server.binary = binary;
    client.observeWrites({
      written: (_, object) => this.informer.store.assume(object as unknown as Pod),
      deleted: (_, ref) => this.informer.store.assumeDeleted(ref),
    });
    this.informer.subscribe((change) => this.#hear(change));
    this.informer.start();
  }

  get server(): ScriptedCluster['server'] {
    return this.cluster.server;
  }

  get watch(): ServerWatch | undefined {
    return this.server.openWatches.at(-1);
  }

  async play(next: Step): Promise<void> {
    switch (next.do) {
      case 'put':
        this.#put(next.name);
        return;
      case 'remove':
        this.server.remove(pods, podNamed(next.name).metadata);
        return;
      case 'repeat':
        this.#repeat(next.back);
        return;
      case 'disturb':
        disturbances[next.by](this);
        return;
      case 'wait':
        await this.cluster.clock.advance(next.ms);
        return;
      default:
        await this.#write(next.do, next.name);
    }
  }

  async quiet(): Promise<void> {
    const { server, clock } = this.cluster;
    for (const watch of server.openWatches) watch.release();
    while (this.#answers.length > 0) this.answer();
    await clock.advance(10 * 60_000);
    server.bookmark();
    await clock.advance(60_000);
  }

  #repeat(back: number): void {
    const old = this.#sent.at(-back);
    if (old !== undefined && this.informer.store.synced) this.watch?.event(old.type, old.object);
  }

  /** The answer to the next write is on its way until the step `answer`. */
  lag(): void {
    const { server } = this.cluster;
    const { promise, resolve } = Promise.withResolvers<void>();
    let caught = false;
    server.once((request) => {
      if (caught || request.method === 'GET') return undefined;
      caught = true;
      this.#answers.push(resolve);
      return Promise.resolve(server.handler(request)).then((reply) => promise.then(() => reply));
    });
  }

  /** The connection breaks after the first bytes of an event. */
  cutInside(): void {
    this.watch?.raw(this.server.binary ? Buffer.from([0, 0, 1, 0, 0x0a]) : '{"type":"MODI');
    this.watch?.cut();
  }

  answer(): void {
    this.#answers.shift()?.();
  }

  #put(podName: string): void {
    const { server } = this.cluster;
    const before = server.objects(pods).some((pod) => pod.metadata.name === podName);
    const annotations = { n: String(this.#counter++) };
    const object = server.put(pods, podNamed(podName, { annotations }));
    this.#sent.push({ type: before ? 'MODIFIED' : 'ADDED', object });
  }

  async #write(kind: 'create' | 'patch' | 'delete', podName: string): Promise<void> {
    const { client, clock } = this.cluster;
    const ref = podNamed(podName).metadata;
    const annotations = { n: String(this.#counter++) };
    const calls = {
      create: () => client.create(pods, podNamed(podName, { annotations })),
      patch: () => client.patch(pods, ref, { type: 'merge', body: { metadata: { annotations } } }),
      delete: () => client.delete(pods, ref),
    };
    // The answer may lag: then the next steps come first. A refusal (it exists, it does not) changes nothing.
    const call = calls[kind]().then((answer) => this.#checkOwnWrite(kind, answer));
    await Promise.race([call.catch(() => undefined), clock.settle()]);
  }

  /** Read-your-writes: never older than what the server has just told us. */
  #checkOwnWrite(kind: string, answer: Pod | undefined): undefined {
    if (kind === 'delete' || answer === undefined) return;
    const { name: podName, uid, resourceVersion } = answer.metadata;
    const cached = this.informer.store.get(answer.metadata)?.metadata;
    const exists = this.server.objects(pods).some((pod) => pod.metadata.uid === uid);
    const current =
      cached?.uid === uid && Number(cached?.resourceVersion) >= Number(resourceVersion);
    if (exists && !current) this.violations.push(`own ${kind} of ${podName} is not in the cache`);
  }

  #hear(change: Change<Pod>): void {
    const [before, after] = [
      change.type === 'added' ? undefined : identity(change.before),
      change.type === 'deleted' ? undefined : identity(change.after),
    ];
    const key = (before ?? after)!.name;
    const known = this.heard.get(key);
    // The last state of what is deleted may be newer than what was known; an update starts from just that.
    const fits =
      change.type === 'updated'
        ? known === before!.text
        : (known === undefined) === (change.type === 'added');
    const replaced = change.type === 'updated' && before!.uid !== after!.uid;
    if (!fits || replaced)
      this.violations.push(`${change.type} ${key} when ${known ?? 'nothing'} was known`);
    if (after === undefined) this.heard.delete(key);
    else this.heard.set(key, after.text);
  }
}

function identity({ metadata }: KubeObject): {
  name: string;
  uid: string | undefined;
  text: string;
} {
  const { name: key, uid, resourceVersion } = metadata;
  return { name: key, uid, text: `${uid}@${resourceVersion}` };
}

function identities(objects: Iterable<KubeObject>): Record<string, string> {
  return Object.fromEntries(
    Array.from(objects, (object) => identity(object)).map(({ name: key, text }) => [key, text]),
  );
}

describe('a cache over an unreliable connection', () => {
  test.each([
    [true, false],
    [false, false],
    [true, true],
    [false, true],
  ])(
    'ends up equal to the server, with nothing lost or doubled (streaming lists: %s, binary: %s)',
    async (streaming, binary) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }),
          async (steps) => {
            const model = new Model(streaming, binary);
            await model.cluster.clock.settle();
            for (const next of steps) await model.play(next);
            await model.quiet();
            const server = identities(model.cluster.server.objects(pods));
            expect(identities(model.informer.store.values())).toEqual(server);
            expect(Object.fromEntries(model.heard)).toEqual(server);
            expect(model.violations).toEqual([]);
            await model.informer.stop();
            await model.cluster.clock.settle();
            expect(model.cluster.clock.pending().timers).toEqual([]);
            expect([model.cluster.transport.open, model.cluster.server.openWatches]).toEqual([
              0,
              [],
            ]);
          },
        ),
        { numRuns: 100 },
      );
    },
  );
});
