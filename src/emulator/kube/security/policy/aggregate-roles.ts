// Keeps gathered cluster roles up to date with what they are gathered from. In: changes to cluster roles.
// Out: the rules that `admin`, `edit`, `view` and their like should have.
import type { ResourceAddress } from '../../api.ts';
import type { Again, ControllerFactory } from '../../controllers/runtime/controller.ts';
import { aggregatedRules } from './aggregation.ts';

const clusterRoles: ResourceAddress = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'clusterroles',
};

export function aggregateClusterRoles(): ControllerFactory {
  return ({ informers, client, enqueue }) => {
    const roles = informers.of(clusterRoles);
    roles.onChange(() => {
      for (const role of roles.values()) {
        if (role['aggregationRule'] !== undefined) enqueue(role.metadata.name);
      }
    });
    return {
      name: 'clusterrole-aggregation-controller',
      reconcile(key): Again {
        const role = roles.get(key);
        const rules = role === undefined ? undefined : aggregatedRules(role, [...roles.values()]);
        if (rules !== undefined) client.merge(clusterRoles, { name: key }, { rules });
        return undefined;
      },
    };
  };
}
