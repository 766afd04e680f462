import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { seededRandom, shuffled, type Random } from '../../base/random.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { Lease } from '../../api/workloads.ts';
import { KubeError } from '../client/errors.ts';
import type { ObjectEvent } from '../events/event-recorder.ts';
import { electionIdentity, LeaderElector, type LeaderElectorOptions } from './leader-election.ts';
import type { LeaseClient } from './lease-lock.ts';

/** One Lease on a server that compares versions before it writes. */
class LeaseServer {
  lease: Lease | undefined;
  writes: Lease[] = [];
  #version = 0;

  get(): Lease {
    if (this.lease === undefined) throw new KubeError('NotFound', 'no lease', { status: 404 });
    return this.lease;
  }

  create(lease: Lease): Lease {
    if (this.lease !== undefined) {
      throw new KubeError('AlreadyExists', 'there is one', { status: 409 });
    }
    return this.#store({ ...lease, metadata: { ...lease.metadata, uid: `uid-${this.#version}` } });
  }

  update(lease: Lease): Lease {
    const current = this.get();
    if (lease.metadata.resourceVersion !== current.metadata.resourceVersion) {
      throw new KubeError('Conflict', 'changed meanwhile', { status: 409 });
    }
    // A write that changes nothing gives no new version, as with a real server.
    if (JSON.stringify(lease) === JSON.stringify(current)) return current;
    return this.#store(lease);
  }

  /** What anybody with kubectl may do. */
  edit(change: Partial<Lease>): void {
    this.#store({ metadata: { name: 'lock', namespace: 'ns' }, ...this.lease, ...change });
  }

  #store(lease: Lease): Lease {
    const resourceVersion = String(++this.#version);
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion } };
    this.writes.push(this.lease);
    return this.lease;
  }
}

/** A client that reaches the server at once, or not at all while `down`. */
class DirectClient implements LeaseClient {
  down: 'no' | 'refused' | 'silent' = 'no';
  readonly server: LeaseServer;

  constructor(server: LeaseServer) {
    this.server = server;
  }

  get(): Promise<Lease> {
    return this.#call(() => this.server.get());
  }

  create(_type: unknown, lease: Lease): Promise<Lease> {
    return this.#call(() => this.server.create(lease));
  }

  update(_type: unknown, lease: Lease): Promise<Lease> {
    return this.#call(() => this.server.update(lease));
  }

  async #call(operation: () => Lease): Promise<Lease> {
    if (this.down === 'refused') throw new KubeError('Network', 'connection refused');
    if (this.down === 'silent') await new Promise(() => undefined);
    return operation();
  }
}

interface Candidate {
  readonly client: DirectClient;
  readonly elector: LeaderElector;
  readonly events: ObjectEvent[];
  readonly registry: MetricsRegistry;
  readonly stopping: AbortController;
  leadership: AbortSignal | undefined;
}

function setUp() {
  const clock = new VirtualClock();
  const server = new LeaseServer();
  const candidate = (identity: string, options: Partial<LeaderElectorOptions> = {}): Candidate => {
    const events: ObjectEvent[] = [];
    const registry = new MetricsRegistry();
    const client = new DirectClient(server);
    const elector = new LeaderElector({
      client,
      clock,
      random: seededRandom(1),
      log: silentLogger,
      namespace: 'ns',
      name: 'lock',
      identity,
      recorder: { publish: (...published) => void events.push(...published) },
      metrics: registry,
      ...options,
    });
    const stopping = new AbortController();
    const made: Candidate = { client, elector, events, registry, stopping, leadership: undefined };
    const lead = async (): Promise<void> => {
      made.leadership = await elector.lead(stopping.signal);
    };
    lead().catch(() => undefined);
    return made;
  };
  return { clock, server, candidate };
}

function isLeading({ leadership }: Candidate): boolean {
  return leadership !== undefined && !leadership.aborted;
}

const dead = {
  holderIdentity: 'dead',
  leaseDurationSeconds: 15,
  acquireTime: '2020-01-01T00:00:00.000000Z',
  renewTime: '2020-01-01T00:00:00.000000Z',
  leaseTransitions: 3,
};

