import { describe, expect, test } from 'vitest';
import { sysctlConfig } from './sysctl-config.ts';
import { sysctlNames } from './sysctl-names.ts';

const aksDefaults = `net.ipv4.tcp_retries2=8
net.core.message_burst=80
net.core.message_cost=40
net.core.somaxconn=16384
net.ipv4.tcp_max_syn_backlog=16384
net.ipv4.neigh.default.gc_thresh1=4096
net.ipv4.neigh.default.gc_thresh2=8192
net.ipv4.neigh.default.gc_thresh3=16384
`;

describe('the sysctls of a node', () => {
  test('are those of AKS when the class sets none', () => {
    expect(sysctlConfig(undefined)).toBe(aksDefaults);
    expect(sysctlConfig({})).toBe(aksDefaults);
  });

  test('are those of the class in place of and beside them', () => {
    expect(
      sysctlConfig({ netCoreSomaxconn: 4096, vmMaxMapCount: 65_530, netIPv4TCPTwReuse: true }),
    ).toBe(
      `${aksDefaults.replace('somaxconn=16384', 'somaxconn=4096')}net.ipv4.tcp_tw_reuse=1\nvm.max_map_count=65530\n`,
    );
    expect(sysctlConfig({ netIPv4TCPTwReuse: false })).toContain('net.ipv4.tcp_tw_reuse=0\n');
    expect(sysctlConfig({ vmSwappiness: 0 })).toContain('vm.swappiness=0\n');
  });

  test("keep Azure's agent out of a range of ports that covers it", () => {
    const reserved = 'net.ipv4.ip_local_reserved_ports=65330\n';
    expect(sysctlConfig({ netIPv4IPLocalPortRange: '1024 65535' })).toContain(
      `net.ipv4.ip_local_port_range=1024 65535\n${reserved}`,
    );
    expect(sysctlConfig({ netIPv4IPLocalPortRange: '1024 65330' })).not.toContain(reserved);
  });

  test('have one name each', () => {
    const names = Object.values(sysctlNames);
    expect(new Set(names.map(({ kernel }) => kernel)).size).toBe(names.length);
    expect(new Set(names.map(({ wire }) => wire)).size).toBe(names.length);
  });
});
