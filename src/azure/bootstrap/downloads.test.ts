import { describe, expect, test } from 'vitest';
import { azureCniUrl, cniPluginsUrl, credentialProviderUrl, kubeBinaryUrl } from './downloads.ts';

const mirror = 'https://acs-mirror.azureedge.net';

describe('a node downloads', () => {
  test.each(['1.24.5', '1.25.2', '1.26.0', '1.27.1', '1.33.7'])('the binaries of %s', (version) => {
    expect(kubeBinaryUrl(version, 'amd64')).toBe(
      `${mirror}/kubernetes/v${version}/binaries/kubernetes-node-linux-amd64.tar.gz`,
    );
  });

  test.each(['1.34.0', '1.34.0-alpha.1', '1.35.5'])(
    'no binaries of %s: its image knows where',
    (version) => {
      expect(kubeBinaryUrl(version, 'arm64')).toBe('');
    },
  );

  test.each([
    ['1.30.0', '1.30.12'],
    ['1.31.9', '1.31.6'],
    ['1.32.0', '1.32.5'],
    ['1.33.0', '1.33.0'],
    ['1.36.1', '1.33.0'],
  ])('for %s the credential provider %s', (version, provider) => {
    for (const architecture of ['amd64', 'arm64'] as const) {
      expect(credentialProviderUrl(version, architecture)).toBe(
        `${mirror}/cloud-provider-azure/v${provider}/binaries/azure-acr-credential-provider-linux-${architecture}-v${provider}.tar.gz`,
      );
    }
  });

  test.each(['1.28.7', '1.29.2'])('no credential provider for %s', (version) => {
    expect(credentialProviderUrl(version, 'amd64')).toBe('');
  });

  test('the plugins of its network', () => {
    expect([azureCniUrl('arm64'), cniPluginsUrl('amd64')]).toEqual([
      `${mirror}/azure-cni/v1.4.32/binaries/azure-vnet-cni-linux-arm64-v1.4.32.tgz`,
      `${mirror}/cni-plugins/v1.1.1/binaries/cni-plugins-linux-amd64-v1.1.1.tgz`,
    ]);
  });

  test('nothing for a version that is none', () => {
    expect(() => kubeBinaryUrl('latest', 'amd64')).toThrow('a version that is none');
  });
});