describe('the first candidate', () => {
  test('creates the lease, says so in an event and in the metric, and renews it every two seconds', async () => {
    const { clock, server, candidate } = setUp();
    const a = candidate('a', { labels: { app: 'karpenter' } });
    await clock.settle();
    expect(server.lease).toEqual({
      metadata: {
        name: 'lock',
        namespace: 'ns',
        labels: { app: 'karpenter' },
        uid: 'uid-0',
        resourceVersion: '1',
      },
      spec: {
        holderIdentity: 'a',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-01T00:00:00.000000Z',
        renewTime: '2026-01-01T00:00:00.000000Z',
        leaseTransitions: 0,
      },
    });
    expect(a.events).toEqual([
      {
        object: {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          name: 'lock',
          namespace: 'ns',
          uid: 'uid-0',
          resourceVersion: '1',
        },
        type: 'Normal',
        reason: 'LeaderElection',
        message: 'a became leader',
        component: 'a',
      },
    ]);
    expect(await a.registry.text()).toContain('leader_election_master_status{name="lock"} 1\n');
    await clock.advance(6000);
    expect(server.writes.map((lease) => [lease.spec?.acquireTime, lease.spec?.renewTime])).toEqual(
      ['00', '02', '04', '06'].map((seconds) => [
        '2026-01-01T00:00:00.000000Z',
        `2026-01-01T00:00:${seconds}.000000Z`,
      ]),
    );
    expect(isLeading(a) && a.elector.isLeader()).toBe(true);
  });

  test('has a name that no other process has', () => {
    expect(electionIdentity('host', seededRandom(7))).toMatch(/^host_[0-9a-f-]{36}$/);
  });

  test.each([
    { leaseDurationMs: 10_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 },
    { leaseDurationMs: 15_000, renewDeadlineMs: 2400, retryPeriodMs: 2000 },
    { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 0 },
  ])('does not start with timings that cannot work: %o', (timings) => {
    const { candidate } = setUp();
    expect(() => candidate('a', { timings })).toThrow(/must be/);
  });
});

