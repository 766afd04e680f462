import { describe, expect, test } from 'vitest';
import { testClass } from './test-node.ts';
import type { AKSNodeClassSpec, KubeletConfiguration } from '../../api/aks-node-class.ts';
import { type BootstrapPath, unsupportedFields } from './unsupported-fields.ts';

const defaults: KubeletConfiguration = {
  cpuManagerPolicy: 'none',
  cpuCFSQuota: true,
  cpuCFSQuotaPeriod: '100ms',
  topologyManagerPolicy: 'none',
  containerLogMaxSize: '50Mi',
  containerLogMaxFiles: 5,
};

const paths: readonly BootstrapPath[] = ['scriptless', 'service', 'machine'];

/** The same for the service as for machines: they are one API. */
function effectsOf(spec: Partial<AKSNodeClassSpec>) {
  return paths.map((path) =>
    unsupportedFields(testClass(spec).spec, path)
      .map(({ effect }) => effect)
      .join(),
  );
}

const everywhere = ['rejected', 'rejected', 'rejected'];
const nowhere = ['', '', ''];
const kubeletWith = (changes: Partial<KubeletConfiguration>) => ({
  kubelet: { ...defaults, ...changes },
});

describe('a setting that nodes would not get', () => {
  test.each<[string, Partial<AKSNodeClassSpec>, string[]]>([
    ['a class without settings', {}, nowhere],
    ['a kubelet with defaults', kubeletWith({}), nowhere],
    ['a period of 1ms', kubeletWith({ cpuCFSQuotaPeriod: '1ms' }), nowhere],
    ['a period of 1s', kubeletWith({ cpuCFSQuotaPeriod: '1s' }), nowhere],
    ['no period', kubeletWith({ cpuCFSQuotaPeriod: '0s' }), nowhere],
    ['a period too short', kubeletWith({ cpuCFSQuotaPeriod: '999us' }), everywhere],
    ['a period too long', kubeletWith({ cpuCFSQuotaPeriod: '1001ms' }), everywhere],
    ['a period that is none', kubeletWith({ cpuCFSQuotaPeriod: 'soon' }), everywhere],
    ['a log size in K', kubeletWith({ containerLogMaxSize: '10K' }), everywhere],
    [
      'a log size below a megabyte',
      kubeletWith({ containerLogMaxSize: '100Ki' }),
      ['', 'rejected', 'rejected'],
    ],
    [
      'a log size between megabytes',
      kubeletWith({ containerLogMaxSize: '50M' }),
      ['', 'altered', 'altered'],
    ],
    ['swap in K', { linuxOSConfig: { swapFileSize: '10K' } }, everywhere],
    ['swap below a megabyte', { linuxOSConfig: { swapFileSize: '1Ki' } }, everywhere],
    [
      'swap between megabytes',
      { linuxOSConfig: { swapFileSize: '1500Ki' } },
      ['altered', 'altered', 'altered'],
    ],
    ['swap of whole megabytes', { linuxOSConfig: { swapFileSize: '1Gi' } }, nowhere],
    ['too many processes', kubeletWith({ podPidsLimit: 2 ** 31 }), ['', 'altered', 'altered']],
    ['as many processes as there can be', kubeletWith({ podPidsLimit: 2 ** 31 - 1 }), nowhere],
    ['any number of processes', kubeletWith({ podPidsLimit: -1 }), nowhere],
  ])('is found in %s', (_, spec, effects) => {
    expect(effectsOf(spec)).toEqual(effects);
  });

  test.each([
    'net.core.somaxconn',
    'net.*',
    'net/ipv4/tcp_syncookies',
    'kernel.shm*',
    'kernel.msgmax',
    'kernel.sem',
    'fs.mqueue.*',
  ])('is not %s, which a kubelet may allow', (sysctl) => {
    expect(effectsOf(kubeletWith({ allowedUnsafeSysctls: [sysctl] }))).toEqual(nowhere);
  });

  test.each([
    'vm.swappiness',
    'kernel.*',
    '*',
    'net.core.somaxconn --v=9',
    '$(reboot)',
    'net..core',
    '',
  ])('is %j, with which a kubelet does not start', (sysctl) => {
    expect(effectsOf(kubeletWith({ allowedUnsafeSysctls: ['net.*', sysctl] }))).toEqual(everywhere);
  });

  const localDNS = (mode: 'Required' | 'Preferred' | 'Disabled') => ({
    localDNS: { mode, vnetDNSOverrides: [], kubeDNSOverrides: [] },
  });

  test.each<[string, Partial<AKSNodeClassSpec>, string[]]>([
    ['on Ubuntu 20.04', { fipsMode: 'FIPS', ...localDNS('Required') }, everywhere],
    ['wished for on Ubuntu 20.04', { fipsMode: 'FIPS', ...localDNS('Preferred') }, nowhere],
    [
      'with FIPS on Azure Linux',
      { imageFamily: 'AzureLinux', fipsMode: 'FIPS', ...localDNS('Required') },
      nowhere,
    ],
    [
      'with FIPS and Trusted Launch',
      { fipsMode: 'FIPS', security: { trustedLaunch: { vtpm: true } }, ...localDNS('Required') },
      nowhere,
    ],
    ['elsewhere', localDNS('Required'), nowhere],
  ])('is found in a DNS cache %s', (_, spec, effects) => {
    expect(effectsOf(spec)).toEqual(effects);
  });

  test('comes with its name, its value, the rule and the way out', () => {
    const spec = testClass({ ...kubeletWith({ cpuCFSQuotaPeriod: '2s' }) }).spec;
    expect(unsupportedFields(spec, 'scriptless')).toEqual([
      {
        field: 'kubelet.cpuCFSQuotaPeriod',
        effect: 'rejected',
        message:
          'spec.kubelet.cpuCFSQuotaPeriod is 2s, but must be between 1ms and 1s, such as 100ms',
      },
    ]);
  });
});
