// The client's suite against a real API server. Point KUBE_CONFORMANCE_KUBECONFIG at a kubeconfig whose user
// may do everything; the suite makes and removes a namespace and some nodes. Without it the suite is skipped.
import { systemClock } from '../../src/base/clock.ts';
import { loadKubeAccess } from '../../src/kube/config/config.ts';
import { systemHost } from '../../src/kube/config/host.ts';
import type { KubeTransport } from '../../src/kube/client/transport.ts';
import { UndiciTransport } from '../../src/kube/client/undici-transport.ts';
import { kubeClientConformance } from './kube-client.ts';

const kubeconfig = systemHost.env('KUBE_CONFORMANCE_KUBECONFIG');

async function connect(): Promise<KubeTransport> {
  const access = await loadKubeAccess({ host: systemHost, clock: systemClock, kubeconfig });
  return new UndiciTransport({ access });
}

kubeClientConformance(
  'a real API server (the one KUBE_CONFORMANCE_KUBECONFIG names)',
  kubeconfig === undefined ? undefined : connect,
  { binary: true },
);
