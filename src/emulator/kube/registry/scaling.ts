// Replicas where all built-in workloads keep them: `spec.replicas` and `status.replicas`; and how a Scale is shown.
import { countAt, withValue } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { ageColumn, column, count, nameColumn } from './columns.ts';
import type { Column, Scaling } from './resource-kind.ts';

export const scaleColumns: readonly Column[] = [
  nameColumn,
  column('Desired', count('spec', 'replicas'), 'integer'),
  column('Available', count('status', 'replicas'), 'integer'),
  ageColumn,
];

export function replicaScaling(selector: (object: ApiObject) => string): Scaling {
  return {
    replicas: (object) => countAt(object, 'spec', 'replicas'),
    currentReplicas: (object) => countAt(object, 'status', 'replicas'),
    selector,
    withReplicas: (object, replicas) => withValue(object, ['spec', 'replicas'], replicas),
  };
}
