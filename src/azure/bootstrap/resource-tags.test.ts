import { describe, expect, test } from 'vitest';
import { machineTags, resourceTags } from './resource-tags.ts';
import { testCluster, testPlan } from './test-node.ts';

const ours = {
  'karpenter.azure.com_cluster': 'cluster-1',
  'karpenter.sh_nodepool': 'default',
  'compute.aks.billing': 'linux',
};

describe('what is created for a node is tagged', () => {
  test('with what it is found by', () => {
    expect(resourceTags(testCluster(), testPlan())).toEqual(ours);
  });

  test("with the operator's tags and, before them, the class's", () => {
    const cluster = testCluster({ additionalTags: { team: 'a', cost: 'b' } });
    expect(resourceTags(cluster, testPlan({ spec: { tags: { team: 'c' } } }))).toEqual({
      ...ours,
      team: 'c',
      cost: 'b',
    });
  });

  test('with names that have no slash', () => {
    const cluster = testCluster({ additionalTags: { 'a/b': '1' } });
    expect(resourceTags(cluster, testPlan({ spec: { tags: { 'c/d/e': '2' } } }))).toMatchObject({
      a_b: '1',
      c_d_e: '2',
    });
  });

  test('with our own tags, whatever a user calls his', () => {
    const tags = {
      'karpenter.azure.com_cluster': 'mine',
      'karpenter.azure.com/cluster': 'mine',
      'karpenter.sh/nodepool': 'mine',
      'compute.aks.billing': 'mine',
    };
    const cluster = testCluster({ additionalTags: tags });
    expect(resourceTags(cluster, testPlan({ spec: { tags } }))).toEqual(ours);
  });

  test('without a NodePool when its claim has none', () => {
    const tags = resourceTags(testCluster(), testPlan({ claim: { labels: {} } }));
    expect(tags['karpenter.sh_nodepool']).toBeUndefined();
  });

  test('with its claim, for an AKS machine', () => {
    expect(
      machineTags(testCluster(), testPlan({ claim: { name: 'claim-1', labels: {} } })),
    ).toMatchObject({
      'karpenter.azure.com_aksmachine_nodeclaim': 'claim-1',
    });
  });
});
