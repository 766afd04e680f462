// One resource naming another. In: an id out of a body. Out: the resource that is meant, or the refusal of the network
// provider. Parts of a resource that are written inside it (backend pools, frontend configurations) count as there.
import { objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import { parentOf, parseResourceId, toKey, typeOf, type ResourceId } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { Resource } from '../store.ts';
import { invalidFormat, invalidReference } from './errors.ts';
import { checkPartNames } from './part-names.ts';

export interface Reference {
  readonly id: string;
  /** What it must be. */
  readonly type: string;
  /** Who names it. */
  readonly from: string;
  /** Both must be in one region; not checked when absent. */
  readonly location?: string;
}

/** The resource, or for a part of one: the resource that it is written in. */
export function requireReference(env: AzureEnvironment, reference: Reference): Resource {
  const parsed = checkedId(reference);
  const found = env.store.get(parsed.text) ?? ownerOfPart(env, parsed);
  const location = textAt(found?.body, 'location');
  const isElsewhere =
    reference.location !== undefined && location !== '' && location !== reference.location;
  if (found === undefined || isElsewhere) throw invalidReference(reference.id, reference.from);
  return found;
}

function checkedId({ id, type }: Reference): ResourceId {
  const parsed = parseResourceId(id);
  if (parsed === undefined || parsed.resourceGroup === '') {
    throw invalidFormat(
      'InvalidJsonReferenceFormat',
      `Reference Id ${id} is not formatted correctly. The Id is expected to reference resources of type ${type.split('/').at(-1)}. Path properties.`,
    );
  }
  if (typeOf(parsed).toLowerCase() !== type.toLowerCase()) {
    throw invalidFormat(
      'InvalidJsonReferenceWrongType',
      `Reference Id ${id} is referencing resource of a wrong type. The Id is expected to reference resources of type ${type.split('/').at(-1)}. Path properties.`,
    );
  }
  return parsed;
}

function ownerOfPart(env: AzureEnvironment, part: ResourceId): Resource | undefined {
  const ownerId = parentOf(part);
  const owner = ownerId === undefined ? undefined : env.store.get(ownerId);
  const properties = objectAt(owner?.body, 'properties') ?? {};
  const type = part.types.at(-1)?.toLowerCase();
  const name = part.names.at(-1)?.toLowerCase();
  const list = Object.keys(properties).find((field) => field.toLowerCase() === type);
  const parts = list === undefined ? [] : objectsAt(properties, list);
  return parts.some((one) => textAt(one, 'name').toLowerCase() === name) ? owner : undefined;
}

/** `{id}` below a field. */
export function referenceAt(value: JsonObject | undefined, field: string): string | undefined {
  return stringAt(value, 'properties', field, 'id');
}

export function isSameId(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && toKey(a) === toKey(b);
}

/** The parts of a resource that are written inside it, each with the id, type and state that Azure gives it. */
export function withPartIds(
  ownerId: string,
  ownerType: string,
  options: { readonly properties: JsonObject; readonly lists: readonly string[] },
): JsonObject {
  const { properties, lists } = options;
  for (const list of lists) checkPartNames(ownerId, list, objectsAt(properties, list));
  const parts = lists.map((list) => [
    list,
    objectsAt(properties, list).map((part) => ({
      ...part,
      id: `${ownerId}/${list}/${textAt(part, 'name')}`,
      type: `${ownerType}/${list}`,
      properties: {
        ...(part['properties'] as JsonObject | undefined),
        provisioningState: 'Succeeded',
      },
    })),
  ]);
  return { ...properties, ...(Object.fromEntries(parts) as JsonObject) };
}
