// Nothing is made in a namespace that is not there or is going away, and the namespaces that a cluster cannot do without
// are not deleted.
import { stringAt } from '../json.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../ports.ts';
import type { Store } from '../store/store.ts';
import { forbidden, notFound, withCauses } from '../status-error.ts';

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export function namespaceLifecycle(store: Store): AdmissionPlugin {
  const check = (request: AdmissionRequest): void => {
    const { operation, namespace, name, group, resource } = request;
    if (group === '' && resource === 'namespaces') {
      if (operation === 'DELETE' && immortal.has(name)) {
        throw forbidden({ group, resource }, name, 'this namespace may not be deleted');
      }
      return;
    }
    if (operation !== 'CREATE' || namespace === '') return;
    const found = store.get('/namespaces', namespace);
    if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    const isLeaving =
      found.metadata.deletionTimestamp !== undefined ||
      stringAt(found, 'status', 'phase') === 'Terminating';
    if (!isLeaving) return;
    throw withCauses(
      forbidden(
        { group, resource },
        name,
        `unable to create new content in namespace ${namespace} because it is being terminated`,
      ),
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
  };
  return {
    name: 'NamespaceLifecycle',
    mutate: (object, request) => {
      check(request);
      return object;
    },
  };
}