describe('a candidate', () => {
  test('takes over a lease that it has seen unchanged for its duration, whatever the times in it say', async () => {
    for (const renewTime of ['1999-01-01T00:00:00.000000Z', '2099-01-01T00:00:00.000000Z']) {
      const { clock, server, candidate } = setUp();
      server.edit({ spec: { ...dead, renewTime } });
      const b = candidate('b');
      await clock.advance(14_999);
      expect(isLeading(b)).toBe(false);
      await clock.advance(4401);
      expect({ leading: isLeading(b), spec: server.lease?.spec }).toMatchObject({
        leading: true,
        spec: { holderIdentity: 'b', leaseTransitions: 4 },
      });
    }
  });

  test('waits as long as the lease keeps changing', async () => {
    const { clock, candidate } = setUp();
    const a = candidate('a');
    await clock.settle();
    const b = candidate('b');
    await clock.advance(600_000);
    expect([isLeading(a), isLeading(b)]).toEqual([true, false]);
    expect(await b.registry.text()).toContain('leader_election_master_status{name="lock"} 0\n');
  });

  test('takes a lease that was released at its next try', async () => {
    const { clock, server, candidate } = setUp();
    const a = candidate('a');
    await clock.settle();
    const b = candidate('b');
    await clock.advance(60_000);
    await a.elector.stop({ release: true });
    expect(server.lease?.spec).toMatchObject({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      leaseTransitions: 0,
    });
    await clock.advance(4400);
    expect([isLeading(a), isLeading(b), server.lease?.spec?.leaseTransitions]).toEqual([
      false,
      true,
      1,
    ]);
    expect(a.events.map(({ message }) => message)).toEqual([
      'a became leader',
      'a stopped leading',
    ]);
  });

  test.each<{ name: string; spec: Lease['spec'] | undefined; afterMs: number }>([
    { name: 'has no spec', spec: undefined, afterMs: 0 },
    { name: 'names no holder', spec: { ...dead, holderIdentity: '' }, afterMs: 0 },
    { name: 'has no duration', spec: { holderIdentity: 'dead' }, afterMs: 15_000 },
    {
      name: 'has a duration of nonsense',
      spec: { ...dead, leaseDurationSeconds: -7 },
      afterMs: 15_000,
    },
    {
      name: 'has a duration of its own',
      spec: { ...dead, leaseDurationSeconds: 60 },
      afterMs: 60_000,
    },
  ])('takes a lease that $name after $afterMs ms', async ({ spec, afterMs }) => {
    const { clock, server, candidate } = setUp();
    server.edit(spec === undefined ? {} : { spec });
    const b = candidate('b');
    await clock.advance(Math.max(0, afterMs - 1));
    expect(isLeading(b)).toBe(afterMs === 0);
    await clock.advance(4401);
    expect([isLeading(b), server.lease?.spec?.holderIdentity]).toEqual([true, 'b']);
  });

  test('that has seen the lease does not take it at once when somebody deletes it', async () => {
    const { clock, server, candidate } = setUp();
    const a = candidate('a');
    await clock.settle();
    const b = candidate('b');
    await clock.advance(1000);
    a.client.down = 'refused';
    server.lease = undefined;
    await clock.advance(8999);
    expect([isLeading(a), isLeading(b)]).toEqual([true, false]);
    await clock.advance(10_000);
    expect([isLeading(a), isLeading(b)]).toEqual([false, true]);
  });

  test('knows its own lease again when the answer to its write was lost', async () => {
    const { clock, server, candidate } = setUp();
    const client = new DirectClient(server);
    let lost = 0;
    const forgetful: LeaseClient = {
      get: () => client.get(),
      update: (type, lease) => client.update(type, lease),
      async create(type, lease) {
        await client.create(type, lease);
        lost++;
        throw new KubeError('Network', 'connection reset');
      },
    };
    const a = candidate('a', { client: forgetful });
    await clock.advance(4400);
    expect([lost, isLeading(a), server.lease?.spec?.leaseTransitions]).toEqual([1, true, 0]);
  });

  test('stops trying when it is told to, and leaves no timer', async () => {
    const { clock, server, candidate } = setUp();
    server.edit({ spec: dead });
    const b = candidate('b');
    await clock.advance(5000);
    b.stopping.abort();
    await b.elector.stop({ release: true });
    await clock.settle();
    expect([clock.pending().timers, server.lease?.spec?.holderIdentity]).toEqual([[], 'dead']);
  });

  test('does not think that it leads when the answer came too late', async () => {
    const { clock, server, candidate } = setUp();
    const client = new DirectClient(server);
    const slow: LeaseClient = {
      get: () => client.get(),
      update: (type, lease) => client.update(type, lease),
      create: (type, lease) => {
        const { promise, resolve } = Promise.withResolvers<Lease>();
        clock.setTimer(4900, () => resolve(client.create(type, lease)));
        return promise;
      },
    };
    const timings = { leaseDurationMs: 5000, renewDeadlineMs: 4800, retryPeriodMs: 1000 };
    const a = candidate('a', { client: slow, timings });
    await clock.advance(4900);
    expect([isLeading(a), a.elector.isLeader()]).toEqual([false, false]);
  });
});

describe('an answer that comes too late', () => {
  test.each(Array.from({ length: 12 }, (_, steps) => steps))(
    'does not turn a decision about one version of the lease into a write on another (%i steps after)',
    async (steps) => {
      const { clock, server, candidate } = setUp();
      server.edit({ spec: dead });
      const forgotten = Promise.withResolvers<Lease>();
      let reads = 0;
      const deaf: LeaseClient = {
        create: (_type, lease) => Promise.resolve(server.create(lease)),
        update: (_type, lease) => Promise.resolve(server.update(lease)),
        get() {
          const lease = server.get();
          if (++reads === 2) return forgotten.promise;
          if (clock.monotonic() >= 15_000) {
            // The holder comes back just after this read, and the read that was given up sees it.
            server.edit({ spec: { ...dead, renewTime: '2026-01-01T00:00:15.000000Z' } });
            void afterSteps(steps, () => forgotten.resolve(server.get()));
          }
          return Promise.resolve(lease);
        },
      };
      const b = candidate('b', { client: deaf });
      await clock.advance(20_000);
      expect([reads > 2, isLeading(b), server.lease?.spec?.holderIdentity]).toEqual([
        true,
        false,
        'dead',
      ]);
    },
  );
});

