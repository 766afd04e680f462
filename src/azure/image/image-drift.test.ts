import { describe, expect, test } from 'vitest';
import type { AKSNodeClass } from '../../api/aks-node-class.ts';
import { imageDrift, kubernetesVersionDrift } from './image-drift.ts';

const shared =
  '/subscriptions/s/resourceGroups/AKS-Ubuntu/providers/Microsoft.Compute/galleries/AKSUbuntu/images/2204gen2containerd/versions/';
const community = '/CommunityGalleries/AKSUbuntu-38d8/images/2204gen2containerd/versions/';

function nodeClass(
  parts: { ids?: readonly string[]; status?: string; version?: string } = {},
): AKSNodeClass {
  const { ids = [`${shared}2.0.0`, `${shared}2.0.1`], status = 'True', version = '1.33.1' } = parts;
  return {
    metadata: { name: 'default', generation: 1 },
    status: {
      images: ids.map((id) => ({ id, requirements: [] })),
      kubernetesVersion: version,
      conditions: ['ImagesReady', 'KubernetesVersionReady'].map((type) => ({
        type,
        status: status as 'True',
        reason: type,
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        observedGeneration: 1,
      })),
    },
  };
}

const none = { kind: 'none' };
const imageDrifted = { kind: 'drifted', reason: 'ImageDrift' };
const versionDrifted = { kind: 'drifted', reason: 'K8sVersionDrift' };

describe('a node whose image', () => {
  test.each([
    ['is any of those of the class does not drift', `${shared}2.0.1`, none],
    ['is of another version drifts', `${shared}1.0.0`, imageDrifted],
    ['is in another gallery drifts', `${community}2.0.0`, imageDrifted],
  ])('%s', (_, imageId, verdict) => {
    expect(imageDrift(nodeClass(), { imageId, kind: 'vm' })).toEqual(verdict);
  });

  test.each([
    ['AKSUbuntu-2204gen2containerd-2.0.0', none],
    ['AKSUbuntu-2204gen2containerd-1.0.0', imageDrifted],
  ])('of an AKS machine is %s is compared in that short form', (imageId, verdict) => {
    expect(imageDrift(nodeClass(), { imageId, kind: 'machine' })).toEqual(verdict);
  });

  test('is not among those of a class that is not ready does not drift', () => {
    const node = { imageId: 'other', kind: 'vm' } as const;
    expect(imageDrift(nodeClass({ status: 'False' }), node)).toEqual(none);
  });

  test('is not known cannot be judged', () => {
    expect(imageDrift(nodeClass(), { imageId: '', kind: 'vm' }).kind).toBe('unknown');
  });

  test('belongs to a class that is ready without images cannot be judged', () => {
    expect(imageDrift(nodeClass({ ids: [] }), { imageId: 'x', kind: 'vm' })).toEqual({
      kind: 'unknown',
      reason: 'AKSNodeClass default is ready but has no images',
    });
  });
});

describe('a node whose kubelet', () => {
  test.each([
    ['is of the version of the class', 'v1.33.1', none],
    ['is behind by a patch', 'v1.33.0', versionDrifted],
    ['is behind by a minor', '1.32.9', versionDrifted],
    ['is ahead', 'v1.34.0', none],
    ['says nothing of itself', '', none],
  ])('%s (%s)', (_, kubeletVersion, verdict) => {
    expect(kubernetesVersionDrift(nodeClass(), kubeletVersion)).toEqual(verdict);
  });

  test('belongs to a class that is not ready does not drift', () => {
    expect(kubernetesVersionDrift(nodeClass({ status: 'Unknown' }), 'v1.20.0')).toEqual(none);
    expect(kubernetesVersionDrift(nodeClass({ version: '' }), 'v1.20.0')).toEqual(none);
  });
});
