// What every cluster has from the start: its namespaces, the two priorities of the system, its own service, and the
// roles that it is given. In: the operations. Out: nothing that is there already is touched, so a restored cluster stays as it was.
import type { KubeApi, RequestContext, ResourceAddress } from './api.ts';
import type { JsonObject } from './json.ts';
import type { ApiObject } from './object.ts';
import { isReason } from './status-error.ts';
import { systemPriorities } from './validation/priority-class.ts';

const context: RequestContext = {
  user: { username: 'system:apiserver', groups: ['system:masters'] },
  fieldManager: 'kube-apiserver',
};

const namespaces: ResourceAddress = { group: '', version: 'v1', resource: 'namespaces' };
const services: ResourceAddress = { group: '', version: 'v1', resource: 'services' };
const priorityClasses: ResourceAddress = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  resource: 'priorityclasses',
};

const accessGroup = 'rbac.authorization.k8s.io';

export function bootstrap(api: KubeApi, policy: readonly ApiObject[] = []): void {
  const ensure = (resource: ResourceAddress, object: JsonObject, namespace?: string): void => {
    try {
      api.create({ context, resource, object, ...(namespace === undefined ? {} : { namespace }) });
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  };
  for (const name of ['kube-system', 'kube-public', 'kube-node-lease', 'default']) {
    ensure(namespaces, { metadata: { name } });
  }
  for (const [name, { value, description }] of Object.entries(systemPriorities)) {
    ensure(priorityClasses, { metadata: { name }, value, description });
  }
  ensure(
    services,
    {
      metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        type: 'ClusterIP',
        clusterIP: '10.0.0.1',
        sessionAffinity: 'None',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
      },
    },
    'default',
  );
  for (const object of policy) {
    const resource = {
      group: accessGroup,
      version: 'v1',
      resource: `${object.kind.toLowerCase()}s`,
    };
    ensure(resource, object, object.metadata.namespace);
  }
}