async function afterSteps(steps: number, happen: () => void): Promise<void> {
  for (let step = 0; step < steps; step++) await Promise.resolve();
  happen();
}

describe('a leader', () => {
  test.each(['refused', 'silent'] as const)(
    'stops ten seconds after the start of its last renewal when the server is %s',
    async (down) => {
      const { clock, candidate } = setUp();
      const a = candidate('a');
      await clock.advance(20_000);
      a.client.down = down;
      await clock.advance(9999);
      expect([isLeading(a), a.elector.isLeader()]).toEqual([true, true]);
      await clock.advance(1);
      expect([isLeading(a), a.elector.isLeader()]).toEqual([false, false]);
      expect(a.leadership?.reason).toMatchObject({
        code: 'LeaderLost',
        fields: { lock: 'ns/lock' },
      });
      expect(a.events.at(-1)?.message).toBe('a stopped leading');
      expect(await a.registry.text()).toContain('leader_election_master_status{name="lock"} 0\n');
      await a.elector.stop({ release: true });
      expect(clock.pending().timers).toEqual([]);
    },
  );

  test('survives a server that is away for less than that', async () => {
    const { clock, candidate } = setUp();
    const a = candidate('a');
    await clock.advance(20_000);
    for (const down of ['refused', 'silent'] as const) {
      a.client.down = down;
      await clock.advance(4500);
      a.client.down = 'no';
      await clock.advance(20_000);
    }
    expect(isLeading(a)).toBe(true);
  });

  test('counts from the start of a renewal, not from its answer', async () => {
    const { clock, server, candidate } = setUp();
    const client = new DirectClient(server);
    let slow = false;
    const lagging: LeaseClient = {
      get: () => client.get(),
      create: (type, lease) => client.create(type, lease),
      async update(type, lease) {
        const updated = await client.update(type, lease);
        if (!slow) return updated;
        client.down = 'silent';
        return new Promise((resolve) => clock.setTimer(4000, () => resolve(updated)));
      },
    };
    const a = candidate('a', { client: lagging });
    await clock.advance(3999);
    slow = true;
    // Renews at 4 s, hears of it at 8 s, and never again of anything.
    await clock.advance(10_000);
    expect(isLeading(a)).toBe(true);
    await clock.advance(1);
    expect([clock.monotonic(), isLeading(a)]).toEqual([14_000, false]);
  });

  test('keeps the lease, and what others wrote on it, when somebody edits it', async () => {
    const { clock, server, candidate } = setUp();
    const a = candidate('a');
    await clock.advance(3000);
    server.edit({ metadata: { ...server.lease!.metadata, labels: { team: 'x' } } });
    await clock.advance(2000);
    expect([isLeading(a), server.lease?.metadata.labels, server.lease?.spec?.renewTime]).toEqual([
      true,
      { team: 'x' },
      '2026-01-01T00:00:04.000000Z',
    ]);
  });

  test('makes a lease anew that somebody deleted', async () => {
    const { clock, server, candidate } = setUp();
    const a = candidate('a');
    await clock.advance(3000);
    server.lease = undefined;
    await clock.advance(2000);
    expect([isLeading(a), server.get().spec?.holderIdentity]).toEqual([true, 'a']);
  });

  test('stops as soon as it sees that somebody else holds the lease', async () => {
    const { clock, server, candidate } = setUp();
    const a = candidate('a');
    await clock.advance(3000);
    server.edit({ spec: { ...dead, holderIdentity: 'thief' } });
    await clock.advance(1000);
    expect(isLeading(a)).toBe(false);
    expect(a.leadership?.reason).toMatchObject({ code: 'LeaderLost', fields: { holder: 'thief' } });
    await a.elector.stop({ release: true });
    expect(server.lease?.spec?.holderIdentity).toBe('thief');
  });

  test('renews visibly even if its wall clock stands still', async () => {
    const { clock, server, candidate } = setUp();
    const stuck: Clock = {
      now: () => 0,
      monotonic: () => clock.monotonic(),
      setTimer: (...timer) => clock.setTimer(...timer),
    };
    candidate('a', { clock: stuck });
    await clock.advance(10_000);
    expect(server.writes).toHaveLength(6);
  });

  test('does not release a lease when its work has not stopped', async () => {
    const { clock, server, candidate } = setUp();
    const a = candidate('a');
    await clock.advance(3000);
    await a.elector.stop({ release: false });
    expect([isLeading(a), server.lease?.spec?.holderIdentity, clock.pending().timers]).toEqual([
      false,
      'a',
      [],
    ]);
  });

  test('releases the lease although somebody edited it meanwhile, and gives up when nobody answers', async () => {
    const { clock, server, candidate } = setUp();
    const a = candidate('a');
    await clock.advance(3000);
    server.edit({ metadata: { ...server.lease!.metadata, labels: { team: 'x' } } });
    await a.elector.stop({ release: true });
    expect(server.lease?.spec?.holderIdentity).toBe('');
    const b = candidate('b');
    await clock.advance(3000);
    b.client.down = 'silent';
    const stopped = b.elector.stop({ release: true });
    await clock.advance(10_000);
    await stopped;
    expect(clock.pending().timers).toEqual([]);
  });
});

