// CustomResourceDefinitions: names, versions and schemas that a server can serve. In: a definition. Out: complaints in
// the server's words. What becomes of a sound one is in crd/.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  listAt,
  objectAt,
  objectsAt,
  sameJson,
  scalarText,
  stringAt,
  textAt,
  withDefaults,
  withValue,
  type JsonObject,
} from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { withStatusOf } from '../registry/status-rules.ts';
import { versionsErrors } from './definition-version.ts';
import { dns1035LabelErrors, dnsSubdomainErrors } from './names.ts';

function namesWithDefaults(names: JsonObject): JsonObject {
  const kind = textAt(names, 'kind');
  if (kind === '') return names;
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

function listedNameErrors(names: JsonObject): readonly FieldError[] {
  return ['shortNames', 'categories'].flatMap((field) =>
    listAt(names, field).flatMap((name, index) => {
      const value = scalarText(name);
      const wrong = dns1035LabelErrors(value);
      if (wrong.length === 0) return [];
      return [invalid(`spec.names.${field}[${index}]`, value, wrong.join(','))];
    }),
  );
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
  errors.push(...listedNameErrors(names));
  const kind = textAt(names, 'kind');
  if (kind !== '' && kind === textAt(names, 'listKind')) {
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
  errors.push(...versionsErrors(versions));
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
  if (strategy === 'None') return [];
  if (strategy === 'Webhook') return webhookErrors(definition);
  return [notSupported('spec.conversion.strategy', strategy, ['None', 'Webhook'])];
}

function webhookErrors(definition: ApiObject): readonly FieldError[] {
  const conversion = objectAt(definition, 'spec', 'conversion');
  const errors: FieldError[] = [];
  if (objectAt(conversion, 'webhook', 'clientConfig') === undefined) {
    const detail = 'required when strategy is set to Webhook';
    errors.push(required('spec.conversion.webhookClientConfig', detail));
  }
  if (listAt(conversion, 'webhook', 'conversionReviewVersions').length === 0) {
    errors.push(required('spec.conversion.conversionReviewVersions'));
  }
  return errors;
}

const approval = 'api-approved.kubernetes.io';

/** Groups of the community are not for everybody. */
function approvalErrors(definition: ApiObject): readonly FieldError[] {
  const group = textAt(definition, 'spec', 'group');
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return [];
  const value = definition.metadata.annotations?.[approval] ?? '';
  const field = `metadata.annotations[${approval}]`;
  const words = `protected groups must have approval annotation "${approval}"`;
  const link = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (value === '') return [required(field, `${words}, ${link}`)];
  if (value.startsWith('unapproved') || URL.canParse(value)) return [];
  const detail = `${words} with either a URL or a reason starting with "unapproved", ${link}`;
  return [invalid(field, value, detail)];
}

function createErrors(definition: ApiObject): readonly FieldError[] {
  const { name } = definition.metadata;
  const plural = textAt(definition, 'spec', 'names', 'plural');
  const group = textAt(definition, 'spec', 'group');
  const errors: FieldError[] = [];
  if (name !== `${plural}.${group}`) {
    errors.push(invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  }
  return [...errors, ...definitionErrors(definition), ...approvalErrors(definition)];
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
    return [invalid('status.storedVersions', null, 'must have at least one stored version')];
  }
  // Where several are marked, the last is the one.
  const storage = objectsAt(definition, 'spec', 'versions').findLast(
    (item) => at(item, 'storage') === true,
  );
  const name = stringAt(storage, 'name');
  if (name !== undefined && !stored.includes(name)) {
    return [invalid('status.storedVersions', stored, `must have the storage version ${name}`)];
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
