// CustomResourceDefinitions: names, versions and schemas that a server can serve. In: a definition. Out: complaints in
// the server's words. What becomes of a sound one is in crd/.
import type { OpenApiSchema } from '../../../api/crd/open-api.ts';
import { compileSchema } from '../../../api/crd/validation/validate.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  listAt,
  objectAt,
  objectsAt,
  sameJson,
  stringAt,
  textAt,
  withDefaults,
  withValue,
  type JsonObject,
} from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { withStatusOf } from '../registry/status-rules.ts';
import { dns1035LabelErrors, dnsSubdomainErrors } from './names.ts';
import { schemaErrors } from './structural-schema.ts';

function namesWithDefaults(names: JsonObject): JsonObject {
  const kind = textAt(names, 'kind');
  return withDefaults(names, { listKind: `${kind}List`, singular: kind.toLowerCase() });
}

function storageVersion(definition: ApiObject): string | undefined {
  const version = objectsAt(definition, 'spec', 'versions').find(
    (item) => at(item, 'storage') === true,
  );
  return stringAt(version, 'name');
}

function withStoredVersion(definition: ApiObject): ApiObject {
  const storage = storageVersion(definition);
  const stored = listAt(definition, 'status', 'storedVersions');
  if (storage === undefined || stored.includes(storage)) return definition;
  return withValue(definition, ['status', 'storedVersions'], [...stored, storage]);
}

function nameErrors(definition: ApiObject): readonly FieldError[] {
  const names = objectAt(definition, 'spec', 'names') ?? {};
  const errors: FieldError[] = [];
  for (const field of ['plural', 'singular', 'kind', 'listKind']) {
    const value = textAt(names, field);
    const path = `spec.names.${field}`;
    if (value === '') {
      errors.push(required(path));
      continue;
    }
    const isKind = field === 'kind' || field === 'listKind';
    const wrong = dns1035LabelErrors(isKind ? value.toLowerCase() : value);
    if (wrong.length === 0) continue;
    const prefix = isKind ? 'may have mixed case, but should otherwise match: ' : '';
    errors.push(invalid(path, value, `${prefix}${wrong.join(',')}`));
  }
  if (stringAt(names, 'kind') === stringAt(names, 'listKind')) {
    errors.push(
      invalid(
        'spec.names.listKind',
        textAt(names, 'listKind'),
        'kind and listKind may not be the same',
      ),
    );
  }
  return errors;
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];

function columnErrors(version: JsonObject, field: string): readonly FieldError[] {
  return objectsAt(version, 'additionalPrinterColumns').flatMap((column, index) => {
    const path = `${field}.additionalPrinterColumns[${index}]`;
    const errors: FieldError[] = [];
    if (textAt(column, 'name') === '') errors.push(required(`${path}.name`));
    const type = textAt(column, 'type');
    const words = `must be one of ${columnTypes.join(',')}`;
    if (type === '') errors.push(required(`${path}.type`, words));
    else if (!columnTypes.includes(type)) errors.push(invalid(`${path}.type`, type, words));
    if (textAt(column, 'jsonPath') === '') errors.push(required(`${path}.JSONPath`));
    return errors;
  });
}

function versionErrors(version: JsonObject, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(version, 'name');
  const wrong = dns1035LabelErrors(name);
  if (wrong.length > 0) errors.push(invalid(`${field}.name`, name, wrong.join(',')));
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  const path = `${field}.schema.openAPIV3Schema`;
  if (schema === undefined) return [...errors, required(path), ...columnErrors(version, field)];
  const problems = schemaErrors(schema, path);
  errors.push(...problems);
  if (problems.length === 0) errors.push(...ruleErrors(schema, path));
  return [...errors, ...columnErrors(version, field)];
}

/** Rules that do not compile are refused now rather than met by every object later. */
function ruleErrors(schema: JsonObject, field: string): readonly FieldError[] {
  return compileSchema(schema as OpenApiSchema).problems.map((problem) =>
    invalid(field, '', problem),
  );
}

