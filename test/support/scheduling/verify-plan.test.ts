// Every rule of the judge is shown a sound plan and the same plan with one thing wrong.
import { describe, expect, test } from 'vitest';
import { bestPlan } from './brute-force.ts';
import {
  arch,
  capacityType,
  claim,
  daemonSet,
  exists,
  hostname,
  instanceType,
  is,
  node,
  nodePool,
  offering,
  pod,
  podsWith,
  problem,
  replicas,
  spreadOver,
  taint,
  tolerating,
  volume,
  zone,
} from './builders.ts';
import type { PlanJson, PlannedNodeClaim, ProblemJson } from './problem-json.ts';
import { readVectors } from './vectors.ts';
import { verifyPlan } from './verify-plan.ts';
import type { Rule } from './violation.ts';

const web = { app: 'web' };
const data = taint('team', 'data');
const small = instanceType({ name: 'small', cpu: '2', memory: '8Gi', price: 0.1 });
const medium = instanceType();
/** Small and dear, so that it never decides a price. */
const tiny = instanceType({ name: 'tiny', cpu: '2', price: 0.9 });
const arm = instanceType({ name: 'arm', arch: 'arm64', price: 0.15 });

type Mutation = (plan: PlanJson) => PlanJson;

/** The plan with one of its new nodes changed. */
function change(n: number, how: (node: PlannedNodeClaim) => Partial<PlannedNodeClaim>): Mutation {
  return (plan) => ({
    ...plan,
    newNodeClaims: plan.newNodeClaims.map((node, i) =>
      i === n ? { ...node, ...how(node) } : node,
    ),
  });
}

function pinned(
  key: string,
  ...values: string[]
): (node: PlannedNodeClaim) => Partial<PlannedNodeClaim> {
  return ({ requirements, launch }) => ({
    requirements: [...requirements.filter((entry) => entry.key !== key), is(key, ...values)],
    ...(key === zone && { launch: { ...launch, zones: values } }),
  });
}

/** The pods of all new nodes together on the first. */
const together: Mutation = (plan) => {
  const [first] = plan.newNodeClaims;
  const pods = plan.newNodeClaims.flatMap((node) => node.pods);
  const requests = { cpu: '100', memory: '100Gi', pods: '100' };
  return {
    ...plan,
    newNodeClaims: [{ ...first!, pods, requests }],
    totalPrice: first!.cheapestPrice,
  };
};

/** Everything on one node that exists. */
function onNode(name: string): Mutation {
  return (plan) => {
    const pods = [...plan.newNodeClaims, ...plan.existingNodes].flatMap((place) => place.pods);
    return { ...plan, newNodeClaims: [], existingNodes: [{ name, pods }], totalPrice: 0 };
  };
}

interface Row {
  readonly rule: Rule;
  readonly wrong: string;
  readonly problem: ProblemJson;
  readonly mutate: Mutation;
}

const two = problem({ instanceTypes: [small, medium, arm], pods: replicas(2, { name: 'p' }) });
const narrow = problem({
  nodePools: [
    nodePool({
      requirements: [is(arch, 'amd64'), is(capacityType, 'on-demand')],
      labels: { team: 'x' },
    }),
  ],
  instanceTypes: [small, medium, arm],
  pods: [pod({ name: 'p', cpu: '1' })],
});
const fullNode = problem({
  instanceTypes: [small],
  nodes: [node({ name: 'n', instanceType: 'small' })],
  boundPods: [pod({ name: 'x', cpu: '1500m', on: 'n' })],
  pods: [pod({ name: 'p', cpu: '1' })],
});
const spread = problem({
  instanceTypes: [small],
  pods: replicas(3, { name: 'p', labels: web, cpu: '1500m', spread: [spreadOver(zone, web)] }),
});
const apart = (key: string): ProblemJson =>
  problem({
    instanceTypes: [small],
    pods: replicas(2, { name: 'p', labels: web, apart: [podsWith(web, key)] }),
  });
