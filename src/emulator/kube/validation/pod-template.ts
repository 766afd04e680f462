// Pod templates of workloads, and the PodTemplate kind itself.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { notSupported } from '../field-error.ts';
import { objectAt, stringAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { annotationErrors, labelErrors } from './object-meta.ts';
import { templateDefaults } from './pod-defaults.ts';
import { podSpecErrors } from './pod-spec.ts';

type Texts = Record<string, string> | undefined;

export function templateErrors(object: ApiObject, path: readonly string[]): readonly FieldError[] {
  const field = path.join('.');
  const template = objectAt(object, ...path);
  return [
    ...labelErrors(objectAt(template, 'metadata', 'labels') as Texts, `${field}.labels`),
    ...annotationErrors(
      objectAt(template, 'metadata', 'annotations') as Texts,
      `${field}.annotations`,
    ),
    ...podSpecErrors(objectAt(template, 'spec') ?? {}, `${field}.spec`),
  ];
}

/** Workloads that must keep their pods running take no other policy. */
export function alwaysRestarts(object: ApiObject, path: readonly string[]): readonly FieldError[] {
  const policy = stringAt(objectAt(object, ...path), 'spec', 'restartPolicy') ?? '';
  if (policy === 'Always') return [];
  return [notSupported(`${path.join('.')}.spec.restartPolicy`, policy, ['Always'])];
}

export const podTemplateStrategy: Strategy = {
  generation: 'all-but-status',
  returnsDeleted: true,
  defaults: (object) => templateDefaults(object, ['template']) as ApiObject,
  validate: (object) => templateErrors(object, ['template']),
  validateUpdate: (object) => templateErrors(object, ['template']),
};
