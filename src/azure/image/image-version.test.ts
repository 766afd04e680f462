import { describe, expect, test } from 'vitest';
import { isNewerImageVersion, newestByDefinition, newestPublished } from './image-version.ts';

describe('a version of an image', () => {
  test.each([
    ['202308.28.0', '202411.12.0', false],
    ['202411.12.0', '202308.28.0', true],
    ['202202.08.29', '202405.20.0', false],
    ['202405.20.0', '202404.09.0', true],
    ['2022.10.03', '2022.12.15', false],
    ['2022.12.15', '2022.10.03', true],
    ['202411.12.0', '2022.12.15', true],
    ['202411.12.0', '202411.12.0', false],
    ['202411.9.0', '202411.12.0', false],
    ['202411.12.0', '202411.12', true],
    ['202411.12', '202411.12.0', false],
    ['2o2411.12.0', '202411.12.0', false],
    ['202411.12.0', '2o2411.12.0', false],
  ])('%s, beside %s, is newer: %s', (version, other, expected) => {
    expect(isNewerImageVersion(version, other)).toBe(expected);
  });
});

describe('the newest version', () => {
  test('in a community gallery is the one published last, however it is called', () => {
    expect(
      newestPublished([
        { name: '202601.01.0', publishedDate: '2026-01-02T00:00:00Z' },
        { name: '202512.01.1', publishedDate: '2026-01-03T00:00:00+00:00' },
        { name: '202511.01.0', publishedDate: '2025-11-02T00:00:00Z' },
      ]),
    ).toBe('202512.01.1');
    expect(newestPublished([])).toBeUndefined();
  });

  test('is found for each definition, in whatever order AKS lists them', () => {
    const rows = [
      { os: 'AKSUbuntu', sku: '2204gen2containerd', version: '2022.10.03' },
      { os: 'AKSUbuntu', sku: '2204gen2containerd', version: '202411.12.0' },
      { os: 'AKSUbuntu', sku: '2204containerd', version: '202411.12.0' },
      { os: 'AKSAzureLinux', sku: 'V3gen2', version: '202410.09.0' },
    ];
    const newest = {
      'AKSUbuntu/2204gen2containerd': '202411.12.0',
      'AKSUbuntu/2204containerd': '202411.12.0',
      'AKSAzureLinux/V3gen2': '202410.09.0',
    };
    expect(Object.fromEntries(newestByDefinition(rows))).toEqual(newest);
    expect(Object.fromEntries(newestByDefinition(rows.toReversed()))).toEqual(newest);
  });
});
