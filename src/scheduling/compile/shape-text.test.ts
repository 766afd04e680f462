import { describe, expect, test } from 'vitest';
import type { Container, Pod } from '../../api/core.ts';
import { annotation } from '../../api/labels.ts';
import { shapeText } from './shape-text.ts';

const container: Container = { name: 'main', resources: { requests: { cpu: '1' } } };
const base: Pod = {
  metadata: { name: 'web-1', namespace: 'shop', uid: 'u1', labels: { app: 'web', hash: 'x' } },
  spec: { containers: [container] },
};
const keys = ['app'];

function withMeta(metadata: Partial<Pod['metadata']>): Pod {
  return { ...base, metadata: { ...base.metadata, ...metadata } };
}

function withSpec(spec: Partial<Pod['spec']>): Pod {
  return { ...base, spec: { ...base.spec, ...spec } };
}

const alike: readonly (readonly [string, Pod])[] = [
  ['names, UIDs and ages', withMeta({ name: 'web-2', uid: 'u2', creationTimestamp: '2026-01-01' })],
  ['labels that nobody selects by', withMeta({ labels: { app: 'web', hash: 'y' } })],
  ['annotations', withMeta({ annotations: { note: 'hello' } })],
  [
    'owners',
    withMeta({ ownerReferences: [{ kind: 'Job', name: 'j', uid: 'j', apiVersion: 'v1' }] }),
  ],
  [
    'ports that are not of the host',
    withSpec({ containers: [{ ...container, ports: [{ containerPort: 80 }] }] }),
  ],
  [
    'limits',
    withSpec({
      containers: [{ ...container, resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }],
    }),
  ],
  ['names of containers', withSpec({ containers: [{ ...container, name: 'other' }] })],
  ['volumes without a claim', withSpec({ volumes: [{ name: 'scratch' }] })],
  ['a status without a resize', { ...base, status: { phase: 'Pending' } }],
];

const different: readonly (readonly [string, Pod])[] = [
  ['namespace', withMeta({ namespace: 'other' })],
  ['labels that some rule selects by', withMeta({ labels: { app: 'api' } })],
  ['the absence of such a label', withMeta({ labels: {} })],
  ['requests', withSpec({ containers: [{ ...container, resources: { requests: { cpu: '2' } } }] })],
  ['an init container', withSpec({ initContainers: [container] })],
  [
    'an init container that goes on running',
    withSpec({ initContainers: [{ ...container, restartPolicy: 'Always' }] }),
  ],
  ['overhead', withSpec({ overhead: { cpu: '1' } })],
  ['requests of the pod as a whole', withSpec({ resources: { requests: { cpu: '3' } } })],
  ['a node selector', withSpec({ nodeSelector: { team: 'red' } })],
  ['affinity', withSpec({ affinity: { podAffinity: {} } })],
  ['tolerations', withSpec({ tolerations: [{ operator: 'Exists' }] })],
  [
    'spread',
    withSpec({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    }),
  ],
  ['devices', withSpec({ resourceClaims: [{ name: 'gpu' }] })],
  [
    'ports of the host',
    withSpec({ containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 80 }] }] }),
  ],
  [
    'the claim of a volume',
    withSpec({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'disk' } }] }),
  ],
  ['a volume of its own', withSpec({ volumes: [{ name: 'data', ephemeral: {} }] })],
  [
    'a resize under way',
    { ...base, status: { containerStatuses: [{ name: 'main', resources: { requests: {} } }] } },
  ],
  [
    'standing for spare capacity',
    withMeta({ annotations: { [annotation.capacityBufferFakePod]: 'true' } }),
  ],
];

describe('pods', () => {
  test.each(alike)('that differ in %s are alike', (_, pod) => {
    expect(shapeText(pod, keys)).toBe(shapeText(base, keys));
  });

  test.each(different)('that differ in %s are not alike', (_, pod) => {
    expect(shapeText(pod, keys)).not.toBe(shapeText(base, keys));
  });

  test('with volumes of their own are each of their own kind', () => {
    const own = withSpec({ volumes: [{ name: 'data', ephemeral: {} }] });
    const other = { ...own, metadata: { ...own.metadata, name: 'web-2' } };
    expect(shapeText(other, keys)).not.toBe(shapeText(own, keys));
  });
});
