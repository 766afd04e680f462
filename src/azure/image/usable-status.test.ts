import { describe, expect, test } from 'vitest';
import type { AKSNodeClass } from '../../api/aks-node-class.ts';
import { usableImages, usableKubernetesVersion } from './usable-status.ts';

const image = { id: '/CommunityGalleries/g/images/d/versions/1', requirements: [] };

function nodeClass(parts: { status?: string; observed?: number; version?: string }): AKSNodeClass {
  const { status = 'True', observed = 3, version = '1.33.1' } = parts;
  const condition = (type: string) => ({
    type,
    status: status as 'True',
    reason: type,
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: observed,
  });
  return {
    metadata: { name: 'default', generation: 3 },
    status: {
      images: [image],
      kubernetesVersion: version,
      conditions: [condition('ImagesReady'), condition('KubernetesVersionReady')],
    },
  };
}

describe('the status of a node class', () => {
  test('is used when it is ready and of today', () => {
    expect([usableKubernetesVersion(nodeClass({})), usableImages(nodeClass({}))]).toEqual([
      { ok: true, value: '1.33.1' },
      { ok: true, value: [image] },
    ]);
  });

  test.each([
    ['not ready', nodeClass({ status: 'False' }), 'False'],
    ['undecided', nodeClass({ status: 'Unknown' }), 'Unknown'],
    ['of an older spec', nodeClass({ observed: 2 }), 'of generation 2, but is at generation 3'],
    ['not there', { metadata: { name: 'default' } }, 'absent'],
  ])('is not used when it is %s', (_, it, fault) => {
    const refused = { ok: false, reason: expect.stringContaining(fault) };
    expect([usableKubernetesVersion(it), usableImages(it)]).toEqual([refused, refused]);
  });

  test('is not used for an empty version', () => {
    expect(usableKubernetesVersion(nodeClass({ version: '' }))).toEqual({
      ok: false,
      reason: 'AKSNodeClass default has no Kubernetes version',
    });
  });
});
