// One version of a custom resource as a row of the registry. In: its definition. Out: a kind that is served like any
// other, its rules taken from the schema.
import type { OpenApiSchema } from '../../../api/crd/open-api.ts';
import { compileSchema } from '../../../api/crd/validation/validate.ts';
import type { Json } from '../../../api/meta.ts';
import {
  at,
  countAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  textAt,
  without,
  withValue,
  type JsonObject,
} from '../json.ts';
import { apiVersionOf, type ApiObject } from '../object.ts';
import { age, ageColumn, nameColumn } from '../registry/columns.ts';
import type {
  Column,
  ResourceKind,
  Scaling,
  Strategy,
  Subresource,
  Verb,
} from '../registry/resource-kind.ts';
import { withStatusOf } from '../registry/status-rules.ts';
import { customResourceSchema } from '../schema/custom-resource-schema.ts';
import type { TypeSchemas } from '../schema/type-schemas.ts';
import { defaultStrategy } from '../registry/default-strategy.ts';
import { parseJsonPath } from './json-path.ts';

/** In the order in which the real server lists them for custom resources. */
const verbs: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];
const viewVerbs: readonly Verb[] = ['get', 'patch', 'update'];

type CellReader = (found: Json, nowMs: number) => Json;

const cellReaders: Readonly<Record<Column['type'], CellReader>> = {
  string: (found) => scalarText(found),
  date: (found, nowMs) => (typeof found === 'string' ? age(found, nowMs) : null),
  integer: (found) => (typeof found === 'number' ? Math.trunc(found) : null),
  number: (found) => (typeof found === 'number' ? found : null),
  boolean: (found) => (typeof found === 'boolean' ? found : null),
};

function cellValue(found: Json | undefined, type: Column['type'], nowMs: number): Json {
  return found === undefined ? null : cellReaders[type](found, nowMs);
}

function columnsOf(version: JsonObject): readonly Column[] {
  const own = objectsAt(version, 'additionalPrinterColumns');
  if (own.length === 0) return [nameColumn, ageColumn];
  const columns = own.map((row): Column => {
    const path = textAt(row, 'jsonPath');
    const read = parseJsonPath(path);
    const type = (stringAt(row, 'type') ?? 'string') as Column['type'];
    const description = stringAt(row, 'description');
    return {
      name: textAt(row, 'name'),
      type,
      format: textAt(row, 'format'),
      description: description ?? `Custom resource definition column (in JSONPath format): ${path}`,
      priority: countAt(row, 'priority'),
      cell: (object, nowMs) => cellValue(read(object)[0], type, nowMs),
    };
  });
  return [nameColumn, ...columns];
}

function scalingOf(version: JsonObject): Scaling | undefined {
  const scale = objectAt(version, 'subresources', 'scale');
  if (scale === undefined) return undefined;
  const pathOf = (field: string): readonly string[] =>
    textAt(scale, field)
      .split('.')
      .filter((step) => step !== '');
  const wanted = pathOf('specReplicasPath');
  const current = pathOf('statusReplicasPath');
  const selector = pathOf('labelSelectorPath');
  return {
    replicas: (object) => numberAt(object, ...wanted),
    currentReplicas: (object) => countAt(object, ...current),
    selector: (object) => (selector.length === 0 ? undefined : stringAt(object, ...selector)),
    withReplicas: (object, replicas) => withValue(object, wanted, replicas),
  };
}

/** Status is written through its own door only; without one it is a field like any other. */
function statusRules(hasStatus: boolean): Strategy {
  if (!hasStatus) return { generation: 'all' };
  return {
    generation: 'all-but-status',
    prepareForCreate: (object) => without(object, 'status'),
    prepareForUpdate: withStatusOf,
    prepareForStatusUpdate: (object, before) => {
      const { managedFields } = object.metadata;
      const metadata =
        managedFields === undefined ? before.metadata : { ...before.metadata, managedFields };
      const { status } = object;
      const rest = without(before, 'status');
      return status === undefined ? { ...rest, metadata } : { ...rest, status, metadata };
    },
  };
}

function subresourcesOf(hasStatus: boolean, scaling: Scaling | undefined): readonly Subresource[] {
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return [
    ...(hasStatus ? [{ name: 'status', verbs: viewVerbs }] : []),
    ...(scaling === undefined ? [] : [{ name: 'scale', verbs: viewVerbs, kind: scale }]),
  ];
}

