// Credentials of a cluster. In: whose are asked for. Out: a kubeconfig in base64, from whoever runs the Kubernetes behind the
// cluster. Without one there is nothing to connect to, and AKS says so rather than hand out an address that does not answer.
import { at } from '../../kube/json.ts';
import { ok, type ArmCall, type ArmReply } from '../arm/arm-call.ts';
import type { Resource } from '../store.ts';
import type { ContainerService } from './container-service.ts';
import { aksError, badRequest } from './errors.ts';

type Action = (cluster: Resource, call: ArmCall) => ArmReply;

const names = {
  listClusterAdminCredential: 'clusterAdmin',
  listClusterUserCredential: 'clusterUser',
  listClusterMonitoringUserCredential: 'clusterMonitoringUser',
} as const;

export function credentialActions(service: ContainerService): Readonly<Record<string, Action>> {
  const actions = Object.entries(names).map(([action, name]): [string, Action] => [
    action,
    (cluster) => {
      if (
        name === 'clusterAdmin' &&
        at(cluster.body, 'properties', 'disableLocalAccounts') === true
      ) {
        throw badRequest(
          'Getting static credential is not allowed because this cluster is set to disable local accounts.',
        );
      }
      return ok({ kubeconfigs: [{ name, value: kubeconfigOf(service, cluster) }] });
    },
  ]);
  return Object.fromEntries(actions);
}

function kubeconfigOf(service: ContainerService, cluster: Resource): string {
  const access = service.accessOf(cluster);
  if (access !== undefined) return Buffer.from(access.kubeconfig).toString('base64');
  throw aksError(
    404,
    'NotFound',
    `Could not find the Kubernetes API of managed cluster '${cluster.name}': no Kubernetes was started for it.`,
  );
}
