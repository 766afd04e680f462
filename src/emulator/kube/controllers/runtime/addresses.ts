// The addresses of the resources that controllers read and write.
import type { ResourceAddress } from '../../api.ts';

const core = (resource: string): ResourceAddress => ({ group: '', version: 'v1', resource });
const apps = (resource: string): ResourceAddress => ({ group: 'apps', version: 'v1', resource });
const batch = (resource: string): ResourceAddress => ({ group: 'batch', version: 'v1', resource });
const storage = (resource: string): ResourceAddress => ({
  group: 'storage.k8s.io',
  version: 'v1',
  resource,
});

export const address = {
  pods: core('pods'),
  nodes: core('nodes'),
  namespaces: core('namespaces'),
  services: core('services'),
  endpoints: core('endpoints'),
  configMaps: core('configmaps'),
  serviceAccounts: core('serviceaccounts'),
  claims: core('persistentvolumeclaims'),
  volumes: core('persistentvolumes'),
  resourceQuotas: core('resourcequotas'),
  replicationControllers: core('replicationcontrollers'),
  deployments: apps('deployments'),
  replicaSets: apps('replicasets'),
  statefulSets: apps('statefulsets'),
  daemonSets: apps('daemonsets'),
  controllerRevisions: apps('controllerrevisions'),
  jobs: batch('jobs'),
  cronJobs: batch('cronjobs'),
  storageClasses: storage('storageclasses'),
  volumeAttachments: storage('volumeattachments'),
  csiDrivers: storage('csidrivers'),
  leases: { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' },
  endpointSlices: { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' },
  budgets: { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' },
  definitions: {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    resource: 'customresourcedefinitions',
  },
} as const satisfies Record<string, ResourceAddress>;
