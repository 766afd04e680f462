// Our custom resources on the real API server that KUBE_CONFORMANCE_KUBECONFIG names; skipped without it.
import { systemClock } from '../../src/base/clock.ts';
import { UndiciTransport } from '../../src/kube/client/undici-transport.ts';
import { loadKubeAccess } from '../../src/kube/config/config.ts';
import { systemHost } from '../../src/kube/config/host.ts';
import { customResourceConformance } from './custom-resources.ts';

const kubeconfig = systemHost.env('KUBE_CONFORMANCE_KUBECONFIG');

customResourceConformance(
  'a real API server',
  kubeconfig === undefined
    ? undefined
    : async () => {
        const access = await loadKubeAccess({ host: systemHost, clock: systemClock, kubeconfig });
        return new UndiciTransport({ access });
      },
);