const volumes = problem({
  instanceTypes: [small],
  nodes: [node({ name: 'n', instanceType: 'small', zone: 'z2' })],
  persistentVolumes: [volume({ name: 'v', zones: ['z1'] }), volume({ name: 'w', zones: ['z2'] })],
  persistentVolumeClaims: [claim({ name: 'c', volume: 'v' }), claim({ name: 'd', volume: 'w' })],
  csiNodes: [
    {
      metadata: { name: 'n' },
      spec: { drivers: [{ name: 'disk.csi.azure.com', nodeID: 'n', allocatable: { count: 0 } }] },
    },
  ],
  pods: [pod({ name: 'p', claims: ['c'] })],
});
const daemons = problem({
  instanceTypes: [tiny, medium],
  daemonSets: [daemonSet({ name: 'd', cpu: '1', ports: [9100] })],
  nodes: [node({ name: 'n', instanceType: 'tiny' })],
  pods: [pod({ name: 'p', cpu: '1500m' })],
});

const rows: readonly Row[] = [
  {
    rule: 'accounting',
    wrong: 'a pod is forgotten',
    problem: two,
    mutate: change(0, ({ pods }) => ({ pods: pods.slice(1) })),
  },
  {
    rule: 'accounting',
    wrong: 'a pod is placed twice',
    problem: two,
    mutate: (plan) => ({
      ...plan,
      newNodeClaims: [...plan.newNodeClaims, ...plan.newNodeClaims],
      totalPrice: 2 * plan.totalPrice,
    }),
  },
  {
    rule: 'accounting',
    wrong: 'a pod is placed and refused',
    problem: two,
    mutate: (plan) => ({ ...plan, podErrors: { 'default/p-0': 'no room' } }),
  },
  {
    rule: 'accounting',
    wrong: 'a pod is placed that does not wait',
    problem: two,
    mutate: change(0, ({ pods }) => ({ pods: [...pods, 'default/other'] })),
  },
  {
    rule: 'accounting',
    wrong: 'a node is used that does not exist',
    problem: two,
    mutate: onNode('nowhere'),
  },
  {
    rule: 'capacity',
    wrong: 'a pod is moved to a full node',
    problem: fullNode,
    mutate: onNode('n'),
  },
  {
    rule: 'capacity',
    wrong: 'a type is listed that is too small for the pods',
    problem: problem({ instanceTypes: [tiny, medium], pods: [pod({ name: 'p', cpu: '3' })] }),
    mutate: change(0, ({ instanceTypes }) => ({ instanceTypes: [...instanceTypes, 'tiny'] })),
  },
  {
    rule: 'capacity',
    wrong: 'a type is listed that has no room left beside the DaemonSets',
    problem: daemons,
    mutate: change(0, () => ({ instanceTypes: ['medium', 'tiny'] })),
  },
  {
    rule: 'capacity',
    wrong: 'the room of a DaemonSet that is still to come is used',
    problem: daemons,
    mutate: onNode('n'),
  },
  {
    rule: 'capacity',
    wrong: 'there are more pods than a node takes',
    problem: problem({
      instanceTypes: [instanceType({ pods: '1' })],
      pods: replicas(2, { name: 'p' }),
    }),
    mutate: together,
  },
  {
    rule: 'capacity',
    wrong: 'the requests of a claim leave its pods out',
    problem: two,
    mutate: change(0, () => ({ requests: { cpu: '100m', memory: '1Gi', pods: '2' } })),
  },
  {
    rule: 'claim requirements',
    wrong: 'a claim drops what its pool requires',
    problem: narrow,
    mutate: change(0, ({ requirements }) => ({
      requirements: requirements.filter(({ key }) => key !== arch),
    })),
  },
  {
    rule: 'claim requirements',
    wrong: 'a claim drops a label of its pool',
    problem: narrow,
    mutate: change(0, ({ requirements }) => ({
      requirements: requirements.filter(({ key }) => key !== 'team'),
    })),
  },
  {
    rule: 'claim requirements',
    wrong: 'a claim has a label that its pool does not give',
    problem: two,
    mutate: change(0, pinned('color', 'green')),
  },
  {
    rule: 'instance type',
    wrong: 'a type is listed that does not exist',
    problem: two,
    mutate: change(0, ({ instanceTypes }) => ({ instanceTypes: [...instanceTypes, 'imaginary'] })),
  },
  {
    rule: 'instance type',
    wrong: 'a type is listed that is not available where the claim wants it',
    problem: problem({
      instanceTypes: [
        small,
        instanceType({ name: 'gone', price: 0.3, offerings: [offering({ available: false })] }),
      ],
      pods: [pod({ name: 'p' })],
    }),
    mutate: change(0, ({ instanceTypes }) => ({ instanceTypes: [...instanceTypes, 'gone'] })),
  },
  {
    rule: 'instance type',
    wrong: 'a type is listed that the claim excludes',
    problem: narrow,
    mutate: change(0, ({ instanceTypes }) => ({ instanceTypes: [...instanceTypes, 'arm'] })),
  },
  {
    rule: 'instance type',
    wrong: 'a type is listed twice',
    problem: two,
    mutate: change(0, ({ instanceTypes }) => ({
      instanceTypes: [...instanceTypes, ...instanceTypes],
    })),
  },
  {
    rule: 'instance type',
    wrong: 'a claim has no pods',
    problem: two,
    mutate: (plan) => ({
      ...plan,
      newNodeClaims: [...plan.newNodeClaims, { ...plan.newNodeClaims[0]!, pods: [] }],
      totalPrice: 2 * plan.totalPrice,
    }),
  },
  {
    rule: 'limit',
    wrong: 'new nodes exceed the limit of their pool',
    problem: problem({
      nodePools: [nodePool({ limits: { cpu: '3' } })],
      instanceTypes: [small],
      pods: replicas(2, { name: 'p', cpu: '1500m' }),
    }),
    mutate: (plan) => {
      const [first] = plan.newNodeClaims;
      const [left] = Object.keys(plan.podErrors);
      const newNodeClaims = [first!, { ...first!, pods: [left!] }];
      return { ...plan, newNodeClaims, podErrors: {}, totalPrice: 2 * plan.totalPrice };
    },
  },
  {
    rule: 'limit',
    wrong: 'a claim lists a type that would exceed the limit',
    problem: problem({
      nodePools: [nodePool({ limits: { cpu: '3' } })],
      instanceTypes: [small, medium],
      pods: [pod({ name: 'p' })],
    }),
    mutate: change(0, ({ instanceTypes }) => ({ instanceTypes: [...instanceTypes, 'medium'] })),
  },
  {
    rule: 'min values',
    wrong: 'a claim is less varied than its pool asks for',
    problem: problem({
      nodePools: [
        nodePool({
          requirements: [{ ...exists('node.kubernetes.io/instance-type'), minValues: 2 }],
        }),
      ],
      instanceTypes: [small, medium],
      pods: [pod({ name: 'p' })],
    }),
    mutate: change(0, () => ({ instanceTypes: ['small'] })),
  },
  {
    rule: 'node',
    wrong: 'a node is used that is being deleted',
    problem: problem({
      nodes: [
        node({ name: 'n', nodeClaim: { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } } }),
      ],
      pods: [pod({ name: 'p' })],
    }),
    mutate: onNode('n'),
  },
  {
    rule: 'node label',
    wrong: 'a pod is where its selector does not want it',
    problem: problem({
      instanceTypes: [small],
      nodes: [node({ name: 'n', instanceType: 'small', zone: 'z2' })],
      pods: [pod({ name: 'p', nodeSelector: { [zone]: 'z1' } })],
    }),
    mutate: onNode('n'),
  },
  {
    rule: 'node label',
    wrong: 'a new node may come up where no alternative of its pod allows it',
    problem: problem({
      instanceTypes: [small],
      pods: [pod({ name: 'p', required: [[is(zone, 'z1')], [is(zone, 'z2')]] })],
    }),
    mutate: change(0, pinned(zone, 'z1', 'z2', 'z3')),
  },
  {
    rule: 'node pool',
    wrong: 'a node is made of a pool that is static',
    problem: problem({
      nodePools: [
        nodePool(),
        { ...nodePool({ name: 'static' }), spec: { ...nodePool().spec, replicas: 1 } },
      ],
      pods: [pod({ name: 'p' })],
    }),
    mutate: change(0, ({ requirements }) => ({
      nodePool: 'static',
      requirements: [
        ...requirements.filter(({ key }) => key !== 'karpenter.sh/nodepool'),
        is('karpenter.sh/nodepool', 'static'),
      ],
    })),
  },
  {
    rule: 'node pool',
    wrong: 'a node is made of a pool that does not exist',
    problem: two,
    mutate: change(0, () => ({ nodePool: 'imaginary' })),
  },
  {
    rule: 'taint',
    wrong: 'a pod does not tolerate the taint of the pool',
    problem: problem({
      nodePools: [nodePool(), nodePool({ name: 'tainted', taints: [data] })],
      pods: [pod({ name: 'p' })],
    }),
    mutate: change(0, ({ requirements }) => ({
      nodePool: 'tainted',
      requirements: [
        ...requirements.filter(({ key }) => key !== 'karpenter.sh/nodepool'),
        is('karpenter.sh/nodepool', 'tainted'),
      ],
    })),
  },
  {
    rule: 'taint',
    wrong: 'a pod does not tolerate the taint of a node',
    problem: problem({
      nodes: [node({ name: 'n', node: { spec: { taints: [data] } } })],
      pods: [pod({ name: 'p', tolerations: [tolerating(taint('team', 'web'))] })],
    }),
    mutate: onNode('n'),
  },
  {
    rule: 'taint',
    wrong: 'a cordoned node is used',
    problem: problem({
      nodes: [node({ name: 'n', node: { spec: { unschedulable: true } } })],
      pods: [pod({ name: 'p' })],
    }),
    mutate: onNode('n'),
  },
  {
    rule: 'spread',
    wrong: 'two pods of three are in one zone',
    problem: spread,
    mutate: (plan) => {
      const zones = plan.newNodeClaims.map(({ launch }) => launch.zones?.[0] ?? '');
      return change(0, pinned(zone, zones[1]!))(plan);
    },
  },
  {
    rule: 'spread',
    wrong: 'the zone of a pod that is to be spread is left open',
    problem: spread,
    mutate: change(0, pinned(zone, 'z1', 'z2', 'z3')),
  },
  {
    rule: 'spread',
    wrong: 'a host has more than its share',
    problem: problem({
      instanceTypes: [small],
      pods: replicas(2, {
        name: 'p',
        labels: web,
        spread: [spreadOver(hostname, web, { minDomains: 2 })],
      }),
    }),
    mutate: together,
  },
  {
    rule: 'pod anti-affinity',
    wrong: 'pods that avoid each other share a host',
    problem: apart(hostname),
    mutate: together,
  },
  {
    rule: 'pod anti-affinity',
    wrong: 'pods that avoid each other share a zone',
    problem: apart(zone),
    mutate: (plan) => {
      const zones = plan.newNodeClaims.map(({ launch }) => launch.zones?.[0] ?? '');
      return change(0, pinned(zone, zones[1]!))(plan);
    },
  },
  {
    rule: 'pod anti-affinity',
    wrong: 'pods that avoid each other may come to share a zone',
    problem: apart(zone),
    mutate: change(0, pinned(zone, 'z1', 'z2', 'z3')),
  },
  {
    rule: 'pod anti-affinity',
    wrong: 'a pod is beside one that runs and avoids it',
    problem: problem({
      nodes: [node({ name: 'n' })],
      boundPods: [pod({ name: 'x', on: 'n', apart: [podsWith(web, hostname)] })],
      pods: [pod({ name: 'p', labels: web })],
    }),
    mutate: onNode('n'),
  },
  {
    rule: 'pod affinity',
    wrong: 'a pod is on another host than the pods it wants',
    problem: problem({
      instanceTypes: [small],
      nodes: [
        node({ name: 'n', instanceType: 'small', zone: 'z1' }),
        node({ name: 'm', instanceType: 'small', zone: 'z2' }),
      ],
      boundPods: [pod({ name: 'x', labels: web, on: 'n' })],
      pods: [pod({ name: 'p', near: [podsWith(web, hostname)] })],
    }),
    mutate: onNode('m'),
  },
  {
    rule: 'pod affinity',
    wrong: 'pods that want each other may come to be in two zones',
    problem: problem({
      instanceTypes: [small],
      pods: replicas(2, { name: 'p', labels: web, cpu: '1500m', near: [podsWith(web, zone)] }),
    }),
    mutate: change(0, pinned(zone, 'z1', 'z2', 'z3')),
  },
  {
    rule: 'host port',
    wrong: 'two pods want one port of a host',
    problem: problem({ instanceTypes: [small], pods: replicas(2, { name: 'p', ports: [80] }) }),
    mutate: together,
  },
  {
    rule: 'host port',
    wrong: 'a pod wants the port of a DaemonSet',
    problem: problem({
      nodePools: [nodePool(), nodePool({ name: 'bare', taints: [data] })],
      instanceTypes: [small],
      daemonSets: [daemonSet({ ports: [80] })],
      pods: [pod({ name: 'p', ports: [80], tolerations: [tolerating(data)] })],
    }),
    mutate: change(0, ({ requirements }) => ({
      nodePool: 'default',
      requirements: [
        ...requirements.filter(({ key }) => key !== 'karpenter.sh/nodepool'),
        is('karpenter.sh/nodepool', 'default'),
      ],
    })),
  },
  {
    rule: 'volume',
    wrong: 'a pod is in another zone than its volume',
    problem: volumes,
    mutate: change(0, pinned(zone, 'z2')),
  },
  {
    rule: 'volume',
    wrong: 'a pod is placed whose claim does not exist',
    problem: problem({ pods: [pod({ name: 'p', claims: ['absent'] })] }),
    mutate: (plan) => ({ ...plan, ...bestPlan(problem({ pods: [pod({ name: 'p' })] })).plan }),
  },
  {
    rule: 'csi limit',
    wrong: 'a node is to attach more volumes than it can',
    problem: { ...volumes, pods: [pod({ name: 'p', claims: ['d'] })] },
    mutate: onNode('n'),
  },
  {
    rule: 'device',
    wrong: 'a pod is placed whose devices nobody has allocated',
    problem: problem({
      pods: [{ ...pod({ name: 'p' }), spec: { ...pod().spec, resourceClaims: [{ name: 'gpu' }] } }],
    }),
    mutate: (plan) => ({ ...plan, ...bestPlan(problem({ pods: [pod({ name: 'p' })] })).plan }),
  },
  {
    rule: 'price',
    wrong: 'a claim says a price that it cannot be had for',
    problem: two,
    mutate: (plan) => ({ ...change(0, () => ({ cheapestPrice: 0.01 }))(plan), totalPrice: 0.01 }),
  },
  {
    rule: 'price',
    wrong: 'a claim would not launch as it says',
    problem: two,
    mutate: change(0, ({ launch }) => ({ launch: { ...launch, capacityType: 'spot' } })),
  },
  {
    rule: 'price',
    wrong: 'the total is not the sum',
    problem: two,
    mutate: (plan) => ({ ...plan, totalPrice: plan.totalPrice + 0.1 }),
  },
];

