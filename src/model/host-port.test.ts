import { describe, expect, test } from 'vitest';
import type { ContainerPort, Pod } from '../api/core.ts';
import { describePortConflict, type HostPort, hostPorts, portConflict } from './host-port.ts';

function pod(...ports: readonly ContainerPort[]): Pod {
  return { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', ports }, { name: 'd' }] } };
}

const claim = (port: Partial<HostPort>): HostPort => ({
  ip: '0.0.0.0',
  port: 80,
  protocol: 'TCP',
  ...port,
});

test('a pod claims the host ports of its regular containers', () => {
  const claims = hostPorts(
    pod(
      { containerPort: 8080 },
      { hostPort: 0 },
      { hostPort: 80 },
      { hostPort: 81, hostIP: '10.0.0.1', protocol: 'UDP' },
      { hostPort: 82, hostIP: '0:0:0:0:0:0:0:0' },
      { hostPort: 83, hostIP: 'FE80::0:1' },
      { hostPort: 84, hostIP: 'not:an:address' },
    ),
  );
  expect(claims).toEqual([
    claim({}),
    claim({ ip: '10.0.0.1', port: 81, protocol: 'UDP' }),
    claim({ ip: '::', port: 82 }),
    claim({ ip: 'fe80::1', port: 83 }),
    claim({ ip: 'not:an:address', port: 84 }),
  ]);
});

test('a pod claims the host ports of its sidecars, not those of init containers that end', () => {
  const claims = hostPorts({
    metadata: { name: 'p' },
    spec: {
      containers: [{ name: 'c', ports: [{ hostPort: 80 }] }],
      initContainers: [
        { name: 'ends', ports: [{ hostPort: 81 }] },
        { name: 'ends too', restartPolicy: 'OnFailure', ports: [{ hostPort: 82 }] },
        { name: 'sidecar', restartPolicy: 'Always', ports: [{ hostPort: 83 }] },
      ],
    },
  });
  expect(claims.map(({ port }) => port)).toEqual([83, 80]);
});

describe('two claims', () => {
  test.each<[Partial<HostPort>, Partial<HostPort>, boolean]>([
    [{}, {}, true],
    [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }, true],
    [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }, false],
    [{ ip: '10.0.0.1' }, { ip: '0.0.0.0' }, true],
    [{ ip: '::' }, { ip: '10.0.0.1' }, true],
    [{ ip: 'fe80::1' }, { ip: 'fe80::2' }, false],
    [{ port: 80 }, { port: 81 }, false],
    [{ protocol: 'TCP' }, { protocol: 'UDP' }, false],
  ])('%j and %j clash: %s', (a, b, expected) => {
    const usage = new Map([['ns/other', [claim(a)]]]);
    expect(portConflict(usage, 'ns/p', [claim(b)]) !== undefined).toBe(expected);
  });

  test('of one pod do not clash, and no claim clashes with nothing', () => {
    const usage = new Map([['ns/p', [claim({})]]]);
    expect(portConflict(usage, 'ns/p', [claim({})])).toBeUndefined();
    expect(portConflict(usage, 'ns/q', [])).toBeUndefined();
  });

  test('the text names both', () => {
    const usage = new Map([['ns/other', [claim({ port: 1 }), claim({})]]]);
    const conflict = portConflict(usage, 'ns/p', [claim({ ip: '10.0.0.1' })])!;
    expect(describePortConflict(conflict)).toBe(
      'pod hostport conflicts with existing hostport configuration (existing-hostport-ip=0.0.0.0, ' +
        'existing-hostport-port=80, existing-hostport-protocol=TCP, pod-hostport-ip=10.0.0.1, ' +
        'pod-hostport-port=80, pod-hostport-protocol=TCP)',
    );
  });
});
