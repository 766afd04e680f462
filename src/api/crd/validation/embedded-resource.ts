// Embedded objects (`x-kubernetes-embedded-resource`) must say what they are.
import type { Json } from '../../meta.ts';
import type { FieldError } from './field-error.ts';
import { isRecord } from './json-value.ts';
import type { StructuralNode } from './structural-node.ts';

const kindPattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const kindAdvice =
  "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

export function hasEmbeddedResources(node: StructuralNode): boolean {
  const children = [...node.properties.values(), node.items, node.additional];
  return children.some(
    (child) => child !== undefined && (child.isResource || hasEmbeddedResources(child)),
  );
}

function checkText(field: string, value: Json | undefined): readonly FieldError[] {
  if (value === undefined) return [{ field, type: 'Required', detail: '' }];
  if (typeof value !== 'string') {
    return [{ field, type: 'Invalid', detail: 'must be a string', value }];
  }
  return value === '' ? [{ field, type: 'Invalid', detail: 'must not be empty', value }] : [];
}

function checkApiVersion(field: string, value: Json | undefined): readonly FieldError[] {
  const errors = checkText(field, value);
  if (errors.length > 0 || typeof value !== 'string' || value.split('/').length <= 2) return errors;
  const detail = `unexpected GroupVersion string: ${value}`;
  return [{ field, type: 'Invalid', detail, value }];
}

function checkKind(field: string, value: Json | undefined): readonly FieldError[] {
  const errors = checkText(field, value);
  if (errors.length > 0 || typeof value !== 'string') return errors;
  const isLabel = kindPattern.test(value.toLowerCase()) && value.length <= 63;
  return isLabel ? [] : [{ field, type: 'Invalid', detail: kindAdvice, value }];
}

export function checkEmbedded(node: StructuralNode, value: Json, path = ''): readonly FieldError[] {
  if (Array.isArray(value)) {
    const { items } = node;
    const array = value as readonly Json[];
    if (items === undefined) return [];
    return array.flatMap((item, index) => checkEmbedded(items, item, `${path}[${index}]`));
  }
  if (!isRecord(value)) return [];
  const own = node.isResource
    ? [
        ...checkApiVersion(`${path}.apiVersion`, value['apiVersion']),
        ...checkKind(`${path}.kind`, value['kind']),
      ]
    : [];
  const nested = Object.entries(value).flatMap(([key, item]) => {
    const field = node.properties.get(key);
    if (field !== undefined)
      return checkEmbedded(field, item, path === '' ? key : `${path}.${key}`);
    return node.additional === undefined
      ? []
      : checkEmbedded(node.additional, item, `${path}[${key}]`);
  });
  return [...own, ...nested];
}