describe('the judge of plans', () => {
  test.each(rows)('notices by its rule "$rule" when $wrong', ({ rule, problem: input, mutate }) => {
    const { plan } = bestPlan(input);
    expect(verifyPlan(input, plan)).toEqual([]);
    const found = verifyPlan(input, mutate(plan)).map((violation) => violation.rule);
    expect(new Set(found)).toEqual(new Set([rule]));
  });

  test('has a row for every rule', () => {
    const rules = new Set(rows.map(({ rule }) => rule));
    const all: Record<Rule, true> = {
      accounting: true,
      capacity: true,
      'claim requirements': true,
      'csi limit': true,
      device: true,
      'host port': true,
      'instance type': true,
      limit: true,
      'min values': true,
      node: true,
      'node label': true,
      'node pool': true,
      'pod affinity': true,
      'pod anti-affinity': true,
      price: true,
      spread: true,
      taint: true,
      volume: true,
    };
    expect(rules).toEqual(new Set(Object.keys(all)));
  });

  test('tells who, where and why', () => {
    const [violation] = verifyPlan(fullNode, onNode('n')(bestPlan(fullNode).plan));
    expect(violation).toEqual({
      rule: 'capacity',
      text: 'node n: needs 1 of cpu where there is 500m',
    });
  });

  test('lets a claim be less varied than its pool asks for when that is only a wish', () => {
    const row = rows.find(({ rule }) => rule === 'min values')!;
    const plan = row.mutate(bestPlan(row.problem).plan);
    expect(verifyPlan(row.problem, plan, { minValues: 'BestEffort' })).toEqual([]);
  });

  test('does not blame a plan for what bound pods have broken before', () => {
    const input = problem({
      instanceTypes: [small],
      nodes: [
        node({ name: 'n1', instanceType: 'small', zone: 'z1' }),
        node({ name: 'n2', instanceType: 'small', zone: 'z2' }),
      ],
      boundPods: replicas(3, { name: 'x', labels: web, cpu: '100m', on: 'n1' }),
      pods: [pod({ name: 'p', labels: web, spread: [spreadOver(zone, web)] })],
    });
    const plan = {
      newNodeClaims: [],
      existingNodes: [{ name: 'n2', pods: ['default/p'] }],
      podErrors: {},
      totalPrice: 0,
    };
    expect(verifyPlan(input, plan)).toEqual([]);
  });
});

