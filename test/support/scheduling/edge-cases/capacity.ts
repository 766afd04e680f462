// Edge cases of room: requests, DaemonSets, nodes that exist, limits of pools, ports and volumes.
import {
  claim,
  daemonSet,
  exists,
  hostname,
  instanceType,
  is,
  node,
  nodePool,
  pod,
  poolLabel,
  problem,
  replicas,
  storageClass,
  taint,
  tolerating,
  volume,
  zone,
} from '../builders.ts';
import type { EdgeCase } from './edge-case.ts';

const sizes = [
  instanceType({ name: 'small', cpu: '2', memory: '8Gi', price: 0.1 }),
  instanceType({ name: 'medium' }),
  instanceType({ name: 'large', cpu: '8', memory: '32Gi', price: 0.4 }),
];
const driver = 'disk.csi.azure.com';
const data = taint('team', 'data');
const notReady = {
  type: 'Ready',
  status: 'False',
  reason: 'NodeClassNotReady',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

function starting(name: string, labels: Record<string, string>) {
  return { metadata: { name, labels: { 'karpenter.sh/initialized': 'false', ...labels } } };
}

export const capacityCases: readonly EdgeCase[] = [
  {
    name: 'init containers count by their peak, sidecars for good, overhead on top',
    problem: problem({
      instanceTypes: sizes,
      pods: [
        pod({
          name: 'init',
          cpu: '500m',
          initContainers: [{ name: 'i', resources: { requests: { cpu: '3' } } }],
        }),
        pod({
          name: 'sidecar',
          cpu: '1',
          initContainers: [
            { name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '2' } } },
            { name: 'i', resources: { requests: { cpu: '1500m' } } },
          ],
        }),
        pod({ name: 'overhead', cpu: '1', overhead: { cpu: '4', memory: '1Gi' } }),
        pod({ name: 'zero', requests: { 'nvidia.com/gpu': '0' } }),
        pod({ name: 'device', requests: { 'nvidia.com/gpu': '1' } }),
      ],
    }),
  },
  {
    name: 'a node is full by its number of pods too',
    problem: problem({
      instanceTypes: [
        instanceType({ name: 'few', pods: '2' }),
        instanceType({ name: 'many', price: 0.9, pods: '5' }),
      ],
      pods: replicas(7, { name: 'p' }),
    }),
  },
  {
    name: 'large pods first, small ones fill up, too large ones fail',
    problem: problem({
      instanceTypes: sizes,
      pods: [
        pod({ name: 'huge', cpu: '9' }),
        ...replicas(2, { name: 'large', cpu: '3500m' }),
        ...replicas(6, { name: 'small', cpu: '400m' }),
      ],
    }),
  },
  {
    name: 'huge pages are no memory',
    problem: problem({
      instanceTypes: [
        instanceType({ name: 'paged', memory: '8Gi', capacity: { 'hugepages-2Mi': '4Gi' } }),
      ],
      pods: [
        pod({ name: 'pages', requests: { 'hugepages-2Mi': '1Gi' } }),
        pod({ name: 'memory', memory: '6Gi' }),
      ],
    }),
  },
  {
    name: 'DaemonSets take room where they would run',
    problem: problem({
      nodePools: [nodePool({ labels: { team: 'red' }, taints: [data] })],
      instanceTypes: sizes,
      daemonSets: [
        daemonSet({ name: 'everywhere', cpu: '600m', tolerations: [{ operator: 'Exists' }] }),
        daemonSet({ name: 'intolerant', cpu: '1' }),
        daemonSet({
          name: 'red',
          cpu: '300m',
          nodeSelector: { team: 'red' },
          tolerations: [tolerating(data)],
        }),
        daemonSet({
          name: 'blue',
          cpu: '1',
          nodeSelector: { team: 'blue' },
          tolerations: [tolerating(data)],
        }),
        daemonSet({
          name: 'one-of',
          cpu: '100m',
          required: [[is('team', 'blue')], [exists(poolLabel)]],
          tolerations: [tolerating(data)],
        }),
      ],
      pods: replicas(3, { name: 'p', cpu: '1500m', tolerations: [tolerating(data)] }),
    }),
  },
  {
    name: 'the overhead of DaemonSets differs between instance types',
    problem: problem({
      instanceTypes: [
        instanceType({ name: 'amd', cpu: '2' }),
        instanceType({ name: 'arm', cpu: '2', arch: 'arm64', price: 0.1 }),
      ],
      daemonSets: [
        daemonSet({ name: 'arm-only', cpu: '1', nodeSelector: { 'kubernetes.io/arch': 'arm64' } }),
      ],
      pods: [pod({ name: 'fits-both', cpu: '900m' }), pod({ name: 'fits-one', cpu: '1500m' })],
    }),
  },
  {
    name: 'a running node keeps room for DaemonSets that are still to come',
    problem: problem({
      instanceTypes: sizes,
      daemonSets: [daemonSet({ name: 'here', cpu: '1' }), daemonSet({ name: 'missing', cpu: '1' })],
      nodes: [node({ name: 'n' })],
      boundPods: [
        pod({ name: 'here-1', namespace: 'kube-system', cpu: '1', daemonSet: 'here', on: 'n' }),
      ],
      pods: [pod({ name: 'fits', cpu: '2' }), pod({ name: 'does-not', cpu: '1' })],
    }),
  },
  {
    name: 'nodes that exist are used first, initialized ones before others',
    problem: problem({
      instanceTypes: sizes,
      nodes: [
        node({ name: 'a-starting', node: starting('a-starting', {}) }),
        node({ name: 'b-ready', zone: 'z2' }),
        { name: 'c-unmanaged', instanceType: 'medium', zone: 'z3' },
      ],
      boundPods: [pod({ name: 'x', cpu: '3', on: 'b-ready' })],
      pods: [
        pod({ name: 'p1', cpu: '900m' }),
        pod({ name: 'p2', cpu: '900m' }),
        pod({ name: 'p3', cpu: '3900m' }),
        pod({ name: 'p4', cpu: '3' }),
      ],
    }),
  },
  {
    name: 'taints of a node that is starting pass, other taints stay',
    problem: problem({
      instanceTypes: [instanceType()],
      nodePools: [nodePool({ limits: { cpu: '0' } })],
      nodes: [
        node({
          name: 'starting',
          node: {
            ...starting('starting', {}),
            spec: { taints: [taint('node.kubernetes.io/not-ready', ''), taint('boot')] },
          },
          nodeClaim: { spec: { startupTaints: [taint('boot')] } },
        }),
        node({ name: 'tainted', node: { spec: { taints: [taint('boot')] } } }),
        node({
          name: 'not-ready',
          node: { spec: { taints: [taint('node.kubernetes.io/not-ready', '')] } },
        }),
      ],
      pods: [pod({ name: 'a', cpu: '3' }), pod({ name: 'b', cpu: '3' })],
    }),
  },
  {
    name: 'limits count the largest type that a new node could be',
    problem: problem({
      nodePools: [nodePool({ limits: { cpu: '12' } })],
      instanceTypes: sizes,
      nodes: [node({ name: 'n', instanceType: 'small' })],
      boundPods: [pod({ name: 'x', cpu: '2', on: 'n' })],
      pods: [
        pod({ name: 'first', cpu: '1500m', nodeSelector: { [zone]: 'z1' } }),
        pod({ name: 'second', cpu: '1500m', nodeSelector: { [zone]: 'z2' } }),
      ],
    }),
  },
  {
    name: 'a limit of nodes holds within one plan',
    broken: {
      rule: 'limit',
      because: 'the number of nodes left is not lowered while a plan is made',
    },
    problem: problem({
      nodePools: [nodePool({ limits: { nodes: '1' } })],
      instanceTypes: sizes,
      pods: replicas(2, { name: 'p', cpu: '7' }),
    }),
  },
  {
    name: 'pools that are static, deleting or not ready make no nodes for pods',
    problem: problem({
      nodePools: [
        { ...nodePool({ name: 'static' }), spec: { ...nodePool().spec, replicas: 1 } },
        {
          ...nodePool({ name: 'unready' }),
          status: { conditions: [notReady] },
        },
        {
          ...nodePool({ name: 'deleting' }),
          metadata: { name: 'deleting', deletionTimestamp: '2026-01-01T00:00:00Z' },
        },
        nodePool({ name: 'spare', requirements: [is(zone, 'z3')] }),
      ],
      pods: [pod({ name: 'p' })],
    }),
  },
  {
    name: 'host ports are shared by nobody on a node',
    problem: problem({
      instanceTypes: [instanceType()],
      nodes: [node({ name: 'n' })],
      boundPods: [pod({ name: 'taken', ports: [80], on: 'n' })],
      daemonSets: [daemonSet({ name: 'agent', ports: [9100] })],
      pods: [
        ...replicas(3, { name: 'web', ports: [80] }),
        pod({ name: 'other', ports: [443] }),
        pod({ name: 'agent-port', ports: [9100] }),
      ],
    }),
  },
  {
    name: 'ports of a sidecar count',
    broken: { rule: 'host port', because: 'only ports of regular containers are looked at' },
    problem: problem({
      pods: replicas(2, {
        name: 'p',
        initContainers: [
          {
            name: 's',
            restartPolicy: 'Always',
            ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }],
          },
        ],
      }),
    }),
  },
  {
    name: 'volumes hold pods in their zone',
    problem: problem({
      persistentVolumes: [
        volume({ name: 'v1', zones: ['z1'] }),
        volume({ name: 'v23', zones: ['z2', 'z3'] }),
      ],
      persistentVolumeClaims: [
        claim({ name: 'in-z1', volume: 'v1' }),
        claim({ name: 'in-z23', volume: 'v23' }),
        claim({ name: 'new', storageClass: 'only-z2' }),
      ],
      storageClasses: [storageClass({ name: 'only-z2', zones: ['z2'] })],
      pods: [
        pod({ name: 'bound', claims: ['in-z1'] }),
        pod({ name: 'unbound', claims: ['new'] }),
        pod({ name: 'both', claims: ['new', 'in-z23'] }),
        pod({ name: 'contradiction', claims: ['in-z1', 'in-z23'] }),
        pod({ name: 'wrong-zone', claims: ['in-z1'], nodeSelector: { [zone]: 'z2' } }),
      ],
    }),
  },
  {
    name: 'volumes that cannot be had keep pods waiting',
    problem: problem({
      persistentVolumeClaims: [
        claim({ name: 'classless' }),
        claim({ name: 'no-class', storageClass: 'absent' }),
        claim({ name: 'immediate', storageClass: 'at-once' }),
        claim({ name: 'no-volume', volume: 'absent' }),
        { ...claim({ name: 'lost', volume: 'v' }), status: { phase: 'Lost' } },
      ],
      persistentVolumes: [volume({ name: 'v' })],
      storageClasses: [{ ...storageClass({ name: 'at-once' }), volumeBindingMode: 'Immediate' }],
      pods: [
        ...['classless', 'no-class', 'immediate', 'no-volume', 'lost', 'absent'].map((name) =>
          pod({ name, claims: [name] }),
        ),
        pod({ name: 'fine' }),
      ],
    }),
  },
  {
    name: 'a node attaches so many volumes and no more',
    problem: problem({
      nodes: [node({ name: 'n' })],
      persistentVolumes: ['v1', 'v2', 'v3'].map((name) => volume({ name })),
      persistentVolumeClaims: ['v1', 'v2', 'v3'].map((name) => claim({ name, volume: name })),
      csiNodes: [
        {
          metadata: { name: 'n' },
          spec: { drivers: [{ name: driver, nodeID: 'n', allocatable: { count: 2 } }] },
        },
      ],
      boundPods: [pod({ name: 'x', claims: ['v1'], on: 'n' })],
      pods: [
        pod({ name: 'shares', claims: ['v1'] }),
        pod({ name: 'second', claims: ['v2'] }),
        pod({ name: 'third', claims: ['v3'] }),
      ],
    }),
  },
  {
    name: 'a disk inside a node does not hold its pod there',
    problem: problem({
      nodePools: [nodePool()],
      persistentVolumes: [
        {
          metadata: { name: 'v' },
          spec: {
            local: {},
            nodeAffinity: {
              required: {
                nodeSelectorTerms: [{ matchExpressions: [is(hostname, 'gone'), is(zone, 'z2')] }],
              },
            },
          },
        },
      ],
      persistentVolumeClaims: [claim({ name: 'c', volume: 'v' })],
      pods: [pod({ name: 'p', claims: ['c'] })],
    }),
  },
];