function deprecationOf(definition: ApiObject, version: JsonObject): { deprecation?: string } {
  if (at(version, 'deprecated') !== true) return {};
  const own = stringAt(version, 'deprecationWarning');
  if (own !== undefined) return { deprecation: own };
  const group = textAt(definition, 'spec', 'group');
  const kind = textAt(definition, 'spec', 'names', 'kind');
  const better = objectsAt(definition, 'spec', 'versions').find(
    (other) => at(other, 'served') === true && at(other, 'deprecated') !== true,
  );
  const advice = better === undefined ? '' : `; use ${group}/${textAt(better, 'name')} ${kind}`;
  return {
    deprecation: `${group}/${textAt(version, 'name')} ${kind} is deprecated${advice}`,
  };
}

/** Between versions only the apiVersion changes; defaults of this version are shown, whatever was stored. */
function conversion(options: {
  readonly apiVersion: string;
  readonly storedAs: string;
  readonly fill: (object: ApiObject) => ApiObject;
}): NonNullable<ResourceKind['convert']> {
  const { apiVersion, storedAs, fill } = options;
  const shown = new WeakMap<ApiObject, ApiObject>();
  return {
    fromStorage: (stored) => {
      let object = shown.get(stored);
      if (object === undefined) {
        object = fill(stored.apiVersion === apiVersion ? stored : { ...stored, apiVersion });
        shown.set(stored, object);
      }
      return object;
    },
    toStorage: (object) =>
      object.apiVersion === storedAs ? object : { ...object, apiVersion: storedAs },
  };
}

export function customKind(
  definition: ApiObject,
  version: JsonObject,
  builtIn: TypeSchemas,
): ResourceKind {
  const spec = objectAt(definition, 'spec') ?? {};
  const names = objectAt(spec, 'names') ?? {};
  const text = (field: string): string => textAt(names, field);
  const texts = (field: string): readonly string[] =>
    listAt(names, field).filter((item) => typeof item === 'string');
  const group = textAt(spec, 'group');
  const name = textAt(version, 'name');
  const storage = objectsAt(spec, 'versions').find((item) => at(item, 'storage') === true);
  const openApi = (objectAt(version, 'schema', 'openAPIV3Schema') ?? {}) as OpenApiSchema;
  const hasStatus = at(version, 'subresources', 'status') !== undefined;
  const scaling = scalingOf(version);
  const scale = objectAt(version, 'subresources', 'scale') as
    | { specReplicasPath: string; statusReplicasPath: string }
    | undefined;
  const compiled = compileSchema(openApi, { scale });
  const fill = (object: ApiObject): ApiObject => compiled.applyDefaults(object) as ApiObject;
  return {
    group,
    version: name,
    kind: text('kind'),
    listKind: text('listKind'),
    plural: text('plural'),
    singular: text('singular'),
    shortNames: texts('shortNames'),
    categories: texts('categories'),
    namespaced: stringAt(spec, 'scope') === 'Namespaced',
    verbs,
    subresources: subresourcesOf(hasStatus, scaling),
    columns: columnsOf(version),
    fieldSelectors: selectorsOf(version),
    storage: `${group}/${text('plural')}`,
    ...deprecationOf(definition, version),
    ...(scaling === undefined ? {} : { scaling }),
    ...(definition.metadata.deletionTimestamp === undefined ? {} : { isTerminating: true }),
    storageVersion: stringAt(storage, 'name') ?? name,
    custom: {
      schema: customResourceSchema({
        openApi,
        kind: { group, version: name, kind: text('kind') },
        builtIn,
      }),
      hasStatus,
    },
    convert: conversion({
      apiVersion: apiVersionOf(group, name),
      storedAs: apiVersionOf(group, stringAt(storage, 'name') ?? name),
      fill,
    }),
    strategy: {
      ...defaultStrategy,
      allowUnconditionalUpdate: false,
      defaults: fill,
      ...statusRules(hasStatus),
      validate: (object) => compiled.validate(object),
      validateUpdate: (object, before) => compiled.validate(object, before),
      validateStatusUpdate: (object, before) => compiled.validateStatus(object, before),
    },
  };
}

function selectorsOf(version: JsonObject): ResourceKind['fieldSelectors'] {
  const paths = objectsAt(version, 'selectableFields').map((row) => textAt(row, 'jsonPath'));
  return Object.fromEntries(
    paths.map((path) => {
      const read = parseJsonPath(path);
      return [
        path.replace(/^\./, ''),
        (object: ApiObject) => {
          const [found] = read(object);
          return found === undefined ? '' : scalarText(found);
        },
      ];
    }),
  );
}
