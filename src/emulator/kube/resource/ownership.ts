// Who set which field: keeps metadata.managedFields true on every write. In: the object before and after, and
// who writes. Out: the object with its new managedFields.
import { toTimestamp } from '../../../base/clock.ts';
import type { RequestContext } from '../api.ts';
import { apiVersionOf, parseApiVersion, type ApiObject } from '../object.ts';
import type { WriteContext } from '../patch/field-manager.ts';
import { ownableFields } from '../patch/reset-fields.ts';
import { trackUpdate } from '../patch/track-update.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { Environment } from './environment.ts';

export interface Writing {
  readonly kind: ResourceKind;
  readonly subresource: string;
  readonly context: RequestContext;
}

export function writeContext(env: Environment, writing: Writing): WriteContext | undefined {
  const { kind, subresource, context } = writing;
  const schema = env.schemaOf(kind);
  if (schema === undefined) return undefined;
  const { group, plural: resource, custom } = kind;
  return {
    schema,
    apiVersion: apiVersionOf(group, kind.version),
    manager: context.fieldManager ?? 'unknown',
    subresource,
    time: toTimestamp(env.clock.now()),
    ownable: ownableFields({
      group,
      resource,
      subresource,
      ...(custom === undefined ? {} : { customStatus: custom.hasStatus }),
    }),
    hasVersion: (apiVersion) => {
      const version = parseApiVersion(apiVersion);
      return (
        version?.group === group &&
        env.registry.find(group, version.version, resource) !== undefined
      );
    },
  };
}

export function trackOwnership(
  env: Environment,
  writing: Writing,
  objects: { readonly before: ApiObject | undefined; readonly after: ApiObject },
): ApiObject {
  const context = writeContext(env, writing);
  if (context === undefined) return objects.after;
  return trackUpdate({ ...context, live: objects.before, updated: objects.after }) as ApiObject;
}
