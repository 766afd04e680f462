import { describe, expect, test } from 'vitest';
import type { AKSNodeClassSpec } from '../../api/aks-node-class.ts';
import { effectiveOsSku, imageReleaseOf, isMinorAtLeast, isTrustedLaunch } from './image-family.ts';

type Family = AKSNodeClassSpec['imageFamily'];

const nothing = {};
const trusted = { security: { trustedLaunch: { vtpm: true } } };
const fips = { fipsMode: 'FIPS' } as const;
const both = { ...trusted, ...fips };

describe('the release that a node class stands for', () => {
  test.each<[Family, string, Partial<AKSNodeClassSpec>, string]>([
    ['Ubuntu', '1.33.9', nothing, 'Ubuntu2204'],
    ['Ubuntu', '1.34.0', nothing, 'Ubuntu2404'],
    ['Ubuntu', 'v1.35.2', nothing, 'Ubuntu2404'],
    ['Ubuntu', '1.34.0-alpha.1', nothing, 'Ubuntu2204'],
    ['Ubuntu', 'unknown', nothing, 'Ubuntu2204'],
    ['Ubuntu', '1.35.0', trusted, 'Ubuntu2204'],
    ['Ubuntu', '1.35.0', fips, 'Ubuntu2004'],
    ['Ubuntu', '1.35.0', both, 'Ubuntu2204'],
    ['Ubuntu2204', '1.35.0', fips, 'Ubuntu2204'],
    ['Ubuntu2404', '1.27.0', trusted, 'Ubuntu2404'],
    ['AzureLinux', '1.31.9', nothing, 'AzureLinux2'],
    ['AzureLinux', '1.32.0', both, 'AzureLinux3'],
    ['AzureLinux', '', nothing, 'AzureLinux2'],
  ])('%s on %s with %j is %s', (imageFamily, version, security, release) => {
    expect(imageReleaseOf({ imageFamily, ...security }, version)).toBe(release);
  });

  test('is Ubuntu for a family that nobody knows', () => {
    expect(imageReleaseOf({ imageFamily: 'Windows' as Family }, '1.34.0')).toBe('Ubuntu2404');
  });

  test('counts Trusted Launch as on when either half is', () => {
    const half = (trustedLaunch: object) => isTrustedLaunch({ security: { trustedLaunch } });
    expect([
      half({ vtpm: true }),
      half({ secureBoot: true }),
      half({ vtpm: false }),
      half({}),
    ]).toEqual([true, true, false, false]);
  });

  test('is shown in full on nodes, but for 20.04, which nodes have always called Ubuntu', () => {
    expect(effectiveOsSku('Ubuntu2404')).toBe('Ubuntu2404');
    expect(effectiveOsSku('Ubuntu2004')).toBe('Ubuntu');
  });

  test('knows that a second major version follows every minor of the first', () => {
    expect([isMinorAtLeast('2.0.0', 34), isMinorAtLeast('0.99.0', 34)]).toEqual([true, false]);
  });
});
