import { describe, expect, test } from 'vitest';
import type { CapacityBuffer, CapacityBufferSpec } from '../../api/capacity-buffer.ts';
import type { PodTemplateSpec } from '../../api/core.ts';
import { type BufferWorkloads, resolveBuffer } from './resolve-buffer.ts';

const template: PodTemplateSpec = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', resources: { limits: { cpu: '1' } } }] },
};

const workloads: BufferWorkloads = {
  podTemplate: (namespace, name) =>
    namespace === 'apps' && name === 'spare'
      ? { metadata: { name, namespace, generation: 4 }, template }
      : undefined,
  workload: (kind, namespace, name) =>
    namespace === 'apps' && name === `a-${kind}`
      ? { metadata: { name, namespace }, spec: { replicas: 10, template } }
      : undefined,
};

function resolve(spec: Partial<CapacityBufferSpec>, namespace = 'apps', known = workloads) {
  const buffer: CapacityBuffer = {
    metadata: { name: 'buffer', namespace },
    spec: { provisioningStrategy: 'buffer.x-k8s.io/active-capacity', ...spec },
  };
  return resolveBuffer(buffer, known);
}

const resolved = {
  type: 'ReadyForProvisioning',
  status: 'True',
  reason: 'Resolved',
  message: 'Pod template resolved successfully',
};

describe('a buffer is resolved', () => {
  test('by its PodTemplate, whose generation is remembered', () => {
    expect(resolve({ podTemplateRef: { name: 'spare' }, replicas: 2 })).toEqual({
      ok: true,
      template,
      replicas: 2,
      status: {
        replicas: 2,
        podTemplateRef: { name: 'spare' },
        podTemplateGeneration: 4,
        provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
      },
      condition: resolved,
    });
  });

  test.each([
    ['Deployment', undefined],
    ['StatefulSet', ''],
    ['ReplicaSet', 'apps'],
  ])('by a %s of group %j, of which it keeps a share', (kind, apiGroup) => {
    const scalableRef = { kind, name: `a-${kind}`, ...(apiGroup !== undefined && { apiGroup }) };
    expect(resolve({ scalableRef, percentage: 30 })).toEqual({
      ok: true,
      template,
      replicas: 3,
      status: { replicas: 3, provisioningStrategy: 'buffer.x-k8s.io/active-capacity' },
      condition: resolved,
    });
  });

  test('by a workload that says nothing of replicas as one of 1', () => {
    const silent = {
      ...workloads,
      workload: () => ({ metadata: { name: 'x' }, spec: { template } }),
    };
    const scalableRef = { kind: 'Deployment', name: 'x' };
    expect(resolve({ scalableRef, percentage: 300 }, 'apps', silent)).toMatchObject({
      replicas: 3,
    });
  });

  test('with the limits of its containers as what a piece asks for', () => {
    expect(resolve({ podTemplateRef: { name: 'spare' }, limits: { cpu: '5' } })).toMatchObject({
      replicas: 5,
    });
  });
});

describe('a buffer is not resolved', () => {
  test.each<[string, Partial<CapacityBufferSpec>, string, string]>([
    [
      'its PodTemplate is missing',
      { podTemplateRef: { name: 'gone' } },
      'PodTemplateNotFound',
      'podtemplates "gone" not found',
    ],
    [
      'its workload is missing',
      { scalableRef: { kind: 'Deployment', name: 'gone' } },
      'ScalableRefNotFound',
      'deployments.apps "gone" not found',
    ],
    [
      'its workload is of a kind nobody can scale by',
      { scalableRef: { kind: 'Job', name: 'x' } },
      'ResolutionFailed',
      'unsupported kind "Job"',
    ],
    [
      'its workload is of another group',
      { scalableRef: { apiGroup: 'batch', kind: 'Deployment', name: 'x' } },
      'ResolutionFailed',
      'unsupported scalableRef API group "batch"',
    ],
    ['it names neither', {}, 'ResolutionFailed', 'Neither podTemplateRef nor scalableRef is set'],
  ])('when %s', (_, spec, reason, message) => {
    const condition = { type: 'ReadyForProvisioning', status: 'False', reason, message };
    expect(resolve(spec)).toEqual({ ok: false, condition });
  });

  test('by what is in another namespace', () => {
    expect(resolve({ podTemplateRef: { name: 'spare' } }, 'other')).toMatchObject({ ok: false });
  });
});