describe('on plans of the original, the judge', () => {
  const plans = readVectors().filter(
    ({ broken, plan }) => !broken && plan.newNodeClaims.length > 0,
  );
  const first = (plan: PlanJson): PlannedNodeClaim => plan.newNodeClaims[0]!;
  const mutations: readonly (readonly [string, Rule, Mutation])[] = [
    ['a forgotten pod', 'accounting', change(0, ({ pods }) => ({ pods: pods.slice(1) }))],
    [
      'a wrong price',
      'price',
      change(0, ({ cheapestPrice }) => ({ cheapestPrice: cheapestPrice / 2 })),
    ],
    [
      'an imaginary type',
      'instance type',
      change(0, ({ instanceTypes }) => ({ instanceTypes: [...instanceTypes, 'x'] })),
    ],
    [
      'a requirement of the pool that is gone',
      'claim requirements',
      change(0, ({ requirements }) => ({
        requirements: requirements.filter(({ key }) => key !== 'karpenter.sh/nodepool'),
      })),
    ],
    ['pods that are not asked for', 'capacity', change(0, () => ({ requests: {} }))],
    [
      'a node moved to a pool that does not exist',
      'node pool',
      change(0, () => ({ nodePool: 'x' })),
    ],
  ];

  test.each(mutations)('notices %s in every one', (_, rule, mutate) => {
    const missed = plans.filter(({ problem: input, plan, policy }) => {
      const minValues = policy?.minValuesPolicy ?? 'Strict';
      return !verifyPlan(input, mutate(plan), { minValues }).some((found) => found.rule === rule);
    });
    expect(missed.map(({ name }) => name)).toEqual([]);
  });

  test('notices every type that is added although it is too small', () => {
    const results = plans.map(({ problem: input, plan }) => {
      const { instanceTypes, requests } = first(plan);
      const cpu = (amount: string | number | undefined): number =>
        Number.parseFloat(String(amount)) / (String(amount).endsWith('m') ? 1000 : 1);
      const tooSmall = input.instanceTypes.find(
        (type) =>
          !instanceTypes.includes(type.name) && cpu(type.capacity['cpu']) < cpu(requests['cpu']),
      );
      if (tooSmall === undefined) return undefined;
      const mutated = change(0, () => ({ instanceTypes: [...instanceTypes, tooSmall.name] }))(plan);
      return verifyPlan(input, mutated).some(
        ({ rule }) => rule === 'capacity' || rule === 'instance type',
      );
    });
    const tried = results.filter((noticed) => noticed !== undefined);
    expect({ enough: tried.length > 10, missed: tried.includes(false) }).toEqual({
      enough: true,
      missed: false,
    });
  });
});
