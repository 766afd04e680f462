import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { CommunityImageVersion, NodeImageVersionRow } from './image-version.ts';
import { NodeImages } from './node-images.ts';

const signal = new AbortController().signal;
const day = 24 * 60 * 60 * 1000;
const ubuntu = {
  release: 'Ubuntu2204',
  fips: false,
  trustedLaunch: false,
  kubernetesVersion: '1.33.1',
} as const;

function setup(parts: {
  community?: Record<string, readonly CommunityImageVersion[]>;
  shared?: readonly NodeImageVersionRow[];
}) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const images = new NodeImages({
    clock,
    sharedSubscriptionId: 'aks-subscription',
    source: {
      listCommunity: ({ gallery, definition }) => {
        asked.push(`${gallery.slice(0, 9)}/${definition}`);
        return Promise.resolve(parts.community?.[definition] ?? []);
      },
      listNodeImageVersions: () => {
        asked.push('node image versions');
        return Promise.resolve(parts.shared ?? []);
      },
    },
  });
  return { clock, asked, images };
}

const published = (name: string, publishedDate: string) => ({ name, publishedDate });

const everyUbuntu = {
  '2204gen2containerd': [
    published('202410.01.0', '2024-10-02T00:00:00Z'),
    published('202411.01.0', '2024-11-02T00:00:00Z'),
  ],
  '2204containerd': [published('202411.01.0', '2024-11-02T00:00:00Z')],
  '2204gen2arm64containerd': [published('202411.01.0', '2024-11-02T00:00:00Z')],
};

describe('the newest images of a node class', () => {
  test('come from community galleries, in order of preference', async () => {
    const { images } = setup({ community: everyUbuntu });
    const listed = await images.listNewest({ ...ubuntu, gallery: 'community' }, signal);
    expect(listed.map(({ id }) => id)).toEqual(
      ['2204gen2containerd', '2204containerd', '2204gen2arm64containerd'].map(
        (name) =>
          `/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2/images/${name}/versions/202411.01.0`,
      ),
    );
    expect(listed[2]?.requirements).toEqual([
      { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
      { key: 'karpenter.azure.com/sku-hyperv-generation', operator: 'In', values: ['2'] },
    ]);
  });

  test('come from shared galleries through one list of AKS', async () => {
    const { images, asked } = setup({
      shared: [
        { os: 'AKSAzureLinux', sku: 'V3gen2', version: '202411.12.0' },
        { os: 'AKSAzureLinux', sku: 'V3gen2', version: '202410.12.0' },
        { os: 'AKSAzureLinux', sku: 'V3', version: '202411.12.0' },
        { os: 'AKSAzureLinux', sku: 'V3gen2arm64', version: '202411.12.0' },
        { os: 'AKSWindows', sku: '2022-containerd', version: '20348.1' },
      ],
    });
    const wish = { ...ubuntu, release: 'AzureLinux3', gallery: 'shared' } as const;
    const listed = await images.listNewest(wish, signal);
    expect(listed.map(({ id }) => id)).toEqual(
      ['V3gen2', 'V3', 'V3gen2arm64'].map(
        (name) =>
          `/subscriptions/aks-subscription/resourceGroups/AKS-AzureLinux/providers/Microsoft.Compute/galleries/AKSAzureLinux/images/${name}/versions/202411.12.0`,
      ),
    );
    expect(asked).toEqual(['node image versions']);
  });

  test('leave out a definition of which there is no version', async () => {
    const shared = [{ os: 'AKSUbuntu', sku: '2204containerd', version: '202411.12.0' }];
    const { images } = setup({
      shared,
      community: { '2204containerd': everyUbuntu['2204containerd'] },
    });
    const [fromShared, fromCommunity] = await Promise.all([
      images.listNewest({ ...ubuntu, gallery: 'shared' }, signal),
      images.listNewest({ ...ubuntu, gallery: 'community' }, signal),
    ]);
    expect([fromShared.length, fromCommunity.length]).toEqual([1, 1]);
  });

  test('do not take an image of the same name from another gallery', async () => {
    const { images } = setup({
      shared: [{ os: 'Elsewhere', sku: '2204gen2containerd', version: '202411.12.0' }],
    });
    expect(await images.listNewest({ ...ubuntu, gallery: 'shared' }, signal)).toEqual([]);
  });

  test('are none, unasked, when FIPS is wanted from a community gallery', async () => {
    const { images, asked } = setup({});
    const wish = { ...ubuntu, release: 'Ubuntu2004', fips: true, gallery: 'community' } as const;
    expect([await images.listNewest(wish, signal), asked]).toEqual([[], []]);
  });

  test('are asked for once in three days', async () => {
    const { clock, images, asked } = setup({ community: everyUbuntu });
    const wish = { ...ubuntu, gallery: 'community' } as const;
    await images.listNewest(wish, signal);
    await clock.advance(3 * day - 1);
    await images.listNewest(wish, signal);
    expect(asked.length).toBe(3);
    await clock.advance(1);
    await images.listNewest(wish, signal);
    expect(asked.length).toBe(6);
  });

  test('are asked for anew after a change of family, gallery or Kubernetes version', async () => {
    const { images, asked } = setup({ community: everyUbuntu });
    const wish = { ...ubuntu, gallery: 'community' } as const;
    await images.listNewest(wish, signal);
    await images.listNewest({ ...wish, kubernetesVersion: '1.33.2' }, signal);
    await images.listNewest({ ...wish, release: 'AzureLinux3' }, signal);
    await images.listNewest({ ...wish, gallery: 'shared' }, signal);
    expect(asked.length).toBe(3 + 3 + 3 + 1);
  });

  test('are not kept while one of them is missing', async () => {
    const { images, asked } = setup({});
    const wish = { ...ubuntu, gallery: 'shared' } as const;
    await images.listNewest(wish, signal);
    await images.listNewest(wish, signal);
    expect(asked.length).toBe(2);
  });

  test('fail with the source, and are asked for again the next time', async () => {
    let fails = true;
    const images = new NodeImages({
      clock: new VirtualClock(),
      sharedSubscriptionId: '',
      source: {
        listCommunity: (_, { aborted }) =>
          fails || aborted
            ? Promise.reject(new Error('throttled'))
            : Promise.resolve([published('1.0.0', '2026-01-01T00:00:00Z')]),
        listNodeImageVersions: () => Promise.resolve([]),
      },
    });
    const wish = { ...ubuntu, gallery: 'community' } as const;
    await expect(images.listNewest(wish, signal)).rejects.toThrow('throttled');
    fails = false;
    expect((await images.listNewest(wish, signal)).length).toBe(3);
  });
});
