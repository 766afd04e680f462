// Edge cases of rules about other pods: spread, affinity, anti-affinity.
import {
  arch,
  capacityType,
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
} from '../builders.ts';
import type { EdgeCase } from './edge-case.ts';

const web = { app: 'web' };
const data = { app: 'data' };
const both = ['on-demand', 'spot'];
const twoZones = instanceType({ zones: ['z1', 'z2'] });

export const topologyCases: readonly EdgeCase[] = [
  {
    name: 'pods are spread over zones, counting those that run',
    problem: problem({
      nodes: [node({ name: 'n1', zone: 'z1' }), node({ name: 'n2', zone: 'z2' })],
      boundPods: [
        pod({ name: 'x1', labels: web, cpu: '3500m', on: 'n1' }),
        pod({ name: 'x2', labels: web, cpu: '3500m', on: 'n1' }),
        pod({ name: 'x3', labels: { app: 'other' }, cpu: '3800m', on: 'n2' }),
      ],
      pods: replicas(4, { name: 'web', labels: web, cpu: '1', spread: [spreadOver(zone, web)] }),
    }),
  },
  {
    name: 'pods are spread over hosts up to the skew',
    problem: problem({
      pods: replicas(5, {
        name: 'web',
        labels: web,
        spread: [spreadOver(hostname, web, { maxSkew: 2 })],
      }),
    }),
  },
  {
    name: 'pods are spread over capacity types and zones at once',
    problem: problem({
      instanceTypes: [instanceType({ zones: ['z1', 'z2'], capacityTypes: both })],
      pods: replicas(4, {
        name: 'web',
        labels: web,
        spread: [spreadOver(zone, web), spreadOver(capacityType, web)],
      }),
    }),
  },
  {
    name: 'a wish to spread gives way, a demand does not',
    problem: problem({
      instanceTypes: [instanceType({ zones: ['z1'] })],
      nodePools: [nodePool({ requirements: [is(zone, 'z1', 'z2')] })],
      pods: [
        ...replicas(3, {
          name: 'soft',
          labels: web,
          spread: [spreadOver(zone, web, { whenUnsatisfiable: 'ScheduleAnyway' })],
        }),
        ...replicas(3, { name: 'hard', labels: data, spread: [spreadOver(zone, data)] }),
      ],
    }),
  },
  {
    name: 'fewer domains than asked for count as an empty one',
    problem: problem({
      instanceTypes: [twoZones],
      pods: replicas(4, {
        name: 'web',
        labels: web,
        spread: [spreadOver(zone, web, { minDomains: 3 })],
      }),
    }),
  },
  {
    name: 'revisions are spread by themselves',
    problem: problem({
      instanceTypes: [twoZones],
      pods: ['1', '2'].flatMap((revision) =>
        replicas(2, {
          name: `web-${revision}`,
          labels: { ...web, revision },
          spread: [spreadOver(zone, web, { matchLabelKeys: ['revision', 'absent'] })],
        }),
      ),
    }),
  },
  {
    name: 'zones of nodes that a pod may not use do not count',
    problem: problem({
      instanceTypes: [
        instanceType(),
        instanceType({ name: 'arm', arch: 'arm64', zones: ['z1', 'z2'], price: 0.1 }),
      ],
      pods: [
        ...replicas(4, {
          name: 'arm',
          labels: web,
          nodeSelector: { [arch]: 'arm64' },
          spread: [spreadOver(zone, web)],
        }),
        ...replicas(2, {
          name: 'two',
          labels: data,
          required: [[is(zone, 'z1', 'z2')]],
          spread: [spreadOver(zone, data)],
        }),
      ],
    }),
  },
  {
    name: 'taints count for the spread when they are to be honored',
    problem: problem({
      nodePools: [
        nodePool({ name: 'open', requirements: [is(zone, 'z1', 'z2')] }),
        nodePool({ name: 'closed', requirements: [is(zone, 'z3')], taints: [taint('x')] }),
      ],
      pods: [
        ...replicas(4, {
          name: 'honor',
          labels: web,
          spread: [spreadOver(zone, web, { nodeTaintsPolicy: 'Honor' })],
        }),
        ...replicas(3, { name: 'ignore', labels: data, spread: [spreadOver(zone, data)] }),
      ],
    }),
  },
  {
    name: 'pods that are counted but not spread stand where they may',
    problem: problem({
      pods: [
        pod({ name: 'counted', labels: web, cpu: '3', nodeSelector: { [zone]: 'z1' } }),
        ...replicas(3, { name: 'spread', labels: web, cpu: '1', spread: [spreadOver(zone, web)] }),
        ...replicas(2, { name: 'not-self', labels: data, spread: [spreadOver(zone, web)] }),
      ],
    }),
  },
  {
    name: 'a label that no node has cannot be spread over',
    problem: problem({
      pods: [pod({ name: 'p', labels: web, spread: [spreadOver('rack', web)] })],
    }),
  },
  {
    name: 'labels of pools are domains',
    problem: problem({
      nodePools: [
        nodePool({ name: 'a', labels: { rack: 'a' } }),
        nodePool({ name: 'b', requirements: [is('rack', 'b', 'c')] }),
      ],
      pods: replicas(4, { name: 'p', labels: web, cpu: '100m', spread: [spreadOver('rack', web)] }),
    }),
  },
  {
    name: 'pods that want each other share a host',
    problem: problem({
      pods: [
        ...replicas(3, { name: 'self', labels: web, cpu: '1', near: [podsWith(web, hostname)] }),
        pod({ name: 'target', labels: data, cpu: '2' }),
        ...replicas(2, {
          name: 'follower',
          labels: { app: 'f' },
          cpu: '500m',
          near: [podsWith(data, hostname)],
        }),
        pod({ name: 'lonely', near: [podsWith({ app: 'nobody' }, hostname)] }),
      ],
    }),
  },
  {
    name: 'pods follow others into a zone, through a chain, in any order',
    problem: problem({
      pods: [
        pod({ name: 'c', labels: { app: 'c' }, cpu: '3', near: [podsWith({ app: 'b' }, zone)] }),
        pod({ name: 'b', labels: { app: 'b' }, cpu: '2', near: [podsWith({ app: 'a' }, zone)] }),
        pod({ name: 'a', labels: { app: 'a' }, cpu: '1', nodeSelector: { [zone]: 'z2' } }),
        pod({ name: 'x', labels: { app: 'x' }, near: [podsWith({ app: 'y' }, zone)] }),
        pod({ name: 'y', labels: { app: 'y' }, near: [podsWith({ app: 'x' }, zone)] }),
      ],
    }),
  },
  {
    name: 'pods that want each other in a zone do not fill a second one',
    problem: problem({
      nodes: [node({ name: 'n', zone: 'z2' })],
      boundPods: [pod({ name: 'x', labels: web, cpu: '3500m', on: 'n' })],
      pods: replicas(3, { name: 'web', labels: web, cpu: '3', near: [podsWith(web, zone)] }),
    }),
  },
  {
    name: 'the first of its kind may not start anew where others run elsewhere',
    broken: {
      rule: 'pod affinity',
      because: 'pods in domains that the pod may not use count as none',
    },
    problem: problem({
      nodes: [node({ name: 'n', zone: 'z1' })],
      boundPods: [pod({ name: 'x', labels: web, on: 'n' })],
      pods: [
        pod({
          name: 'web',
          labels: web,
          nodeSelector: { [zone]: 'z2' },
          near: [podsWith(web, zone)],
        }),
      ],
    }),
  },
  {
    name: 'company must satisfy all terms at once',
    broken: {
      rule: 'pod affinity',
      because: 'each term is satisfied by another pod, where the kube-scheduler wants one for all',
    },
    problem: problem({
      nodes: [node({ name: 'n', zone: 'z1' })],
      boundPods: [
        pod({ name: 'a', labels: { app: 'a' }, on: 'n' }),
        pod({ name: 'b', labels: { app: 'b' }, on: 'n' }),
      ],
      pods: [
        pod({ name: 'p', near: [podsWith({ app: 'a' }, zone), podsWith({ app: 'b' }, hostname)] }),
      ],
    }),
  },
  {
    name: 'pods that avoid each other get hosts of their own',
    problem: problem({
      nodes: [node({ name: 'n' })],
      boundPods: [pod({ name: 'x', labels: web, on: 'n' })],
      pods: [
        ...replicas(3, { name: 'web', labels: web, apart: [podsWith(web, hostname)] }),
        pod({ name: 'indifferent', labels: data }),
      ],
    }),
  },
  {
    name: 'a zone that may be taken is taken',
    problem: problem({
      pods: [
        pod({ name: 'first', labels: web, cpu: '2', apart: [podsWith(web, zone)] }),
        pod({ name: 'second', labels: web, apart: [podsWith(web, zone)] }),
      ],
    }),
  },
  {
    name: 'zones that are decided are shared out',
    problem: problem({
      pods: ['z1', 'z2', 'z3'].map((value) =>
        pod({
          name: value,
          labels: web,
          nodeSelector: { [zone]: value },
          apart: [podsWith(web, zone)],
        }),
      ),
    }),
  },
  {
    name: 'pods that run keep others away although those do not mind',
    problem: problem({
      instanceTypes: [twoZones],
      nodes: [node({ name: 'n', zone: 'z1' })],
      boundPods: [pod({ name: 'keeper', labels: data, on: 'n', apart: [podsWith(web, zone)] })],
      pods: replicas(2, { name: 'web', labels: web, cpu: '3' }),
    }),
  },
  {
    name: 'a pod that another avoids takes every zone that its node may get',
    problem: problem({
      pods: [
        pod({ name: 'open', labels: web, cpu: '3' }),
        pod({
          name: 'avoids',
          labels: data,
          cpu: '2',
          nodeSelector: { [zone]: 'z1' },
          apart: [podsWith(web, zone)],
        }),
      ],
    }),
  },
  {
    name: 'the second of a kind may not start anew because the first is not decided yet',
    broken: {
      rule: 'pod affinity',
      because: 'a pod on a node whose capacity type is open is counted in none',
    },
    problem: problem({
      instanceTypes: [instanceType({ capacityTypes: both })],
      pods: [
        pod({ name: 'first', labels: web, cpu: '3', near: [podsWith(web, hostname)] }),
        pod({ name: 'second', labels: web, cpu: '2', near: [podsWith(web, capacityType)] }),
      ],
    }),
  },
  {
    name: 'nodes of an alternative that was given up still count for the spread',
    broken: {
      rule: 'spread',
      because:
        'alternatives of node affinity are dropped from the pod one by one, and with them the nodes they allow',
    },
    problem: problem({
      nodePools: [
        nodePool({ labels: { team: 'red' }, requirements: [is(arch, 'amd64'), is(zone, 'z1')] }),
      ],
      instanceTypes: [instanceType(), instanceType({ name: 'arm', arch: 'arm64' })],
      nodes: [
        { name: 'n1', instanceType: 'arm', zone: 'z1', capacityType: 'on-demand' },
        { name: 'n2', instanceType: 'arm', zone: 'z2', capacityType: 'on-demand' },
      ],
      boundPods: [
        pod({ name: 'x1', labels: web, cpu: '4', on: 'n1' }),
        pod({ name: 'x2', labels: data, cpu: '4', on: 'n2' }),
      ],
      pods: [
        pod({
          name: 'web',
          labels: web,
          required: [[is(arch, 'arm64')], [is('team', 'red')]],
          spread: [spreadOver(zone, web)],
        }),
      ],
    }),
  },
  {
    name: 'affinity reaches other namespaces only when told to',
    problem: problem({
      namespaces: [
        { metadata: { name: 'default', labels: { tier: 'x' } } },
        { metadata: { name: 'other', labels: { tier: 'y' } } },
      ],
      nodes: [node({ name: 'n1', zone: 'z1' }), node({ name: 'n2', zone: 'z2' })],
      boundPods: [pod({ name: 'x', namespace: 'other', labels: web, on: 'n2' })],
      pods: [
        pod({ name: 'own', near: [podsWith(web, zone)] }),
        pod({ name: 'listed', near: [{ ...podsWith(web, zone), namespaces: ['other'] }] }),
        pod({
          name: 'selected',
          near: [{ ...podsWith(web, zone), namespaceSelector: { matchLabels: { tier: 'y' } } }],
        }),
        pod({ name: 'all', near: [{ ...podsWith(web, zone), namespaceSelector: {} }] }),
      ],
    }),
  },
  {
    name: 'domains that a pod may not use count when affinity is to be ignored',
    broken: {
      rule: 'spread',
      because:
        'the lowest count is taken over the domains that the pod itself may use, whatever the policy says',
    },
    problem: problem({
      nodes: [
        node({ name: 'n1', zone: 'z1' }),
        node({ name: 'n2', zone: 'z2' }),
        node({ name: 'n3', zone: 'z3' }),
      ],
      pods: replicas(4, {
        name: 'web',
        labels: web,
        required: [[is(zone, 'z1', 'z2')]],
        spread: [spreadOver(zone, web, { nodeAffinityPolicy: 'Ignore' })],
      }),
    }),
  },
  {
    name: 'pods of one spread that ask for different nodes are counted apart',
    problem: problem({
      instanceTypes: [instanceType(), instanceType({ name: 'arm', arch: 'arm64', price: 0.1 })],
      pods: [
        ...replicas(2, {
          name: 'amd',
          labels: web,
          nodeSelector: { [arch]: 'amd64' },
          spread: [spreadOver(zone, web)],
        }),
        ...replicas(2, {
          name: 'arm',
          labels: web,
          nodeSelector: { [arch]: 'arm64' },
          spread: [spreadOver(zone, web)],
        }),
      ],
    }),
  },
];