/** A process that may be stalled: what falls due meanwhile happens when it goes on, in any order. */
class Process {
  stalled = false;
  skewMs = 0;
  readonly #backlog: (() => void)[] = [];
  readonly #world: VirtualClock;
  readonly clock: Clock;
  readonly network: Network;

  constructor(world: VirtualClock, random: Random) {
    this.#world = world;
    this.network = { random, loss: 0, delayMs: 50 };
    this.clock = {
      now: () => world.now() + this.skewMs,
      monotonic: () => world.monotonic(),
      setTimer: (delayMs, run, label) => {
        let cancelled = false;
        const timer = world.setTimer(delayMs, () => this.deliver(() => cancelled || run()), label);
        return {
          cancel: () => {
            cancelled = true;
            timer.cancel();
          },
        };
      },
    };
  }

  deliver(happen: () => void): void {
    if (this.stalled) this.#backlog.push(happen);
    else happen();
  }

  resume(random: Random): void {
    this.stalled = false;
    for (const happen of shuffled(random, this.#backlog.splice(0))) happen();
  }

  /** Carries a call to the server and its answer back, each with a delay, either of which may get lost. */
  call<T>(operation: () => T, signal: AbortSignal): Promise<T> {
    const { network } = this;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // Some clients do not listen, and their answers come when nobody waits any more.
    const isDeaf = network.random.next() < 0.3;
    if (!isDeaf)
      signal.addEventListener('abort', () => reject(new KubeError('Timeout', 'aborted')));
    if (network.random.next() < network.loss) return promise;
    this.#world.setTimer(network.random.next() * network.delayMs, () => {
      let answer: () => void;
      try {
        const value = operation();
        answer = () => resolve(value);
      } catch (error) {
        answer = () => reject(error);
      }
      if (network.random.next() < network.loss) return;
      this.#world.setTimer(network.random.next() * network.delayMs, () => this.deliver(answer));
    });
    return promise;
  }
}

interface Network {
  readonly random: Random;
  loss: number;
  delayMs: number;
}

/** Several processes, one of which should lead; each starts anew after it has lost. */
class Contest {
  readonly clock = new VirtualClock();
  readonly server = new LeaseServer();
  readonly processes: Process[] = [];
  readonly violations: string[] = [];
  readonly #random: Random;
  readonly #leaders = new Map<Process, { elector: LeaderElector; signal: AbortSignal }>();
  #started = 0;

