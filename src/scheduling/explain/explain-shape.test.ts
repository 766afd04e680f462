import { describe, expect, test } from 'vitest';
import {
  capacityType,
  daemonSet,
  hostname,
  instanceType,
  is,
  node,
  nodePool,
  pod,
  podsWith,
  problem,
  replicas,
  spreadOver,
  taint,
  zone,
} from '../../../test/support/scheduling/builders.ts';
import type { ProblemJson } from '../../../test/support/scheduling/problem-json.ts';
import { solveJson } from '../../../test/support/scheduling/solve-json.ts';
import { explainShape } from './explain-shape.ts';
import type { Explanation } from './explanation.ts';

function explain(json: ProblemJson, name = 'default/p'): Explanation {
  const { session } = solveJson(json);
  const shape = session.compiled.shapes.shapes.find(
    ({ example }) => `default/${example.metadata.name}` === name,
  );
  return explainShape(session, shape!);
}

function only(json: ProblemJson): Explanation['pools'][number] {
  return explain(json).pools[0]!;
}

const small = instanceType({ name: 'small', cpu: '2', memory: '4Gi', price: 0.1 });
const large = instanceType({ name: 'large', cpu: '8', memory: '16Gi', price: 0.3 });
const instanceTypes = [small, large];
const p = { name: 'p' };

describe('why a pool makes no node', () => {
  test('too large: every type lacks room, and the one that lacks least is named with what it lacks', () => {
    const pods = [pod({ ...p, cpu: '9', memory: '17Gi' })];
    expect(only(problem({ instanceTypes, pods }))).toMatchObject({
      instanceTypes: 2,
      reason: {
        kind: 'types',
        met: [{ requirements: true, offering: true, resources: false, types: 2 }],
      },
      excluded: { resources: 2, requirements: 0, offering: 0 },
      nearest: { instanceType: 'large', short: { cpu: '1', memory: '1Gi' } },
    });
  });

  test('what DaemonSets take is missing too', () => {
    const daemonSets = [daemonSet({ name: 'agent', cpu: '500m' })];
    expect(
      only(problem({ instanceTypes, daemonSets, pods: [pod({ ...p, cpu: '8' })] })),
    ).toMatchObject({
      nearest: { instanceType: 'large', short: { cpu: '500m' } },
      reason: { resources: { min: { cpu: '8500m' } } },
    });
  });

  test('no offering: types that have the labels and the size are told apart from those that do not', () => {
    const dear = instanceType({ name: 'dear', cpu: '4', capacityTypes: ['spot'] });
    const pods = [
      pod({ ...p, cpu: '3', nodeSelector: { [zone]: 'z1', [capacityType]: 'on-demand' } }),
    ];
    const verdict = only(problem({ instanceTypes: [small, dear], pods }));
    expect(verdict.excluded).toMatchObject({ requirements: 1, offering: 1, resources: 1 });
    expect(verdict.reason).toMatchObject({
      kind: 'types',
      met: [
        { requirements: false, offering: false, resources: true, types: 1 },
        { requirements: true, offering: true, resources: false, types: 1 },
      ],
    });
  });

  test('taints: those that are not tolerated, and no type is left', () => {
    const taints = [taint('team', 'x'), taint('slow')];
    const pods = [pod({ ...p, tolerations: [{ key: 'slow', operator: 'Exists' }] })];
    expect(only(problem({ instanceTypes, nodePools: [nodePool({ taints })], pods }))).toMatchObject(
      {
        reason: { kind: 'taints', taints: [{ key: 'team' }] },
        excluded: { taints: 2 },
      },
    );
  });

  test('limits: types that would pass them', () => {
    const nodePools = [nodePool({ limits: { cpu: '4' } })];
    expect(
      only(problem({ instanceTypes, nodePools, pods: [pod({ ...p, cpu: '3' })] })),
    ).toMatchObject({
      reason: { kind: 'types', met: [{ resources: false, types: 1 }] },
      excluded: { limits: 1 },
    });
    const none = [nodePool({ limits: { cpu: '1' } })];
    expect(only(problem({ instanceTypes, nodePools: none, pods: [pod(p)] }))).toMatchObject({
      reason: { kind: 'limits', of: 'instance types' },
      excluded: { limits: 2 },
    });
    const noNode = [nodePool({ limits: { nodes: '0' } })];
    expect(only(problem({ instanceTypes, nodePools: noNode, pods: [pod(p)] })).reason).toEqual({
      kind: 'limits',
      of: 'nodes',
    });
  });

  test('labels: the mismatch in words', () => {
    const nodePools = [nodePool({ labels: { team: 'red' } })];
    const pods = [pod({ ...p, nodeSelector: { team: 'blue' } })];
    expect(only(problem({ instanceTypes, nodePools, pods }))).toMatchObject({
      reason: {
        kind: 'requirements',
        of: 'pod',
        mismatch: 'key team, team In [blue] not in team In [red]',
      },
      excluded: { requirements: 2 },
    });
  });

  test('each demand about labels has its own count', () => {
    const arm = instanceType({ name: 'arm', arch: 'arm64' });
    const nodeSelector = { 'kubernetes.io/arch': 'arm64', [zone]: 'z9' };
    const pods = [pod({ ...p, nodeSelector })];
    expect(only(problem({ instanceTypes: [small, large, arm], pods })).byLabel).toEqual({
      'kubernetes.io/arch In [arm64]': 2,
      [`${zone} In [z9]`]: 3,
    });
  });

  test('topology: the rule, and where its pods are', () => {
    const web = { app: 'web' };
    const apart = [podsWith(web, zone)];
    const pods = replicas(4, { name: 'web', labels: web, apart, nodeSelector: {} });
    const record = explain(problem({ instanceTypes, pods }), 'default/web-0');
    expect(record.pools[0]).toMatchObject({
      reason: {
        kind: 'topology',
        rule: 'pod anti-affinity',
        key: zone,
        counts: { z1: 1, z2: 1, z3: 1 },
        nodeDomains: `${zone} Exists`,
      },
      excluded: { topology: 2 },
    });
  });

  test('topology of hosts: those to be made have numbers', () => {
    const near = [podsWith({ app: 'none' }, hostname)];
    const json = problem({
      instanceTypes,
      nodes: [node({ name: 'n1', instanceType: 'small' })],
      pods: [pod({ ...p, near })],
    });
    expect(only(json).reason).toMatchObject({
      rule: 'pod affinity',
      counts: { n1: 0 },
      nodeDomains: `${hostname} In [hostname-placeholder-0001]`,
    });
  });

  test('variety: what remains has too few values', () => {
    const nodePools = [
      nodePool({
        requirements: [{ key: 'karpenter.azure.com/sku-cpu', operator: 'Exists', minValues: 2 }],
      }),
    ];
    expect(
      only(problem({ instanceTypes, nodePools, pods: [pod({ ...p, cpu: '5' })] })),
    ).toMatchObject({
      reason: { kind: 'types', unmetMinValues: ['karpenter.azure.com/sku-cpu'] },
      excluded: { minValues: 1, resources: 1 },
    });
  });

  test('ports of the host that a DaemonSet has everywhere', () => {
    const daemonSets = [daemonSet({ name: 'agent', ports: [80] })];
    const verdict = only(
      problem({ instanceTypes, daemonSets, pods: [pod({ ...p, ports: [80] })] }),
    );
    expect(verdict).toMatchObject({ reason: { kind: 'hostPorts' }, excluded: { hostPorts: 2 } });
  });

  test('pools are asked in the order of their weights, and empty ones are named', () => {
    const nodePools = [
      nodePool({ name: 'light' }),
      nodePool({ name: 'heavy', weight: 10 }),
      nodePool({ name: 'empty', requirements: [is(zone, 'z9')] }),
    ];
    const { pools, emptyPools } = explain(
      problem({ instanceTypes, nodePools, pods: [pod({ ...p, cpu: '99' })] }),
    );
    expect({ pools: pools.map(({ pool }) => pool), emptyPools }).toEqual({
      pools: ['heavy', 'light'],
      emptyPools: ['empty'],
    });
  });
});

