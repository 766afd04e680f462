import { describe, expect, test } from 'vitest';
import type { CapacityBuffer } from '../../api/capacity-buffer.ts';
import type { Pod, PodTemplateSpec } from '../../api/core.ts';
import { isProvisionable } from '../../model/pod.ts';
import { bufferKeyOf, isVirtualPod, virtualPods } from './virtual-pods.ts';

const buffer: CapacityBuffer = {
  metadata: {
    name: 'spare',
    namespace: 'apps',
    uid: 'uid-of-spare',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { provisioningStrategy: 'buffer.x-k8s.io/active-capacity' },
};

const template: PodTemplateSpec = {
  metadata: { labels: { app: 'web' }, annotations: { note: 'not theirs' } },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] },
};

function onePod(spec: Partial<PodTemplateSpec['spec']>): Pod {
  return virtualPods(buffer, { ...template, spec: { ...template.spec, ...spec } }, 1)[0]!;
}

describe('virtual pods', () => {
  test('are named and numbered after their buffer', () => {
    const pods = virtualPods(buffer, template, 2);
    expect(pods.map(({ metadata }) => [metadata.name, metadata.uid])).toEqual([
      ['capacity-buffer-spare-1', 'uid-of-spare-1'],
      ['capacity-buffer-spare-2', 'uid-of-spare-2'],
    ]);
  });

  test('look like pods of the template that nobody found room for', () => {
    const [pod] = virtualPods(buffer, template, 1);
    expect(pod).toEqual({
      metadata: {
        name: 'capacity-buffer-spare-1',
        namespace: 'apps',
        uid: 'uid-of-spare-1',
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: { app: 'web' },
        annotations: {
          'karpenter.sh/capacity-buffer-fake-pod': 'true',
          'karpenter.sh/capacity-buffer-name': 'spare',
          'karpenter.sh/capacity-buffer-namespace': 'apps',
        },
      },
      spec: { ...template.spec, priority: -2147483648 },
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
    });
    expect(isProvisionable(pod!)).toBe(true);
  });

  test('are none for a buffer of no size', () => {
    expect(virtualPods(buffer, template, 0)).toEqual([]);
  });

  test('are on no node and have no volume that needs a claim', () => {
    const { spec } = onePod({
      nodeName: 'n1',
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'scratch', ephemeral: {} },
        { name: 'tmp' },
      ],
    });
    expect(spec.volumes).toEqual([{ name: 'tmp' }]);
    expect(spec).not.toHaveProperty('nodeName');
  });

  test('keep every other rule of the template, but not its priority', () => {
    const rules = {
      nodeSelector: { team: 'red' },
      tolerations: [{ operator: 'Exists' }],
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
      overhead: { cpu: '100m' },
      resourceClaims: [{ name: 'gpu' }],
    } as const;
    expect(onePod({ ...rules, priority: 1000 }).spec).toMatchObject({
      ...rules,
      priority: -2147483648,
    });
  });

  test('ask for what a real pod would: limits where nothing is requested', () => {
    const { spec } = onePod({
      containers: [{ name: 'main', resources: { limits: { cpu: '2' } } }],
    });
    expect(spec.containers[0]?.resources?.requests).toEqual({ cpu: '2' });
  });

  test('leave the template as it is', () => {
    const before = structuredClone(template);
    virtualPods(buffer, template, 3);
    expect(template).toEqual(before);
  });

  test.each<[string, Readonly<Record<string, string>> | undefined, boolean, string | undefined]>([
    ['all of it', virtualPods(buffer, template, 1)[0]!.metadata.annotations, true, 'apps/spare'],
    ['nothing', undefined, false, undefined],
    ['another value', { 'karpenter.sh/capacity-buffer-fake-pod': 'yes' }, false, undefined],
    [
      'half a buffer',
      {
        'karpenter.sh/capacity-buffer-fake-pod': 'true',
        'karpenter.sh/capacity-buffer-name': 'spare',
      },
      true,
      undefined,
    ],
    ['no buffer', { 'karpenter.sh/capacity-buffer-fake-pod': 'true' }, true, undefined],
    [
      'the buffer only',
      {
        'karpenter.sh/capacity-buffer-name': 'spare',
        'karpenter.sh/capacity-buffer-namespace': 'apps',
      },
      false,
      undefined,
    ],
  ])('are known by their annotations: %s', (_, annotations, isVirtual, key) => {
    const pod: Pod = {
      metadata: { name: 'x', ...(annotations && { annotations }) },
      spec: { containers: [] },
    };
    expect([isVirtualPod(pod), bufferKeyOf(pod)]).toEqual([isVirtual, key]);
  });
});
