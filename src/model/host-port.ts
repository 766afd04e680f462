// Ports of the host that pods claim. In: pods. Out: their claims and the first clash with those of others.
// Two claims clash when protocol and port are equal and one address covers the other; a pod never clashes
// with itself, so that it may be counted again when it is seen again.
import type { Pod } from '../api/core.ts';
import { isSidecar } from './pod-requests.ts';

export interface HostPort {
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

/** Claims by pod, `namespace/name`. */
export type HostPortUsage = ReadonlyMap<string, readonly HostPort[]>;

export interface HostPortConflict {
  readonly wanted: HostPort;
  readonly taken: HostPort;
}

/**
 * Those of containers that run as long as the pod does: sidecars count, other init containers do not. An address that
 * is not given means all of them.
 */
export function hostPorts({ spec }: Pod): HostPort[] {
  const containers = [...(spec.initContainers ?? []).filter(isSidecar), ...spec.containers];
  return containers.flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP = '', protocol = 'TCP' }) =>
      hostPort === 0 ? [] : [{ ip: plainAddress(hostIP), port: hostPort, protocol }],
    ),
  );
}

export function portConflict(
  usage: HostPortUsage,
  podKey: string,
  wanted: readonly HostPort[],
): HostPortConflict | undefined {
  if (wanted.length === 0) return undefined;
  for (const [key, claims] of usage) {
    if (key === podKey) continue;
    for (const taken of claims) {
      const clash = wanted.find((port) => overlap(port, taken));
      if (clash !== undefined) return { wanted: clash, taken };
    }
  }
  return undefined;
}

export function describePortConflict({ wanted, taken }: HostPortConflict): string {
  const fields = [...portFields('existing', taken), ...portFields('pod', wanted)];
  return `pod hostport conflicts with existing hostport configuration (${fields.join(', ')})`;
}

function overlap(a: HostPort, b: HostPort): boolean {
  return (
    a.port === b.port &&
    a.protocol === b.protocol &&
    (a.ip === b.ip || isUnspecified(a.ip) || isUnspecified(b.ip))
  );
}

function isUnspecified(ip: string): boolean {
  return ip === '0.0.0.0' || ip === '::';
}

/** IPv6 has many spellings of one address; URLs have exactly one. */
function plainAddress(ip: string): string {
  if (ip === '') return '0.0.0.0';
  const url = ip.includes(':') ? URL.parse(`http://[${ip}]`) : null;
  return url === null ? ip : url.hostname.slice(1, -1);
}

function portFields(owner: string, { ip, port, protocol }: HostPort): string[] {
  return [
    `${owner}-hostport-ip=${ip}`,
    `${owner}-hostport-port=${port}`,
    `${owner}-hostport-protocol=${protocol}`,
  ];
}