  constructor(seed: number, size: number) {
    this.#random = seededRandom(seed);
    for (let i = 0; i < size; i++) {
      const process = new Process(this.clock, this.#random.fork());
      this.processes.push(process);
      void this.#live(process);
    }
  }

  resume(process: Process): void {
    const leader = this.#leaders.get(process);
    // Whoever runs first after the stall may ask before any timer has fired.
    const asksFirst = this.#random.next() < 0.5;
    if (process.stalled && asksFirst && leader?.elector.isLeader() === true) {
      const others = this.leaders().filter((other) => other !== process);
      if (others.length > 0) this.violations.push(`stalled leader at ${this.clock.monotonic()}`);
    }
    process.resume(this.#random);
  }

  /** Those that run and have a signal that says they lead. A process that is stalled does nothing. */
  leaders(): Process[] {
    return this.processes.filter(
      (process) => !process.stalled && this.#leaders.get(process)?.signal.aborted === false,
    );
  }

  /** Moves time, looking at every moment at which anything happens. */
  async pass(ms: number): Promise<void> {
    let over = false;
    this.clock.setTimer(ms, () => {
      over = true;
    });
    await this.clock.runUntil(() => {
      if (this.leaders().length > 1)
        this.violations.push(`two leaders at ${this.clock.monotonic()}`);
      return over;
    });
  }

  async #live(process: Process): Promise<void> {
    for (;;) {
      const elector = new LeaderElector({
        client: this.#clientOf(process),
        clock: process.clock,
        random: this.#random.fork(),
        log: silentLogger,
        namespace: 'ns',
        name: 'lock',
        identity: `process-${this.#started++}`,
      });
      const signal = await elector.lead(new AbortController().signal);
      this.#leaders.set(process, { elector, signal });
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await elector.stop({ release: this.#random.next() < 0.5 });
      await new Promise<void>((resolve) => process.clock.setTimer(1000, resolve));
    }
  }

  #clientOf(process: Process): LeaseClient {
    const { server } = this;
    return {
      get: (_type, _ref, { signal }) => process.call(() => server.get(), signal),
      create: (_type, lease, { signal }) => process.call(() => server.create(lease), signal),
      update: (_type, lease, { signal }) => process.call(() => server.update(lease), signal),
    };
  }
}

interface Fault {
  readonly loss: number;
  readonly delayMs: number;
  readonly jumpMs: number;
}

const strikes: Readonly<
  Record<string, (process: Process, contest: Contest, fault: Fault) => void>
> = {
  stall: (process) => void (process.stalled = true),
  resume: (process, contest) => contest.resume(process),
  jump: (process, _contest, { jumpMs }) => void (process.skewMs += jumpMs),
  network: ({ network }, _contest, { loss, delayMs }) =>
    void Object.assign(network, { loss, delayMs }),
  partition: ({ network }) => void (network.loss = 1),
  calm: ({ network }) => void Object.assign(network, { loss: 0, delayMs: 50 }),
  edit: (_process, { server }) => void (server.lease !== undefined && server.edit({})),
};

const fault = fc.record({
  what: fc.constantFrom(...Object.keys(strikes)),
  // Faults of the leader are where safety is at stake.
  who: fc.constantFrom('leader' as const, 'leader' as const, 0, 1, 2),
  afterMs: fc.integer({ min: 0, max: 20_000 }),
  loss: fc.constantFrom(0, 0.1, 0.5),
  delayMs: fc.constantFrom(10, 1000, 4000, 12_000),
  jumpMs: fc.integer({ min: -100_000, max: 100_000 }),
});

describe('whatever happens', () => {
  test('no two processes lead at one time, and one leads soon after all is well again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.integer({ min: 2, max: 3 }),
        fc.array(fault, { maxLength: 25 }),
        async (seed, size, faults) => {
          const contest = new Contest(seed, size);
          await contest.pass(10_000);
          for (const one of faults) {
            const { processes } = contest;
            const index = one.who === 'leader' ? processes.indexOf(contest.leaders()[0]!) : one.who;
            strikes[one.what]!(processes[Math.max(0, index) % size]!, contest, one);
            await contest.pass(one.afterMs);
          }
          for (const process of contest.processes) {
            Object.assign(process.network, { loss: 0, delayMs: 50 });
            contest.resume(process);
          }
          await contest.pass(45_000);
          expect({ violations: contest.violations, leaders: contest.leaders().length }).toEqual({
            violations: [],
            leaders: 1,
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});
