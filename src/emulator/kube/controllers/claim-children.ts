// Which objects belong to a controller. In: the owner, its selector, and candidates of its namespace.
// Out: those it owns, after taking in matching orphans and letting go of owned ones that no longer match.
// 1. An object with another controller is never touched. 2. An owner that is being deleted adopts nobody.
import type { LabelSelector } from '../../../api/meta.ts';
import type { ResourceAddress } from '../api.ts';
import type { ApiObject } from '../object.ts';
import { compileSelector } from '../scheduler/label-selector.ts';
import { controllerOf, controllerReference } from './pods.ts';
import type { Client } from './runtime/client.ts';

export function claimChildren(options: {
  readonly client: Client;
  readonly resource: ResourceAddress;
  readonly owner: ApiObject;
  readonly selector: LabelSelector | undefined;
  readonly candidates: readonly ApiObject[];
}): readonly ApiObject[] {
  const { owner, candidates } = options;
  const matches = compileSelector(options.selector);
  return candidates.flatMap((object) => {
    const controller = controllerOf(object);
    const isMatch = matches(object.metadata.labels ?? {});
    if (controller !== undefined) {
      if (controller.uid !== owner.metadata.uid) return [];
      if (isMatch) return [object];
      if (owner.metadata.deletionTimestamp === undefined) release(options, object);
      return [];
    }
    const adopted = isMatch && canAdopt(owner, object) ? adopt(options, object) : undefined;
    return adopted === undefined ? [] : [adopted];
  });
}

function canAdopt(owner: ApiObject, object: ApiObject): boolean {
  return (
    owner.metadata.deletionTimestamp === undefined &&
    object.metadata.deletionTimestamp === undefined
  );
}

type Claiming = {
  readonly client: Client;
  readonly resource: ResourceAddress;
  readonly owner: ApiObject;
};

function adopt({ client, resource, owner }: Claiming, object: ApiObject): ApiObject | undefined {
  const { namespace, name, uid = '', ownerReferences = [] } = object.metadata;
  const references = [...ownerReferences, controllerReference(owner)];
  const patch = { metadata: { uid, ownerReferences: references } };
  return client.merge(resource, { namespace, name }, patch);
}

function release({ client, resource, owner }: Claiming, object: ApiObject): void {
  const { namespace, name, uid = '', ownerReferences = [] } = object.metadata;
  const kept = ownerReferences.filter((reference) => reference.uid !== owner.metadata.uid);
  client.merge(resource, { namespace, name }, { metadata: { uid, ownerReferences: kept } });
}