describe('the rest of an explanation', () => {
  test('what was given up, and why each existing node refused', () => {
    const nodes = [
      node({ name: 'full', instanceType: 'small' }),
      node({ name: 'elsewhere', instanceType: 'large', zone: 'z2' }),
      node({ name: 'tainted', instanceType: 'large', node: { spec: { taints: [taint('team')] } } }),
    ];
    const pods = [
      pod({
        ...p,
        cpu: '7',
        nodeSelector: { [zone]: 'z1', [capacityType]: 'spot' },
        preferred: [[is('kubernetes.io/arch', 'arm64')]],
      }),
    ];
    const { dropped, nodes: answers } = explain(problem({ instanceTypes, nodes, pods }));
    expect(dropped).toEqual([expect.stringMatching(/^wish about nodes .*arm64/)]);
    expect(answers).toEqual({ resources: 1, requirements: 1, taints: 1 });
  });

  test('a rule about other pods that an existing node does not keep', () => {
    const near = [podsWith({ app: 'none' }, hostname)];
    const json = problem({
      instanceTypes,
      nodes: [node({ instanceType: 'large' })],
      pods: [pod({ ...p, near })],
    });
    expect(explain(json).nodes).toEqual({ topology: 1 });
  });

  test('a pod that was placed is told where it could go', () => {
    const record = explain(
      problem({ instanceTypes, nodes: [node({ instanceType: 'large' })], pods: [pod(p)] }),
    );
    expect(record).toMatchObject({
      nodes: { accepts: 1 },
      pools: [{ reason: { kind: 'accepts' } }],
    });
  });

  test('a pod that asks for devices is not looked at any further', () => {
    const plain = pod(p);
    const resourceClaims = [{ name: 'device', resourceClaimName: 'gpu' }];
    const pods = [{ ...plain, spec: { ...plain.spec, resourceClaims } }];
    expect(explain(problem({ instanceTypes, pods }))).toMatchObject({
      failure: expect.stringContaining('Dynamic Resource Allocation'),
      pools: [],
      nodes: {},
    });
  });

  test('it is JSON', () => {
    const web = { app: 'web' };
    const json = problem({
      instanceTypes,
      pods: replicas(2, { name: 'web', labels: web, cpu: '99', spread: [spreadOver(zone, web)] }),
    });
    const record = explain(json, 'default/web-0');
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });
});
