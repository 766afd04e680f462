// Volumes whose files the kubelet writes: keys of secrets and config maps, fields of the pod, and several of them in one. In:
// the source. Out: field errors, in the server's words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, required } from '../field-error.ts';
import { numberAt, objectAt, objectsAt, textAt, type JsonObject } from '../json.ts';
import { fieldReferenceErrors } from './field-reference.ts';
import { filePathErrors } from './relative-path.ts';

const highestMode = 0o777;

export function modeErrors(mode: number | undefined, field: string): readonly FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= highestMode)) return [];
  return [invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

export function keyErrors(source: JsonObject, field: string): readonly FieldError[] {
  return objectsAt(source, 'items').flatMap((item, index) => {
    const below = `${field}.items[${index}]`;
    const path = textAt(item, 'path');
    return [
      ...(textAt(item, 'key') === '' ? [required(`${below}.key`)] : []),
      ...(path === '' ? [required(`${below}.path`)] : filePathErrors(path, `${below}.path`)),
      ...modeErrors(numberAt(item, 'mode'), `${below}.mode`),
    ];
  });
}

export function downwardErrors(source: JsonObject, field: string): readonly FieldError[] {
  return [
    ...modeErrors(numberAt(source, 'defaultMode'), `${field}.defaultMode`),
    ...objectsAt(source, 'items').flatMap((file) => fileErrors(file, field)),
  ];
}

/** The server does not say which of the files it means. */
function fileErrors(file: JsonObject, field: string): readonly FieldError[] {
  const path = textAt(file, 'path');
  const reference = objectAt(file, 'fieldRef');
  const amount = objectAt(file, 'resourceFieldRef');
  const both = 'fieldRef and resourceFieldRef can not be specified simultaneously';
  const none = 'one of fieldRef and resourceFieldRef is required';
  return [
    ...(path === '' ? [required(`${field}.path`)] : filePathErrors(path, `${field}.path`)),
    ...(reference === undefined ? [] : fieldReferenceErrors(file, `${field}.fieldRef.fieldPath`)),
    ...(reference !== undefined && amount !== undefined ? [invalid(field, 'resource', both)] : []),
    ...(reference === undefined && amount === undefined ? [required(field, none)] : []),
    ...modeErrors(numberAt(file, 'mode'), `${field}.mode`),
  ];
}

const kinds = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle'];
const shortestTokenSeconds = 600;
const longestTokenSeconds = 2 ** 32;

export function projectedErrors(volume: JsonObject, field: string): readonly FieldError[] {
  const seen = new Set<string>();
  return [
    ...modeErrors(numberAt(volume, 'defaultMode'), `${field}.defaultMode`),
    ...objectsAt(volume, 'sources').flatMap((source, index) => {
      const below = `${field}.sources[${index}]`;
      const present = kinds.filter((kind) => objectAt(source, kind) !== undefined);
      const several = 'may not specify more than 1 volume type per source';
      return [
        ...present.flatMap((kind) => [
          ...partErrors(kind, objectAt(source, kind) ?? {}, { field, below: `${below}.${kind}` }),
          ...pathConflicts(kind, objectAt(source, kind) ?? {}, { field, seen }),
        ]),
        ...(present.length > 1 ? [forbidden(below, several)] : []),
      ];
    }),
  ];
}

function partErrors(
  kind: string,
  part: JsonObject,
  { field, below }: { readonly field: string; readonly below: string },
): readonly FieldError[] {
  switch (kind) {
    case 'downwardAPI':
      return objectsAt(part, 'items').flatMap((file) => fileErrors(file, below));
    case 'serviceAccountToken':
      return [
        ...tokenErrors(numberAt(part, 'expirationSeconds'), `${below}.expirationSeconds`),
        ...(textAt(part, 'path') === '' ? [required(`${field}.path`)] : []),
      ];
    case 'clusterTrustBundle':
      return [];
    default:
      return [
        ...(textAt(part, 'name') === '' ? [required(`${below}.name`)] : []),
        ...keyErrors(part, below),
      ];
  }
}

function tokenErrors(seconds: number | undefined, field: string): readonly FieldError[] {
  if (seconds === undefined) return [];
  if (seconds < shortestTokenSeconds)
    return [invalid(field, seconds, 'may not specify a duration less than 10 minutes')];
  return seconds > longestTokenSeconds
    ? [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
    : [];
}

function pathConflicts(
  kind: string,
  part: JsonObject,
  { field, seen }: { readonly field: string; readonly seen: Set<string> },
): readonly FieldError[] {
  const paths =
    kind === 'serviceAccountToken'
      ? [textAt(part, 'path')]
      : objectsAt(part, 'items').map((item) => textAt(item, 'path'));
  return paths.flatMap((path) => {
    const isTaken = path !== '' && seen.has(path);
    seen.add(path);
    const shown = kind === 'secret' || kind === 'configMap' ? textAt(part, 'name') : path;
    return isTaken ? [invalid(field, shown, 'conflicting duplicate paths')] : [];
  });
}
