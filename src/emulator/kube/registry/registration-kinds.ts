// apiregistration.k8s.io: which groups and versions there are. They are made by the server for what it serves itself
// (discovery/api-services.ts) and can only be read: nothing is ever passed on to another server.
import { objectAt, objectsAt, textAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { builtIn } from './built-in-kind.ts';
import { column } from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';

function serviceText(object: ApiObject): string {
  const service = objectAt(object, 'spec', 'service');
  return service === undefined
    ? 'Local'
    : `${textAt(service, 'namespace')}/${textAt(service, 'name')}`;
}

function availability(object: ApiObject): string {
  const condition = objectsAt(object, 'status', 'conditions').find(
    (condition) => condition['type'] === 'Available',
  );
  return condition === undefined ? 'Unknown' : textAt(condition, 'status');
}

export const registrationKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'apiregistration.k8s.io',
    kind: 'APIService',
    plural: 'apiservices',
    namespaced: false,
    categories: ['api-extensions'],
    verbs: ['get', 'list', 'watch'],
    columns: [column('Service', serviceText), column('Available', availability)],
  }),
];
