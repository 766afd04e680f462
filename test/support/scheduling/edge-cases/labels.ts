// Edge cases of labels, preferences and prices: which node a pod may ask for, and what is tried in which order.
import {
  above,
  arch,
  below,
  capacityType,
  cores,
  exists,
  instanceType,
  is,
  isAbsent,
  isNot,
  node,
  nodePool,
  offering,
  pod,
  poolLabel,
  problem,
  replicas,
  taint,
  tolerating,
  zone,
} from '../builders.ts';
import type { EdgeCase } from './edge-case.ts';

const spotAndOnDemand = ['on-demand', 'spot'];
const catalog = [
  instanceType({
    name: 'small',
    cpu: '2',
    memory: '8Gi',
    price: 0.1,
    capacityTypes: spotAndOnDemand,
  }),
  instanceType({ name: 'medium', capacityTypes: spotAndOnDemand }),
  instanceType({
    name: 'large',
    cpu: '8',
    memory: '32Gi',
    price: 0.4,
    capacityTypes: spotAndOnDemand,
  }),
  instanceType({ name: 'arm', arch: 'arm64', price: 0.15, capacityTypes: spotAndOnDemand }),
];
const slow = taint('slow', 'true', 'PreferNoSchedule');

export const labelCases: readonly EdgeCase[] = [
  {
    name: 'pods ask for labels that the pool defines, leaves open or does not know',
    problem: problem({
      nodePools: [nodePool({ labels: { team: 'red' }, requirements: [is('tier', 'a', 'b')] })],
      instanceTypes: catalog,
      pods: [
        pod({ name: 'matches', nodeSelector: { team: 'red' } }),
        pod({ name: 'conflicts', nodeSelector: { team: 'blue' } }),
        pod({ name: 'narrows', required: [[is('tier', 'b')]] }),
        pod({ name: 'not-this', required: [[isNot('tier', 'b')]] }),
        pod({ name: 'unknown', nodeSelector: { color: 'green' } }),
        pod({ name: 'unknown-exists', required: [[exists('color')]] }),
        pod({ name: 'unknown-not', required: [[isNot('color', 'green')]] }),
        pod({ name: 'unknown-absent', required: [[isAbsent('color')]] }),
        pod({ name: 'defined-absent', required: [[isAbsent('team')]] }),
      ],
    }),
  },
  {
    name: 'well-known labels and numbers choose the instance type',
    problem: problem({
      instanceTypes: catalog,
      pods: [
        pod({ name: 'arm', nodeSelector: { [arch]: 'arm64' } }),
        pod({ name: 'big', required: [[above(cores, 4)]] }),
        pod({ name: 'little', required: [[below(cores, 4)]] }),
        pod({ name: 'zonal', required: [[is(zone, 'z2', 'z3'), isNot(zone, 'z3')]] }),
        pod({ name: 'nowhere', nodeSelector: { [zone]: 'z9' } }),
        pod({ name: 'host', nodeSelector: { 'kubernetes.io/hostname': 'node-1' } }),
        pod({ name: 'reserved-domain', nodeSelector: { 'karpenter.sh/custom': 'x' } }),
        pod({ name: 'old-name', nodeSelector: { 'beta.kubernetes.io/arch': 'arm64' } }),
      ],
    }),
  },
  {
    name: 'alternatives of required affinity are tried in order and the last is kept',
    problem: problem({
      instanceTypes: catalog,
      pods: [
        pod({ name: 'second', required: [[is(zone, 'z9')], [is(zone, 'z2')]] }),
        pod({ name: 'none', required: [[is(zone, 'z8')], [is(zone, 'z9')]] }),
        pod({
          name: 'and-selector',
          nodeSelector: { [arch]: 'arm64' },
          required: [[is(arch, 'amd64')], [is(zone, 'z1')]],
        }),
      ],
    }),
  },
  {
    name: 'preferences hold until they prove impossible, the heaviest first',
    problem: problem({
      instanceTypes: catalog,
      pods: [
        pod({ name: 'kept', preferred: [[is(zone, 'z2')]] }),
        pod({ name: 'dropped', preferred: [[is(zone, 'z9')]] }),
        pod({ name: 'lighter', preferred: [[is(zone, 'z9')], [is(zone, 'z3')]] }),
        pod({
          name: 'against-selector',
          nodeSelector: { [zone]: 'z1' },
          preferred: [[is(zone, 'z2')]],
        }),
      ],
    }),
  },
  {
    name: 'preferences are not looked at when they are to be ignored',
    policy: { preferencePolicy: 'Ignore' },
    problem: problem({
      instanceTypes: catalog,
      pods: [
        pod({ name: 'a', preferred: [[is(zone, 'z2')]] }),
        pod({ name: 'b', preferred: [[is(arch, 'arm64')]] }),
      ],
    }),
  },
  {
    name: 'a taint that discourages is the last thing to be given up',
    problem: problem({
      nodePools: [
        nodePool({ name: 'slow', taints: [slow], weight: 50 }),
        nodePool({ name: 'quick', requirements: [is(capacityType, 'on-demand')] }),
      ],
      instanceTypes: catalog,
      pods: [
        pod({ name: 'avoids' }),
        pod({ name: 'accepts', tolerations: [tolerating(slow)] }),
        pod({ name: 'needs-spot', nodeSelector: { [capacityType]: 'spot' } }),
      ],
    }),
  },
  {
    name: 'taints keep pods away and tolerations let them in',
    problem: problem({
      nodePools: [nodePool({ taints: [taint('team', 'data'), taint('level', '5', 'NoExecute')] })],
      pods: [
        pod({ name: 'no' }),
        pod({ name: 'half', tolerations: [{ key: 'team', operator: 'Exists' }] }),
        pod({
          name: 'yes',
          tolerations: [
            { key: 'team', operator: 'Equal', value: 'data' },
            { key: 'level', operator: 'Exists' },
          ],
        }),
        pod({ name: 'everything', tolerations: [{ operator: 'Exists' }] }),
        pod({
          name: 'wrong-value',
          tolerations: [
            { key: 'team', value: 'web' },
            { key: 'level', operator: 'Exists' },
          ],
        }),
      ],
    }),
  },
  {
    name: 'the cheapest offering that the requirements allow decides the order of types',
    problem: problem({
      nodePools: [nodePool({ requirements: [is(capacityType, 'on-demand', 'spot')] })],
      instanceTypes: [
        instanceType({
          name: 'a',
          offerings: [offering({ zone: 'z1', price: 0.3 }), offering({ zone: 'z2', price: 0.1 })],
        }),
        instanceType({
          name: 'b',
          offerings: [offering({ zone: 'z1', price: 0.2 }), offering({ zone: 'z2', price: 0.25 })],
        }),
        instanceType({
          name: 'c',
          offerings: [offering({ zone: 'z1', capacityType: 'spot', price: 0.9 })],
        }),
        instanceType({
          name: 'gone',
          offerings: [offering({ zone: 'z1', price: 0.01, available: false })],
        }),
      ],
      pods: [
        pod({ name: 'anywhere', cpu: '3' }),
        pod({ name: 'in-z1', cpu: '3', nodeSelector: { [zone]: 'z1' } }),
        pod({ name: 'on-spot', cpu: '3', nodeSelector: { [capacityType]: 'spot' } }),
      ],
    }),
  },
  {
    name: 'pools are tried by weight, and a pod may name its pool',
    problem: problem({
      nodePools: [
        nodePool({ name: 'light', weight: 1 }),
        nodePool({ name: 'heavy', weight: 90, requirements: [is(zone, 'z1')] }),
        nodePool({ name: 'none' }),
      ],
      instanceTypes: catalog,
      pods: [
        pod({ name: 'any', cpu: '3' }),
        pod({ name: 'elsewhere', cpu: '3', nodeSelector: { [zone]: 'z2' } }),
        pod({ name: 'named', cpu: '3', nodeSelector: { [poolLabel]: 'none' } }),
        pod({ name: 'not-ours', cpu: '3', required: [[isAbsent(poolLabel)]] }),
      ],
    }),
  },
  {
    name: 'minValues keeps types varied',
    problem: problem({
      nodePools: [nodePool({ requirements: [{ ...exists(cores), minValues: 2 }] })],
      instanceTypes: catalog,
      pods: [pod({ name: 'varied' }), pod({ name: 'too-large', cpu: '5' })],
    }),
  },
  {
    name: 'minValues gives way when it is only wished for',
    policy: { minValuesPolicy: 'BestEffort' },
    problem: problem({
      nodePools: [nodePool({ requirements: [{ ...exists(cores), minValues: 2 }] })],
      instanceTypes: catalog,
      pods: [pod({ name: 'varied' }), pod({ name: 'too-large', cpu: '5' })],
    }),
  },
  {
    name: 'a preference against a selector lets a pod onto a node without the label',
    broken: {
      rule: 'node label',
      because:
        'two values that exclude each other become "does not exist", which a node without the label satisfies',
    },
    problem: problem({
      nodes: [node({ name: 'n' })],
      pods: [pod({ name: 'p', nodeSelector: { team: 'red' }, preferred: [[is('team', 'blue')]] })],
    }),
  },
  {
    name: 'a pod that asks for any team but one gets a node without a team',
    broken: {
      rule: 'node label',
      because:
        'Exists and NotIn on one label become NotIn, which a node without the label satisfies',
    },
    problem: problem({
      nodes: [node({ name: 'n' })],
      pods: [pod({ name: 'p', required: [[exists('team'), isNot('team', 'red')]] })],
    }),
  },
  {
    name: 'a pod that avoids a label value opens a node for pods that ask for the label',
    broken: {
      rule: 'node label',
      because:
        "what a pod must not find is added to the node's labels, so that the label counts as known afterwards",
    },
    problem: problem({
      nodes: [node({ name: 'n' })],
      pods: [
        pod({ name: 'avoids', cpu: '2', required: [[isNot('team', 'red')]] }),
        pod({ name: 'asks', cpu: '1', nodeSelector: { team: 'blue' } }),
      ],
    }),
  },
  {
    name: 'a required term without expressions matches no node',
    broken: {
      rule: 'node label',
      because: 'an empty term is read as one that asks for nothing',
    },
    problem: problem({ pods: [pod({ name: 'p', required: [[]] })] }),
  },
  {
    name: 'compatible pods share a node and others get their own',
    problem: problem({
      nodePools: [nodePool({ requirements: [is('tier', 'a', 'b')] })],
      instanceTypes: catalog,
      pods: [
        ...replicas(2, { name: 'a', nodeSelector: { tier: 'a' } }),
        ...replicas(2, { name: 'b', nodeSelector: { tier: 'b' } }),
        ...replicas(2, { name: 'any' }),
      ],
    }),
  },
];
