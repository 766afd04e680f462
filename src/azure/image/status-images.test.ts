import { describe, expect, test } from 'vitest';
import type { NodeImage } from '../../api/aks-node-class.ts';
import { galleryRefusal, nextImages } from './status-images.ts';

function image(definition: string, version: string): NodeImage {
  return {
    id: `/CommunityGalleries/AKSUbuntu/images/${definition}/versions/${version}`,
    requirements: [],
  };
}

const current = [image('2204gen2containerd', '1.0.0'), image('2204containerd', '1.0.0')];
const newest = [image('2204gen2containerd', '2.0.0'), image('2204containerd', '2.0.0')];

describe('the images of a node class', () => {
  test('move to the newest when they may', () => {
    expect(nextImages({ current, newest, mayMove: true })).toEqual({
      kind: 'images',
      images: newest,
    });
  });

  test('keep their versions outside the maintenance window', () => {
    expect(nextImages({ current, newest, mayMove: false })).toEqual({
      kind: 'images',
      images: current,
    });
  });

  test('take in a new definition and drop an unwanted one at any time, in the new order', () => {
    const arm = image('2204gen2arm64containerd', '2.0.0');
    const wanted = [arm, newest[0]!];
    expect(nextImages({ current, newest: wanted, mayMove: false })).toEqual({
      kind: 'images',
      images: [arm, current[0]],
    });
  });

  test('follow a change of gallery at any time', () => {
    const elsewhere = [
      {
        id: '/subscriptions/s/resourceGroups/r/providers/Microsoft.Compute/galleries/AKSUbuntu/images/2204containerd/versions/2.0.0',
        requirements: [],
      },
    ];
    expect(nextImages({ current, newest: elsewhere, mayMove: false })).toEqual({
      kind: 'images',
      images: elsewhere,
    });
  });

  test('are none when none was found', () => {
    expect(nextImages({ current, newest: [], mayMove: false })).toEqual({
      kind: 'none',
      reason: 'ImagesNotFound',
      message: 'ImageSelectors did not match any Images',
    });
  });

  test('are refused for FIPS without shared galleries, and only then', () => {
    expect(galleryRefusal(true, 'community')).toMatchObject({ reason: 'SIGRequiredForFIPS' });
    expect([
      galleryRefusal(true, 'shared'),
      galleryRefusal(false, 'community'),
      galleryRefusal(false, 'shared'),
    ]).toEqual([undefined, undefined, undefined]);
  });
});
