// Fields of a pod that its own variables may show. In: the source of a variable. Out: complaints about a field that is none.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, required } from '../field-error.ts';
import { stringAt, type JsonObject } from '../json.ts';

const referable: ReadonlySet<string> = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.labels',
  'metadata.annotations',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
  'status.nominatedNodeName',
]);

export function fieldReferenceErrors(source: JsonObject, field: string): readonly FieldError[] {
  const path = stringAt(source, 'fieldRef', 'fieldPath');
  if (path === undefined) return [];
  if (path === '') return [required(field)];
  if (referable.has(path) || /^metadata\.(?:labels|annotations)\['.*'\]$/.test(path)) return [];
  const detail = `error converting fieldPath: field label not supported: ${path}`;
  return [invalid(field, path, detail)];
}
