// Whatever the cluster, a placement keeps every hard rule and a refusal is true. The judge below reads the raw objects
// one by one and shares nothing with the code under test.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node, SchedulingPod } from './objects.ts';
import { aNode, aPod, Desk } from './scheduler-fixture.ts';

const hostname = 'kubernetes.io/hostname';
const zoneKey = 'topology.kubernetes.io/zone';
const apps = ['web', 'db'];

const node = fc.record({
  zone: fc.constantFrom('1', '2', undefined),
  cpu: fc.integer({ min: 1, max: 4 }),
  pods: fc.integer({ min: 1, max: 6 }),
  tainted: fc.boolean(),
  cordoned: fc.boolean(),
  ssd: fc.boolean(),
});

const pod = fc.record({
  app: fc.constantFrom(...apps),
  cpu: fc.integer({ min: 0, max: 3 }),
  port: fc.constantFrom(undefined, undefined, 80),
  tolerates: fc.boolean(),
  wantsSsd: fc.boolean(),
  shuns: fc.constantFrom(undefined, undefined, hostname, zoneKey),
  needs: fc.constantFrom(undefined, undefined, zoneKey),
  spreads: fc.constantFrom(undefined, undefined, zoneKey, hostname),
  priority: fc.constantFrom(0, 10),
});

type NodeCase = typeof node extends fc.Arbitrary<infer T> ? T : never;
type PodCase = typeof pod extends fc.Arbitrary<infer T> ? T : never;

function toNode(name: string, it: NodeCase): Node {
  return aNode(name, {
    labels: {
      ...(it.zone === undefined ? {} : { [zoneKey]: it.zone }),
      ...(it.ssd ? { disk: 'ssd' } : {}),
    },
    taints: it.tainted ? [{ key: 'gpu', effect: 'NoSchedule' }] : [],
    unschedulable: it.cordoned,
    allocatable: { cpu: `${it.cpu}`, pods: `${it.pods}` },
  });
}

function toPod(name: string, it: PodCase): SchedulingPod {
  const rule = (topologyKey: string | undefined) =>
    topologyKey === undefined
      ? {}
      : {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey, labelSelector: { matchLabels: { app: it.app } } },
          ],
        };
  return aPod(name, {
    labels: { app: it.app },
    cpu: `${it.cpu}`,
    ...(it.port === undefined ? {} : { hostPort: it.port }),
    spec: {
      priority: it.priority,
      preemptionPolicy: 'Never',
      ...(it.tolerates ? { tolerations: [{ key: 'gpu', operator: 'Exists' as const }] } : {}),
      ...(it.wantsSsd ? { nodeSelector: { disk: 'ssd' } } : {}),
      affinity: { podAntiAffinity: rule(it.shuns), podAffinity: rule(it.needs) },
      ...(it.spreads === undefined
        ? {}
        : {
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: it.spreads,
                whenUnsatisfiable: 'DoNotSchedule' as const,
                labelSelector: { matchLabels: { app: it.app } },
              },
            ],
          }),
    },
  });
}

interface World {
  readonly nodes: ReadonlyMap<string, NodeCase>;
  readonly placed: { readonly it: PodCase; readonly on: string }[];
}

function valueOf(world: World, name: string, key: string): string | undefined {
  return key === hostname ? name : world.nodes.get(name)!.zone;
}

/** The judge: may this pod stand on this node beside the others? */
function isAllowed(world: World, it: PodCase, name: string): boolean {
  return [isWelcome, hasRoom, shunsNobody, findsFriends, keepsSkew].every((rule) =>
    rule(world, it, name),
  );
}

function isWelcome(world: World, it: PodCase, name: string): boolean {
  const { cordoned, tainted, ssd } = world.nodes.get(name)!;
  return !cordoned && (!tainted || it.tolerates) && (!it.wantsSsd || ssd);
}

function hasRoom(world: World, it: PodCase, name: string): boolean {
  const target = world.nodes.get(name)!;
  const here = world.placed.filter(({ on }) => on === name);
  if (here.length + 1 > target.pods) return false;
  if (it.port !== undefined && here.some((other) => other.it.port === it.port)) return false;
  const used = here.reduce((sum, other) => sum + other.it.cpu, 0);
  return it.cpu === 0 || used + it.cpu <= target.cpu;
}

