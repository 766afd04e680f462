// The versions of a CustomResourceDefinition: schema, columns, scale, fields to select by. In: a definition. Out: complaints
// in the server's words. What all versions have in common it calls a part of the whole, whatever the writer wrote.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, required } from '../field-error.ts';
import { at, objectAt, objectsAt, sameJson, stringAt, textAt, type JsonObject } from '../json.ts';
import { dns1035LabelErrors } from './names.ts';
import { ruleErrors } from './definition-rules.ts';
import { schemaErrors } from './structural-schema.ts';

export function versionsErrors(versions: readonly JsonObject[]): readonly FieldError[] {
  const names = versions.flatMap((version, index) =>
    nameErrors(textAt(version, 'name'), `spec.versions[${index}].name`),
  );
  const first = nameErrors(textAt(versions[0], 'name'), 'spec.version');
  return [
    ...names,
    ...(versions.length === 0 ? [] : first),
    ...missingSchemas(versions),
    ...eachPart(versions, { part: 'schema', whole: 'validation', errors: wholeSchemaErrors }),
    ...eachPart(versions, { part: 'subresources', whole: 'subresources', errors: scaleErrors }),
    ...eachPart(versions, {
      part: 'additionalPrinterColumns',
      whole: 'additionalPrinterColumns',
      errors: (version, field) => columnErrors(version, field),
    }),
    ...eachPart(versions, {
      part: 'selectableFields',
      whole: 'selectableFields',
      errors: selectableErrors,
    }),
  ];
}

interface Part {
  readonly part: string;
  /** Its name where all versions share it. */
  readonly whole: string;
  readonly errors: (version: JsonObject, field: string) => readonly FieldError[];
}

function eachPart(
  versions: readonly JsonObject[],
  { part, whole, errors }: Part,
): readonly FieldError[] {
  const [first, ...others] = versions;
  if (first === undefined) return [];
  const isShared = others.every((version) => sameJson(version[part], first[part]));
  if (isShared) return errors(first, `spec.${whole}`);
  return versions.flatMap((version, index) => errors(version, `spec.versions[${index}].${part}`));
}

function nameErrors(name: string, field: string): readonly FieldError[] {
  const wrong = dns1035LabelErrors(name);
  return wrong.length === 0 ? [] : [invalid(field, name, wrong.join(','))];
}

function missingSchemas(versions: readonly JsonObject[]): readonly FieldError[] {
  return versions.flatMap((version, index) =>
    objectAt(version, 'schema', 'openAPIV3Schema') === undefined
      ? [required(`spec.versions[${index}].schema.openAPIV3Schema`)]
      : [],
  );
}

function wholeSchemaErrors(version: JsonObject, field: string): readonly FieldError[] {
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  if (schema === undefined) return [];
  const path = `${field}.openAPIV3Schema`;
  const problems = schemaErrors(schema, path);
  // Rules that do not compile are refused now rather than met by every object later.
  return problems.length > 0 ? problems : ruleErrors(schema, path);
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];

function columnErrors(version: JsonObject, field: string): readonly FieldError[] {
  return objectsAt(version, 'additionalPrinterColumns').flatMap((column, index) => {
    const path = `${field}[${index}]`;
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

function scaleErrors(version: JsonObject, field: string): readonly FieldError[] {
  const scale = objectAt(version, 'subresources', 'scale');
  if (scale === undefined) return [];
  const pathErrors = (name: string, root: string): readonly FieldError[] => {
    const path = textAt(scale, name);
    if (path === '') return [required(`${field}.scale.${name}`)];
    if (path.startsWith(`${root}.`)) return [];
    return [invalid(`${field}.scale.${name}`, path, `should be a json path under ${root}`)];
  };
  return [
    ...pathErrors('specReplicasPath', '.spec'),
    ...pathErrors('statusReplicasPath', '.status'),
  ];
}

function selectableErrors(version: JsonObject, field: string): readonly FieldError[] {
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  return objectsAt(version, 'selectableFields').flatMap((row, index) => {
    const path = textAt(row, 'jsonPath');
    const place = `${field}[${index}].jsonPath`;
    if (path === '') return [required(place)];
    const steps = path.split('.').filter((step) => step !== '');
    const found = at(schema, ...steps.flatMap((step) => ['properties', step]));
    if (found === undefined) {
      return [invalid(place, path, 'is an invalid path: does not refer to a valid field')];
    }
    const type = stringAt(schema, ...steps.flatMap((step) => ['properties', step]), 'type');
    if (type === 'string' || type === 'integer' || type === 'boolean') return [];
    return [invalid(place, path, 'must point to a field of type string, boolean or integer')];
  });
}
