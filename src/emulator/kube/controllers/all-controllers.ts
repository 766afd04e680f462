// Every control loop of the emulated controller manager, in the order in which work flows through a cluster.
// In: what some of them need from outside. Out: factories for a ControllerManager.
import { cronJobController } from './cron-job.ts';
import { daemonSetController } from './daemon-set/daemon-set.ts';
import { deploymentController } from './deployment/deployment.ts';
import { disruptionController } from './disruption-budget.ts';
import { endpointsController } from './endpoints.ts';
import { garbageCollector } from './garbage-collector/garbage-collector.ts';
import { jobController } from './job/job.ts';
import { rootCaPublisher, serviceAccountController } from './namespace-defaults.ts';
import { namespaceController } from './namespace.ts';
import { nodeLifecycleController } from './node/node-lifecycle.ts';
import { taintEvictionController } from './node/taint-eviction.ts';
import { podGarbageCollector } from './pod-garbage.ts';
import { replicaSetController, replicationController } from './replica-set.ts';
import { resourceQuotaController } from './resource-quota.ts';
import type { ControllerFactory } from './runtime/controller.ts';
import type { KindCatalog } from './runtime/kind-catalog.ts';
import { statefulSetController } from './stateful-set/stateful-set.ts';
import { attachDetachController } from './volume/attach-detach.ts';
import { volumeBinder } from './volume/binder.ts';
import { ephemeralVolumeController } from './volume/ephemeral.ts';
import { claimProtection, volumeProtection } from './volume/protection.ts';

export function allControllers(options: {
  /** The kinds that the server serves now, custom ones included. */
  readonly catalog: KindCatalog;
  /** The CA that signs the server's certificate, as PEM. */
  readonly caPem: string;
}): readonly ControllerFactory[] {
  return [
    serviceAccountController,
    rootCaPublisher(options.caPem),
    cronJobController,
    jobController,
    deploymentController,
    replicaSetController,
    replicationController,
    statefulSetController,
    daemonSetController,
    disruptionController(options.catalog),
    ephemeralVolumeController,
    volumeBinder,
    claimProtection,
    volumeProtection,
    attachDetachController,
    endpointsController,
    resourceQuotaController,
    nodeLifecycleController,
    taintEvictionController,
    podGarbageCollector,
    garbageCollector(options.catalog),
    namespaceController(options.catalog),
  ];
}
