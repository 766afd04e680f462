// Resources of whatever type, listed together, as `az resource list` asks. In: a subscription or a group, with Azure's
// filters. Out: id, name, type, location, tags of the tracked ones. A filter that is not understood is refused.
import type { Json } from '../../../api/meta.ts';
import { stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { ArmCall, ArmReply, ResourceType } from '../arm/arm-call.ts';
import { pageReply } from '../arm/paging.ts';
import { groupId } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError } from '../errors.ts';
import type { Resource } from '../store.ts';
import { resourceGroupType } from './resource-groups.ts';

export function genericResources(env: AzureEnvironment): ResourceType[] {
  return [
    {
      type: 'Microsoft.Resources/subscriptions/resources',
      open: ['list'],
      list: (call) => listReply(env, call, `/subscriptions/${call.path.subscriptionId}`),
    },
    {
      type: `${resourceGroupType}/resources`,
      list: (call) =>
        listReply(env, call, groupId(call.path.subscriptionId, call.path.resourceGroup)),
    },
  ];
}

function listReply(env: AzureEnvironment, call: ArmCall, scope: string): ArmReply {
  const wanted = parseFilter(call.query.get('$filter') ?? '');
  const items = env.store
    .below(scope)
    .filter((resource) => isTracked(resource) && wanted(resource))
    .filter(({ id, type }) => env.access.isAllowed(call.caller.objectId, `${type}/read`, id))
    .map((resource) => ({ key: resource.key, json: shown(resource) as Json }));
  return pageReply(call, items, env.pageSize);
}

function isTracked({ type, body }: Resource): boolean {
  return type !== resourceGroupType && stringAt(body, 'location') !== undefined;
}

type Test = (resource: Resource) => boolean;

const fields: Readonly<Record<string, (resource: Resource) => string>> = {
  resourcegroup: (resource) => resource.resourceGroup,
  resourcetype: (resource) => resource.type,
  name: (resource) => resource.name,
  location: (resource) => textAt(resource.body, 'location'),
};

function parseFilter(text: string): Test {
  if (text.trim() === '') return () => true;
  const tag = /^\s*tagName eq '([^']*)'(?:\s+and\s+tagValue eq '([^']*)')?\s*$/i.exec(text);
  if (tag !== null) {
    const [, name = '', value] = tag;
    return ({ body }) => {
      const current = stringAt(body, 'tags', name);
      return current !== undefined && (value === undefined || current === value);
    };
  }
  const tests = text.split(/\s+and\s+/i).map((term) => termOf(term, text));
  return (resource) => tests.every((test) => test(resource));
}

function termOf(term: string, whole: string): Test {
  const [, name = '', operator = '', value = ''] =
    /^\s*(\w+)\s+(eq|ne)\s+'([^']*)'\s*$/i.exec(term) ?? [];
  const read = fields[name.toLowerCase()];
  if (read === undefined) {
    throw new ArmError(
      400,
      'InvalidFilterInQueryString',
      `Invalid $filter '${whole}' specified in the query string.`,
    );
  }
  const isEqual = operator.toLowerCase() === 'eq';
  return (resource) => (read(resource).toLowerCase() === value.toLowerCase()) === isEqual;
}

function shown({ id, name, type, body }: Resource): JsonObject {
  const kept = ['location', 'tags', 'sku', 'kind', 'identity', 'zones', 'managedBy', 'plan'];
  const parts = kept.flatMap((field) => {
    const value = body[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return { id, name, type, ...Object.fromEntries(parts) };
}