function shunsNobody(world: World, it: PodCase, name: string): boolean {
  return world.placed.every(({ it: other, on }) => {
    if (other.app !== it.app) return true;
    return [it.shuns, other.shuns].every((key) => {
      if (key === undefined) return true;
      const value = valueOf(world, name, key);
      return value === undefined || value !== valueOf(world, on, key);
    });
  });
}

function findsFriends(world: World, it: PodCase, name: string): boolean {
  if (it.needs === undefined) return true;
  const value = valueOf(world, name, it.needs);
  if (value === undefined) return false;
  const friends = world.placed.filter(({ it: other }) => other.app === it.app);
  const inDomains = friends.filter(({ on }) => valueOf(world, on, it.needs!) !== undefined);
  if (inDomains.length === 0) return true;
  return inDomains.some(({ on }) => valueOf(world, on, it.needs!) === value);
}

function keepsSkew(world: World, it: PodCase, name: string): boolean {
  const key = it.spreads;
  if (key === undefined) return true;
  const value = valueOf(world, name, key);
  if (value === undefined) return false;
  const counts = new Map<string, number>();
  for (const [other, facts] of world.nodes) {
    const domain = valueOf(world, other, key);
    // The node selector decides which domains there are.
    if (domain === undefined || (it.wantsSsd && !facts.ssd)) continue;
    const here = world.placed.filter((p) => p.on === other && p.it.app === it.app).length;
    counts.set(domain, (counts.get(domain) ?? 0) + here);
  }
  const least = counts.size === 0 ? 0 : Math.min(...counts.values());
  return (counts.get(value) ?? 0) + 1 - least <= 1;
}

describe('placing pods one after another', () => {
  test('never breaks a rule, and never refuses a pod that has a node', () => {
    fc.assert(
      fc.property(
        fc.array(node, { minLength: 1, maxLength: 5 }),
        fc.array(pod, { minLength: 1, maxLength: 15 }),
        (nodeCases, podCases) => {
          const desk = new Desk();
          const world: World = {
            nodes: new Map(nodeCases.map((it, i) => [`n${i}`, it])),
            placed: [],
          };
          for (const [name, it] of world.nodes) desk.state.setNode(toNode(name, it));
          for (const [i, it] of podCases.entries()) {
            const decision = desk.decide(toPod(`p${i}`, it));
            const allowed = [...world.nodes.keys()].filter((name) => isAllowed(world, it, name));
            const chosen = decision.kind === 'place' ? [decision.node.name] : [];
            expect(chosen.length > 0).toBe(allowed.length > 0);
            expect(allowed).toEqual(expect.arrayContaining(chosen));
            if (decision.kind !== 'place') continue;
            desk.state.place(toPod(`p${i}`, it), decision.node.name);
            world.placed.push({ it, on: decision.node.name });
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('looking for victims leaves the cluster as it was', () => {
    fc.assert(
      fc.property(fc.array(pod, { minLength: 2, maxLength: 10 }), (podCases) => {
        const desk = new Desk();
        desk.state.setNode(aNode('a', { allocatable: { cpu: '3' } }));
        desk.state.setNode(aNode('b', { allocatable: { cpu: '3' } }));
        for (const [i, it] of podCases.entries())
          desk.place(toPod(`p${i}`, { ...it, priority: 0 }));
        const picture = () =>
          desk.state.nodes.map(({ name, pods, requested }) => [
            name,
            [...pods.keys()].toSorted(),
            { ...requested },
          ]);
        const before = picture();
        const wanted = aPod('big', { cpu: '3', spec: { priority: 100 } });
        const decision = desk.decide(wanted);
        expect(picture()).toEqual(before);
        if (decision.kind !== 'preempt') return;
        const { node, victims } = decision.candidate;
        for (const { uid } of victims) desk.state.unplace(uid);
        expect(desk.place(wanted)).toBe(node.name);
      }),
      { numRuns: 100 },
    );
  });
});
