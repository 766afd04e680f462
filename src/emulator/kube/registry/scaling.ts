// Replicas where all built-in workloads keep them: `spec.replicas` and `status.replicas`.
import { countAt, withValue } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Scaling } from './resource-kind.ts';

export function replicaScaling(selector: (object: ApiObject) => string): Scaling {
  return {
    replicas: (object) => countAt(object, 'spec', 'replicas'),
    currentReplicas: (object) => countAt(object, 'status', 'replicas'),
    selector,
    withReplicas: (object, replicas) => withValue(object, ['spec', 'replicas'], replicas),
  };
}
