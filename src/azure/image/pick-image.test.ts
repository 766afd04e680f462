import { describe, expect, test } from 'vitest';
import { azureLabel, label } from '../../api/labels.ts';
import { oneOf } from '../../model/requirement.ts';
import { requirementsOf } from '../../model/requirements.ts';
import {
  imageDefinitionsFor,
  type ImageWish,
  requirementsOf as bootsOn,
} from './image-definition.ts';
import { pickImage } from './pick-image.ts';

function imagesOf(wish: Partial<ImageWish>) {
  return imageDefinitionsFor({
    release: 'Ubuntu2204',
    fips: false,
    trustedLaunch: false,
    gallery: 'shared',
    ...wish,
  }).map((definition) => ({ id: definition.name, requirements: bootsOn(definition) }));
}

function size(architecture: string, ...generations: string[]) {
  return {
    name: 'Standard_X',
    requirements: requirementsOf([
      oneOf(label.arch, [architecture]),
      oneOf(azureLabel.skuHyperVGeneration, generations),
    ]),
  };
}

describe('the image for a size', () => {
  test.each([
    ['both generations', size('amd64', '1', '2'), '2204gen2containerd'],
    ['the second generation', size('amd64', '2'), '2204gen2containerd'],
    ['the first generation', size('amd64', '1'), '2204containerd'],
    ['arm64', size('arm64', '2'), '2204gen2arm64containerd'],
  ])('of %s is the preferred one that boots on it', (_, type, imageId) => {
    expect(pickImage(imagesOf({}), type)).toEqual({ ok: true, imageId });
  });

  test.each([
    ['arm64 with Trusted Launch', size('arm64', '2'), { trustedLaunch: true }],
    ['the first generation with Trusted Launch', size('amd64', '1'), { trustedLaunch: true }],
    [
      'arm64 with FIPS on Ubuntu',
      size('arm64', '2'),
      { release: 'Ubuntu2004', fips: true } as const,
    ],
    [
      'arm64 with FIPS on Azure Linux 2',
      size('arm64', '2'),
      { release: 'AzureLinux2', fips: true } as const,
    ],
    ['arm64 of the first generation', size('arm64', '1'), {}],
  ])('does not exist for %s, and it is said why', (_, type, wish) => {
    expect(pickImage(imagesOf(wish), type)).toEqual({
      ok: false,
      reason: expect.stringMatching(
        /no image of the node class boots on Standard_X \(a.*64 generation [12]\)/,
      ),
    });
  });

  test('does not exist when the class has no image at all', () => {
    expect(pickImage([], size('amd64', '2'))).toEqual({
      ok: false,
      reason:
        'no image of the node class boots on Standard_X (amd64 generation 2); there are images for nothing',
    });
  });

  test('names the images that there are', () => {
    const choice = pickImage(imagesOf({ trustedLaunch: true }), size('arm64', '2'));
    expect(choice).toEqual({
      ok: false,
      reason:
        'no image of the node class boots on Standard_X (arm64 generation 2); there are images for amd64 generation 2',
    });
  });
});
