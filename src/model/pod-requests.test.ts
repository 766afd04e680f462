import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/pod-requests.json' with { type: 'json' };
import type { Container, Pod, PodSpec, ResourceList } from '../api/core.ts';
import {
  limitsOfPods,
  podRequests,
  requestsOfPods,
  withRequestsFromLimits,
} from './pod-requests.ts';
import { fromResourceList, toResourceList } from './resources.ts';

function container(name: string, requests: ResourceList, sidecar = false): Container {
  return { name, resources: { requests }, ...(sidecar && { restartPolicy: 'Always' }) };
}

function pod(spec: Partial<PodSpec>, status?: Pod['status']): Pod {
  return {
    metadata: { name: 'p' },
    spec: { containers: [], ...spec },
    ...(status && { status }),
  };
}

describe('against recorded answers of the original', () => {
  test.each(vectors.pods.map((row, index) => ({ index, ...row })))('pod $index', (row) => {
    const recorded = { metadata: { name: 'p' }, ...row.pod } as Pod;
    expect(requestsOfPods([recorded])).toEqual(new Map(fromResourceList(row.requests)));
    expect(limitsOfPods([recorded])).toEqual(new Map(fromResourceList(row.limits)));
  });
});

describe('sidecar arithmetic', () => {
  const cpu = (milli: number): ResourceList => ({ cpu: `${milli}m` });
  test.each<[string, Container[], number]>([
    ['a sidecar runs beside the containers', [container('s', cpu(50), true)], 150],
    ['a small init container before a sidecar hides', [container('i', cpu(40))], 100],
    ['a large init container is the peak', [container('i', cpu(400))], 400],
    [
      'an init container after a sidecar runs beside it',
      [container('s', cpu(50), true), container('i', cpu(400))],
      450,
    ],
    [
      'an init container before a sidecar does not',
      [container('i', cpu(400)), container('s', cpu(50), true)],
      400,
    ],
    [
      'several interleaved',
      [
        container('s1', cpu(50), true),
        container('i1', cpu(100)),
        container('s2', cpu(60), true),
        container('i2', cpu(120)),
      ],
      230,
    ],
    ['sidecars alone can be the total', [container('s', cpu(500), true)], 600],
  ])('%s', (_, initContainers, expected) => {
    const requests = podRequests(pod({ containers: [container('c', cpu(100))], initContainers }));
    expect(toResourceList(requests)).toEqual(toResourceList(fromResourceList(cpu(expected))));
  });

  test('peaks of different resources may come from different containers', () => {
    const requests = podRequests(
      pod({
        containers: [container('c', { cpu: '1', memory: '1Gi' })],
        initContainers: [container('i', { cpu: '2' }), container('j', { memory: '3Gi' })],
        overhead: { cpu: '250m', memory: '1Gi' },
      }),
    );
    expect(toResourceList(requests)).toEqual({ cpu: '2250m', memory: '4Gi' });
  });
});

describe('pod-level resources', () => {
  test('replace cpu, memory and huge pages and nothing else', () => {
    const requests = podRequests(
      pod({
        containers: [container('c', { cpu: '1', 'ephemeral-storage': '1Gi' })],
        resources: {
          requests: { cpu: '3', 'hugepages-2Mi': '4Mi', 'ephemeral-storage': '9Gi' },
        },
      }),
    );
    expect(toResourceList(requests)).toEqual({
      cpu: '3',
      'ephemeral-storage': '1Gi',
      'hugepages-2Mi': '4Mi',
    });
  });
});

describe('in-place resize', () => {
  const status = {
    containerStatuses: [
      { name: 'c', resources: { requests: { cpu: '2' } }, allocatedResources: { cpu: '3' } },
    ],
  };
  const resizing = (cpu: string, reason?: string): Pod =>
    pod(
      { containers: [container('c', { cpu })] },
      {
        ...status,
        ...(reason && { conditions: [{ type: 'PodResizePending', status: 'True', reason }] }),
      },
    );

  test.each([
    ['1', undefined, '3'],
    ['5', undefined, '5'],
    ['5', 'Deferred', '5'],
    ['5', 'Infeasible', '3'],
  ])('spec %s, resize %s: counts %s', (spec, reason, expected) => {
    expect(toResourceList(podRequests(resizing(spec, reason)))).toEqual({ cpu: expected });
  });

  test('a finished init container keeps its spec', () => {
    const requests = podRequests(
      pod(
        { containers: [], initContainers: [container('i', { cpu: '1' })] },
        { initContainerStatuses: [{ name: 'i', resources: { requests: { cpu: '9' } } }] },
      ),
    );
    expect(toResourceList(requests)).toEqual({ cpu: '1' });
  });
});

describe('groups', () => {
  test('ask for one of `pods` each', () => {
    const one = pod({ containers: [container('c', { cpu: '100m' })] });
    expect(toResourceList(requestsOfPods([one, one]))).toEqual({ cpu: '200m', pods: '2' });
    expect(toResourceList(requestsOfPods([]))).toEqual({ pods: '0' });
  });

  test('overhead widens a limit but creates none', () => {
    const limited = pod({
      containers: [{ name: 'c', resources: { limits: { cpu: '1', memory: '0' } } }],
      overhead: { cpu: '500m', memory: '1Gi', 'ephemeral-storage': '1Gi' },
    });
    expect(toResourceList(limitsOfPods([limited]))).toEqual({
      cpu: '1500m',
      memory: '0',
      pods: '1',
    });
  });
});

test('a pod made from a template gets its limits as requests where it states none', () => {
  const template: PodSpec = {
    containers: [
      { name: 'a', resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } } },
      { name: 'b' },
    ],
    initContainers: [{ name: 'i', resources: { limits: { cpu: '3' } } }],
  };
  const spec = withRequestsFromLimits(template);
  expect(spec.containers.map(({ resources }) => resources?.requests)).toEqual([
    { cpu: '1', memory: '1Gi' },
    undefined,
  ]);
  expect(spec.initContainers?.[0]?.resources?.requests).toEqual({ cpu: '3' });
  expect(withRequestsFromLimits({ containers: [] })).toEqual({ containers: [] });
});
