// Namespaces: active until deleted, then terminating until the content is gone and the last finalizer of the spec with
// it. Unlike other objects they are held by `spec.finalizers`, which only the `finalize` subresource may change.
import { invalid } from '../field-error.ts';
import { at, listAt, scalarText, withValue } from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import type { Strategy, Subresource } from '../registry/resource-kind.ts';
import { dnsLabelName, qualifiedNameErrors } from './names.ts';
import { standardFinalizers } from './object-meta.ts';

const nameLabel = 'kubernetes.io/metadata.name';

function withNameLabel(object: ApiObject): ApiObject {
  const { labels, name } = object.metadata;
  if (labels?.[nameLabel] === name || name === '') return object;
  return withMeta(object, { labels: { ...labels, [nameLabel]: name } });
}

function keepFinalizers(object: ApiObject, before: ApiObject): ApiObject {
  return withValue(object, ['spec', 'finalizers'], at(before, 'spec', 'finalizers'));
}

export const namespaceStrategy: Strategy = {
  nameErrors: dnsLabelName,
  returnsDeleted: true,
  defaults: withNameLabel,
  prepareForCreate: (object) => {
    const finalizers = listAt(object, 'spec', 'finalizers');
    const all = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
    return { ...object, spec: { finalizers: all }, status: { phase: 'Active' } };
  },
  isHeld: (object) => listAt(object, 'spec', 'finalizers').length > 0,
  markHeld: (object) => withValue(object, ['status', 'phase'], 'Terminating'),
  prepareForUpdate: (object, before) => {
    const kept = keepFinalizers(object, before);
    return { ...kept, status: before['status'] ?? {} };
  },
};

export const namespaceFinalize: Subresource = {
  name: 'finalize',
  verbs: ['update'],
  prepareForUpdate: (object, before) => {
    const finalizers = listAt(object, 'spec', 'finalizers');
    return {
      ...before,
      metadata: object.metadata,
      spec: finalizers.length === 0 ? {} : { finalizers },
    };
  },
  validateUpdate: (object) =>
    listAt(object, 'spec', 'finalizers').flatMap((value, index) => {
      const name = scalarText(value);
      const field = `spec.finalizers[${index}]`;
      const errors = qualifiedNameErrors(name).map((error) => invalid(field, name, error));
      if (name.includes('/') || standardFinalizers.has(name)) return errors;
      const detail = 'name is neither a standard finalizer name nor is it fully qualified';
      return [...errors, invalid(field, name, detail)];
    }),
};
