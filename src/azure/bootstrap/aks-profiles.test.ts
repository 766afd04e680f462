import { describe, expect, test } from 'vitest';
import { testClass } from './test-node.ts';
import type { KubeletConfiguration, LocalDns } from '../../api/aks-node-class.ts';
import { kubeletProfile } from './kubelet-profile.ts';
import { linuxOsProfile } from './linux-os-profile.ts';
import { localDnsProfile } from './local-dns-profile.ts';
import { sysctlNames } from './sysctl-names.ts';

const defaults: KubeletConfiguration = {
  cpuManagerPolicy: 'none',
  cpuCFSQuota: true,
  cpuCFSQuotaPeriod: '100ms',
  topologyManagerPolicy: 'none',
  containerLogMaxSize: '50Mi',
  containerLogMaxFiles: 5,
};

describe('the kubelet of a class, for AKS', () => {
  test('says only what the class does', () => {
    expect(kubeletProfile(defaults)).toEqual({
      cpuManagerPolicy: 'none',
      cpuCfsQuota: true,
      cpuCfsQuotaPeriod: '100ms',
      topologyManagerPolicy: 'none',
      containerLogMaxSizeMB: 50,
      containerLogMaxFiles: 5,
    });
  });

  test('says everything the class does', () => {
    const more = {
      ...defaults,
      imageGCHighThresholdPercent: 42,
      imageGCLowThresholdPercent: 0,
      allowedUnsafeSysctls: ['net.core.somaxconn'],
      podPidsLimit: 5_000_000_000,
      failSwapOn: false,
      cpuCFSQuotaPeriod: '1s',
      containerLogMaxSize: '1Gi',
    };
    expect(kubeletProfile(more)).toMatchObject({
      imageGcHighThreshold: 42,
      imageGcLowThreshold: 0,
      allowedUnsafeSysctls: ['net.core.somaxconn'],
      podMaxPids: 2_147_483_647,
      failSwapOn: false,
      cpuCfsQuotaPeriod: '1s',
      containerLogMaxSizeMB: 1024,
    });
  });

  test('leaves out an empty list, a period of zero, and a size that cannot be read', () => {
    const empty = {
      ...defaults,
      allowedUnsafeSysctls: [],
      cpuCFSQuotaPeriod: '0s',
      containerLogMaxSize: '10K',
    };
    expect(Object.keys(kubeletProfile(empty))).toEqual([
      'cpuManagerPolicy',
      'cpuCfsQuota',
      'topologyManagerPolicy',
      'containerLogMaxFiles',
    ]);
  });
});

describe('the kernel of a class, for AKS', () => {
  test.each([
    [{}, {}],
    [{ swapFileSize: '2Gi' }, { swapFileSizeMB: 2048 }],
    [{ transparentHugePageEnabled: 'madvise' } as const, { transparentHugePageEnabled: 'madvise' }],
    [
      { transparentHugePageDefrag: 'defer+madvise' } as const,
      { transparentHugePageDefrag: 'defer+madvise' },
    ],
    [{ sysctls: { vmSwappiness: 0 } }, { sysctls: { vmSwappiness: 0 } }],
    [
      {
        sysctls: {
          netIPv4TCPKeepaliveIntvl: 75,
          netIPv4TCPTwReuse: false,
          netIPv4IPLocalPortRange: '1024 60999',
        },
      },
      {
        sysctls: {
          netIpv4TcpkeepaliveIntvl: 75,
          netIpv4TcpTwReuse: false,
          netIpv4IpLocalPortRange: '1024 60999',
        },
      },
    ],
  ])('%j is %j', (linux, profile) => {
    expect(linuxOsProfile(linux)).toEqual(profile);
  });

  test('has a name for every sysctl', () => {
    const all = Object.fromEntries(Object.keys(sysctlNames).map((field, i) => [field, i]));
    const { sysctls = {} } = linuxOsProfile({ sysctls: all });
    expect(Object.keys(sysctls)).toEqual(Object.values(sysctlNames).map(({ wire }) => wire));
  });
});

describe('the DNS cache of a class, for AKS', () => {
  const override = {
    zone: '.',
    queryLogging: 'Error',
    protocol: 'PreferUDP',
    forwardDestination: 'VnetDNS',
    forwardPolicy: 'Sequential',
    maxConcurrent: 0,
    cacheDuration: '1h30m',
    serveStaleDuration: '0s',
    serveStale: 'Disable',
  } as const;
  const localDns = (mode: LocalDns['mode']): LocalDns => ({
    mode,
    vnetDNSOverrides: [override],
    kubeDNSOverrides: [],
  });

  test('is absent for a class without one', () => {
    expect(localDnsProfile(testClass())).toBeUndefined();
  });

  test.each([
    ['Required', 'Disabled', 'Required'],
    ['Disabled', 'Enabled', 'Disabled'],
    ['Preferred', 'Enabled', 'Required'],
    ['Preferred', 'Disabled', 'Disabled'],
    ['Preferred', undefined, 'Disabled'],
  ] as const)('%s with state %s is sent as %s', (mode, localDNSState, sent) => {
    const status = localDNSState === undefined ? {} : { localDNSState };
    expect(localDnsProfile(testClass({ localDNS: localDns(mode) }, status))?.mode).toBe(sent);
  });

  test('has overrides by zone, with durations in seconds, zero among them', () => {
    expect(localDnsProfile(testClass({ localDNS: localDns('Required') }))).toEqual({
      mode: 'Required',
      vnetDNSOverrides: {
        '.': {
          queryLogging: 'Error',
          protocol: 'PreferUDP',
          forwardDestination: 'VnetDNS',
          forwardPolicy: 'Sequential',
          maxConcurrent: 0,
          cacheDurationInSeconds: 5400,
          serveStaleDurationInSeconds: 0,
          serveStale: 'Disable',
        },
      },
    });
  });

  test('has either list', () => {
    const kubeDNSOverrides = [{ ...override, zone: 'cluster.local', cacheDuration: '2h15m30s' }];
    const localDNS = { mode: 'Required', vnetDNSOverrides: [], kubeDNSOverrides } as const;
    expect(localDnsProfile(testClass({ localDNS }))).toMatchObject({
      kubeDNSOverrides: { 'cluster.local': { cacheDurationInSeconds: 8130 } },
    });
  });
});