function groupErrors(definition: ApiObject): readonly FieldError[] {
  const group = textAt(definition, 'spec', 'group');
  if (group === '') return [required('spec.group')];
  const wrong = dnsSubdomainErrors(group);
  if (wrong.length > 0) return [invalid('spec.group', group, wrong.join(','))];
  if (group.includes('.')) return [];
  return [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeErrors(definition: ApiObject): readonly FieldError[] {
  const scope = textAt(definition, 'spec', 'scope');
  if (scope === '') return [required('spec.scope')];
  if (scope === 'Cluster' || scope === 'Namespaced') return [];
  return [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

function specErrors(definition: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [...groupErrors(definition), ...scopeErrors(definition)];
  const versions = objectsAt(definition, 'spec', 'versions');
  for (const [index, version] of versions.entries()) {
    errors.push(...versionErrors(version, `spec.versions[${index}]`));
  }
  const names = versions.map((version) => stringAt(version, 'name'));
  const shown = at(definition, 'spec', 'versions') ?? null;
  if (new Set(names).size !== names.length) {
    errors.push(invalid('spec.versions', shown, 'must contain unique version names'));
  }
  if (versions.filter((version) => at(version, 'storage') === true).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(invalid('spec.versions', shown, detail));
  }
  return [...errors, ...nameErrors(definition), ...conversionErrors(definition)];
}

/** Versions are converted by renaming only: there is nobody to call. */
function conversionErrors(definition: ApiObject): readonly FieldError[] {
  const strategy = textAt(definition, 'spec', 'conversion', 'strategy');
  if (strategy === 'None' || strategy === 'Webhook') return [];
  return [notSupported('spec.conversion.strategy', strategy, ['None', 'Webhook'])];
}

function createErrors(definition: ApiObject): readonly FieldError[] {
  const { name } = definition.metadata;
  const plural = textAt(definition, 'spec', 'names', 'plural');
  const group = textAt(definition, 'spec', 'group');
  const errors: FieldError[] = [];
  if (name !== `${plural}.${group}`) {
    errors.push(invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  }
  return [...errors, ...definitionErrors(definition)];
}

function definitionErrors(definition: ApiObject): readonly FieldError[] {
  return [...specErrors(definition), ...storedVersionErrors(definition)];
}

function storedVersionErrors(definition: ApiObject): readonly FieldError[] {
  const stored = listAt(definition, 'status', 'storedVersions');
  const names = new Set(
    objectsAt(definition, 'spec', 'versions').map((version) => stringAt(version, 'name')),
  );
  if (stored.length === 0) {
    return [
      invalid(
        'status.storedVersions',
        at(definition, 'status', 'storedVersions') ?? null,
        'must have at least one stored version',
      ),
    ];
  }
  return stored.flatMap((version, index) => {
    if (typeof version !== 'string' || names.has(version)) return [];
    return [
      invalid(
        `status.storedVersions[${index}]`,
        version,
        `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`,
      ),
    ];
  });
}

function fixedFields(definition: ApiObject, before: ApiObject): readonly FieldError[] {
  const isEstablished = objectsAt(before, 'status', 'conditions').some(
    (condition) =>
      stringAt(condition, 'type') === 'Established' && stringAt(condition, 'status') === 'True',
  );
  const paths = [
    ['spec', 'group'],
    ['spec', 'names', 'plural'],
    ...(isEstablished
      ? [
          ['spec', 'scope'],
          ['spec', 'names', 'kind'],
        ]
      : []),
  ];
  return paths
    .filter((path) => !sameJson(at(definition, ...path), at(before, ...path)))
    .map((path) => invalid(path.join('.'), at(definition, ...path) ?? null, 'field is immutable'));
}

/** Keeps a deleted definition until its objects are gone too. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export const definitionStrategy: Strategy = {
  generation: 'spec',
  isHeld: ({ metadata }) =>
    metadata.deletionTimestamp === undefined ||
    metadata.finalizers?.includes(cleanupFinalizer) === true,
  markHeld: (definition) => {
    const { finalizers = [] } = definition.metadata;
    if (finalizers.includes(cleanupFinalizer)) return definition;
    return withMeta(definition, { finalizers: [...finalizers, cleanupFinalizer] });
  },
  defaults: (definition) => {
    const spec = withDefaults(objectAt(definition, 'spec') ?? {}, {
      conversion: { strategy: 'None' },
    });
    const names = namesWithDefaults(objectAt(spec, 'names') ?? {});
    return { ...definition, spec: { ...spec, names } };
  },
  prepareForCreate: (definition) =>
    withStoredVersion({
      ...definition,
      status: { acceptedNames: { kind: '', plural: '' }, conditions: null, storedVersions: [] },
    }),
  prepareForUpdate: (definition, before) => withStoredVersion(withStatusOf(definition, before)),
  prepareForStatusUpdate: (definition, before) => ({
    ...before,
    metadata: { ...before.metadata, ...managedFieldsOf(definition) },
    status: definition['status'] ?? {},
  }),
  validate: createErrors,
  validateUpdate: (definition, before) => [
    ...definitionErrors(definition),
    ...fixedFields(definition, before),
  ],
};

function managedFieldsOf({ metadata }: ApiObject) {
  return metadata.managedFields === undefined ? {} : { managedFields: metadata.managedFields };
}
