// Ports of the node itself. In: a pod spec. Out: the (address, protocol, port) it takes, and whether two clash.
// 0.0.0.0 is every address: it clashes with each of them.
import type { PodSpec } from '../../../api/core.ts';

export interface HostPort {
  readonly address: string;
  /** `TCP/8080`. */
  readonly port: string;
}

const everyAddress = '0.0.0.0';

export function hostPortsOf(spec: PodSpec): readonly HostPort[] {
  const sidecars = (spec.initContainers ?? []).filter((c) => c.restartPolicy === 'Always');
  return [...sidecars, ...spec.containers].flatMap((container) =>
    (container.ports ?? [])
      .filter((port) => (port.hostPort ?? 0) > 0)
      .map(({ hostIP = '', protocol = 'TCP', hostPort }) => ({
        address: hostIP === '' ? everyAddress : hostIP,
        port: `${protocol}/${hostPort}`,
      })),
  );
}

export function clash(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port) return false;
  return a.address === b.address || a.address === everyAddress || b.address === everyAddress;
}
