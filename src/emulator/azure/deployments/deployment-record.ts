// What is kept of a deployment. In: the request and what it comes to. Out: the record that a GET shows, without its
// state. What a template calls secure is never part of it.
import { createHash } from 'node:crypto';
import type { Json } from '../../../api/meta.ts';
import { objectAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { ArmCall } from '../arm/arm-call.ts';
import { parsePath } from '../arm/resource-id.ts';
import { objectBody } from '../arm/validation.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { PlannedResource } from './template.ts';

export function newRecord(
  env: AzureEnvironment,
  call: ArmCall,
  prepared: { readonly properties: JsonObject; readonly resources: readonly PlannedResource[] },
): JsonObject {
  const location = stringAt(objectBody(call.body), 'location');
  const template = objectAt(prepared.properties, 'template');
  return {
    ...(location === undefined ? {} : { location }),
    properties: {
      mode: textAt(prepared.properties, 'mode'),
      parameters: shownParameters(prepared.properties),
      templateHash: hashOf(JSON.stringify(template)),
      timestamp: new Date(env.clock.now()).toISOString(),
      duration: 'PT0S',
      correlationId: call.correlationId,
      providers: providersOf(prepared.resources),
      dependencies: [],
    },
  };
}

/** A number that changes with the template; not the one that Azure would give. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest().readBigUInt64BE().toString();
}

function providersOf(resources: readonly PlannedResource[]): Json {
  const byNamespace = new Map<string, Set<string>>();
  for (const { id } of resources) {
    const path = parsePath(id);
    if (path === undefined) continue;
    const types = byNamespace.get(path.namespace) ?? new Set<string>();
    byNamespace.set(path.namespace, types.add(path.types.join('/')));
  }
  return Array.from(byNamespace, ([namespace, types]) => ({
    namespace,
    resourceTypes: Array.from(types, (resourceType) => ({ resourceType })),
  }));
}

function shownParameters(properties: JsonObject): JsonObject {
  const declared = objectAt(properties, 'template', 'parameters') ?? {};
  const given = objectAt(properties, 'parameters') ?? {};
  const shown = Object.entries(given).map(([name, parameter]) => {
    const type = textAt(declared, name, 'type');
    return [name, /^secure/i.test(type) ? { type } : parameter] as const;
  });
  return Object.fromEntries(shown);
}
