import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/hash.json' with { type: 'json' };
import type { AKSNodeClassSpec, KubeletConfiguration } from '../api/aks-node-class.ts';
import type { NodeClaimTemplate, NodePool } from '../api/node-pool.ts';
import { aksNodeClassHash, aksNodeClassHashVersion } from './aks-node-class-hash.ts';
import { type InPlaceUpdate, inPlaceUpdateHash } from './in-place-update-hash.ts';
import { nodePoolHash, nodePoolHashVersion } from './node-pool-hash.ts';

function pool(template: unknown): NodePool {
  return {
    metadata: { name: 'default' },
    spec: {
      template: template as NodeClaimTemplate,
      disruption: { consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty', budgets: [] },
    },
  };
}

describe('against recorded answers of the original', () => {
  test.each(vectors.nodePools.map((row) => [row.name, row] as const))('NodePool: %s', (_, row) => {
    expect(nodePoolHash(pool(row.input))).toBe(row.hash);
  });

  test.each(vectors.nodeClasses.map((row) => [row.name, row] as const))(
    'AKSNodeClass: %s',
    (_, row) => {
      expect(aksNodeClassHash(row.input as Partial<AKSNodeClassSpec>)).toBe(row.hash);
    },
  );

  test.each(vectors.inPlaceUpdates.map((row) => [row.name, row] as const))(
    'in-place update: %s',
    (_, row) => {
      expect(inPlaceUpdateHash(row.input as InPlaceUpdate)).toBe(row.hash);
    },
  );

  test('the versions are those of the original, so that no node drifts when a cluster changes hands', () => {
    expect([nodePoolHashVersion, aksNodeClassHashVersion]).toEqual(['v3', 'v3']);
  });
});

const kubelet: KubeletConfiguration = {
  cpuManagerPolicy: 'none',
  cpuCFSQuota: true,
  cpuCFSQuotaPeriod: '100ms',
  topologyManagerPolicy: 'none',
  containerLogMaxSize: '50Mi',
  containerLogMaxFiles: 5,
};

describe('order does not matter', () => {
  const texts = fc.stringMatching(/^[a-z]{1,4}$/);
  const taints = fc.uniqueArray(
    fc.record({ key: texts, value: texts, effect: fc.constantFrom('NoSchedule', 'NoExecute') }),
    { selector: ({ key }) => key },
  );
  const reference = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };

  test('of taints and labels', () => {
    fc.assert(
      fc.property(taints, fc.dictionary(texts, texts), (list, labels) => {
        const template = (order: <T>(items: readonly T[]) => T[]): unknown => ({
          metadata: { labels: Object.fromEntries(order(Object.entries(labels))) },
          spec: { nodeClassRef: reference, requirements: [], taints: order(list) },
        });
        const forwards = nodePoolHash(pool(template((items) => [...items])));
        expect(nodePoolHash(pool(template((items) => items.toReversed())))).toBe(forwards);
      }),
    );
  });

  test('of allowed sysctls and tags', () => {
    fc.assert(
      fc.property(fc.uniqueArray(texts), (names) => {
        const spec = (allowedUnsafeSysctls: string[]): string =>
          aksNodeClassHash({ kubelet: { ...kubelet, allowedUnsafeSysctls } });
        expect(spec(names.toReversed())).toBe(spec(names));
        const tags = (list: string[]): string =>
          inPlaceUpdateHash({
            tags: Object.fromEntries(list.map((name) => [name, 'x'])),
            identities: list,
          });
        expect(tags(names.toReversed())).toBe(tags(names));
      }),
    );
  });

  test('but every text does', () => {
    const hashes = ['a', 'b', 'ab', ''].flatMap((value) => [
      nodePoolHash(pool({ metadata: { labels: { a: value } }, spec: { nodeClassRef: reference } })),
      nodePoolHash(
        pool({ metadata: { annotations: { a: value } }, spec: { nodeClassRef: reference } }),
      ),
    ]);
    expect(new Set(hashes).size).toBe(8);
  });
});

test('a class without a spec has the hash of an empty one', () => {
  expect(aksNodeClassHash()).toBe(aksNodeClassHash({}));
});

test('identities count once', () => {
  expect(inPlaceUpdateHash({ identities: ['a', 'b', 'a'] })).toBe(
    inPlaceUpdateHash({ identities: ['b', 'a'] }),
  );
});
