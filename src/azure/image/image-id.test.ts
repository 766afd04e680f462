import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatImageId, nodeImageVersionOf, parseImageId, withoutVersion } from './image-id.ts';

const gallery =
  '/subscriptions/s/resourceGroups/AKS-Ubuntu/providers/Microsoft.Compute/galleries/AKSUbuntu';
const shared = `${gallery}/images/2204gen2containerd/versions/2022.10.03`;
const community =
  '/CommunityGalleries/AKSUbuntu-38d8/images/2204gen2containerd/versions/2022.10.03';

describe('an image id', () => {
  test('of a shared gallery falls into its parts', () => {
    expect(parseImageId(shared)).toEqual({
      kind: 'shared',
      subscriptionId: 's',
      resourceGroup: 'AKS-Ubuntu',
      gallery: 'AKSUbuntu',
      definition: '2204gen2containerd',
      version: '2022.10.03',
    });
  });

  test('of a community gallery falls into its parts', () => {
    expect(parseImageId(community)).toEqual({
      kind: 'community',
      gallery: 'AKSUbuntu-38d8',
      definition: '2204gen2containerd',
      version: '2022.10.03',
    });
  });

  test.each([
    [
      'keywords in capitals',
      shared.replace('subscriptions', 'SUBSCRIPTIONS').replace('images', 'IMAGES'),
    ],
    ['the provider in capitals', shared.replace('Microsoft.Compute', 'MICROSOFT.COMPUTE')],
    ['mixed case', shared.replace('galleries', 'GaLlErIeS').replace('versions', 'VERSIONS')],
    ['a slash at the end', `${shared}/`],
  ])('is read with %s', (_, id) => {
    expect(parseImageId(id)).toEqual(parseImageId(shared));
  });

  test.each([
    ['nothing', ''],
    ['a word', 'not-a-valid-resource-id'],
    ['too few parts', '/subscriptions/12345/resourceGroups/test'],
    ['no version', `${gallery}/images/2204gen2containerd/versions`],
    ['no version at all', `${gallery}/images/2204gen2containerd`],
    ['no subscription', shared.replace('/subscriptions/s', '')],
    ['another provider', shared.replace('Compute', 'Storage')],
    ['a keyword in the singular', shared.replace('/galleries/', '/gallery/')],
    ['a keyword in the singular', shared.replace('/versions/', '/version/')],
    ['one part too many', `${shared}/extra`],
    ['two parts too many', `${shared}/extra/components`],
    ['an empty part', shared.replace('2204gen2containerd', '')],
  ])('is refused for %s', (_, id) => {
    expect(parseImageId(id)).toBeUndefined();
  });

  test('comes out as it went in, whatever its names', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_.()-]{1,20}$/);
    const parts = { gallery: name, definition: name, version: name };
    const image = fc.oneof(
      fc.record({ kind: fc.constant('community' as const), ...parts }),
      fc.record({
        kind: fc.constant('shared' as const),
        subscriptionId: name,
        resourceGroup: name,
        ...parts,
      }),
    );
    fc.assert(
      fc.property(image, (it) => {
        expect(parseImageId(formatImageId(it))).toEqual({ ...it });
      }),
    );
  });

  test('is the same image in every version', () => {
    expect(withoutVersion(shared)).toBe(`${gallery}/images/2204gen2containerd`);
    expect(withoutVersion(community)).toBe(
      '/CommunityGalleries/AKSUbuntu-38d8/images/2204gen2containerd',
    );
  });
});

describe('the short form for AKS machines', () => {
  test.each([
    [shared, 'AKSUbuntu-2204gen2containerd-2022.10.03'],
    [shared.toUpperCase(), 'AKSUBUNTU-2204GEN2CONTAINERD-2022.10.03'],
    [
      `${gallery}/images/2204gen2containerd/versions/2022.10.03-build.1`,
      'AKSUbuntu-2204gen2containerd-2022.10.03-build.1',
    ],
  ])('joins gallery, definition and version of %s', (id, text) => {
    expect(nodeImageVersionOf(id)).toEqual({ ok: true, text });
  });

  test.each([
    [community, 'community gallery'],
    ['/subscriptions/invalid/format', 'not the id of a version'],
    ['', 'not the id of a version'],
  ])('is refused for %s, with the reason', (id, reason) => {
    expect(nodeImageVersionOf(id)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});
