// ResourceQuota status: what is used of what is allowed. In: quotas and the objects of their namespace. Out: status.
// Counts are of what exists; keeping new objects within the quota is the server's admission, not this loop's.
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../../../model/quantity.ts';
import { hasScopes, isInScopes } from '../admission/quota-scope.ts';
import type { ResourceAddress } from '../api.ts';
import { objectsAt, stringAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { claimOf, podOf } from '../scheduler/objects.ts';
import { claimClass } from '../scheduler/volume-match.ts';
import { address } from './runtime/addresses.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from './runtime/controller.ts';
import { objectKey, type Informer } from './runtime/informer.ts';
import { writeStatus } from './runtime/status.ts';

/** Plain counts, by the name that a quota uses. */
const counted: Readonly<Record<string, ResourceAddress>> = {
  services: address.services,
  configmaps: address.configMaps,
  persistentvolumeclaims: address.claims,
  replicationcontrollers: address.replicationControllers,
  resourcequotas: address.resourceQuotas,
  secrets: { group: '', version: 'v1', resource: 'secrets' },
  'count/deployments.apps': address.deployments,
  'count/replicasets.apps': address.replicaSets,
  'count/statefulsets.apps': address.statefulSets,
  'count/jobs.batch': address.jobs,
  'count/cronjobs.batch': address.cronJobs,
  'count/pods': address.pods,
  'count/services': address.services,
  'count/configmaps': address.configMaps,
  'count/persistentvolumeclaims': address.claims,
};

export const resourceQuotaController: ControllerFactory = (context) =>
  new ResourceQuotaController(context);

class ResourceQuotaController implements Controller {
  readonly name = 'resourcequota-controller';
  readonly #context: ControllerContext;
  readonly #quotas: Informer;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#quotas = context.informers.of(address.resourceQuotas);
    this.#quotas.addIndex('namespace', (quota) => [quota.metadata.namespace ?? '']);
    this.#quotas.onChange(({ before, after }) => {
      const quota = after ?? before;
      if (quota !== undefined) context.enqueue(objectKey(quota));
    });
    for (const resource of new Set([...Object.values(counted), address.pods])) {
      context.informers.of(resource).onChange(({ before, after }) => {
        const namespace = (after ?? before)?.metadata.namespace ?? '';
        for (const quota of this.#quotas.indexed('namespace', namespace)) {
          context.enqueue(objectKey(quota));
        }
      });
    }
  }

  reconcile(key: string): Again {
    const quota = this.#quotas.get(key);
    if (quota === undefined) return undefined;
    const { hard = {} } = (quota['spec'] ?? {}) as { hard?: Readonly<Record<string, string>> };
    const used = Object.fromEntries(
      Object.keys(hard).map((resource) => [resource, this.#used(resource, quota)]),
    );
    const { client } = this.#context;
    const status = { hard, used };
    writeStatus(client, address.resourceQuotas, quota, { status, spelledOut: [] });
    return undefined;
  }

  #used(resource: string, quota: ApiObject): string {
    const { namespace = '' } = quota.metadata;
    const direct = counted[resource];
    if (direct !== undefined && !hasScopes(quota)) return `${this.#in(direct, namespace).length}`;
    if (resource === 'requests.storage' || resource.includes('.storageclass.storage.k8s.io/')) {
      return this.#usedStorage(resource, namespace);
    }
    const pods = this.#in(address.pods, namespace).filter(
      (pod) => isLive(pod) && isInScopes(quota, pod),
    );
    if (resource === 'pods' || resource === 'count/pods') return `${pods.length}`;
    return sum(pods.flatMap((pod) => podAmounts(pod, resource)));
  }

  #usedStorage(resource: string, namespace: string): string {
    const [className] = resource.split('.storageclass.storage.k8s.io/');
    const claims = this.#in(address.claims, namespace).filter(
      (claim) => resource === 'requests.storage' || claimClass(claimOf(claim)) === className,
    );
    if (resource.endsWith('/persistentvolumeclaims')) return `${claims.length}`;
    return sum(
      claims.flatMap((claim) => {
        const size = claimOf(claim).spec.resources?.requests?.['storage'];
        return size === undefined ? [] : [parseQuantity(size)];
      }),
    );
  }

  #in(resource: ResourceAddress, namespace: string): readonly ApiObject[] {
    return [...this.#context.informers.of(resource).values()].filter(
      (object) => object.metadata.namespace === namespace,
    );
  }
}

function isLive(pod: ApiObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return phase !== 'Succeeded' && phase !== 'Failed';
}

/** `cpu` and `requests.cpu` are the same; `limits.` asks the other list. */
function podAmounts(pod: ApiObject, resource: string): readonly Quantity[] {
  const list = resource.startsWith('limits.') ? 'limits' : 'requests';
  const name = resource.replace(/^(limits|requests)\./, '');
  const { overhead } = podOf(pod).spec;
  const extra = overhead?.[name] === undefined ? [] : [parseQuantity(overhead[name])];
  return objectsAt(pod, 'spec', 'containers')
    .flatMap((container) => {
      const amounts = (container['resources'] ?? {}) as Record<string, Record<string, string>>;
      const text = amounts[list]?.[name];
      return text === undefined ? [] : [parseQuantity(text)];
    })
    .concat(extra);
}

function sum(quantities: readonly Quantity[]): string {
  const zero: Quantity = { nano: 0n, format: 'DecimalSI' };
  return formatQuantity(quantities.reduce(addQuantities, zero));
}
