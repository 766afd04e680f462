// What the cluster adds to every new pod: its rank, how long it puts up with a node that is gone, and what its runtime
// costs on top.
import {
  at,
  countAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  withValue,
  type JsonObject,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../ports.ts';
import { forbidden } from '../status-error.ts';
import type { Store } from '../store/store.ts';

const pods = { group: '', resource: 'pods' };

function isNewPod({ operation, group, resource, subresource }: AdmissionRequest): boolean {
  return operation === 'CREATE' && group === '' && resource === 'pods' && subresource === '';
}

const classes = 'scheduling.k8s.io/priorityclasses';

function defaultClass(store: Store): ApiObject | undefined {
  return store
    .all(classes)
    .filter((item) => at(item, 'globalDefault') === true)
    .toSorted((a, b) => countAt(a, 'value') - countAt(b, 'value'))[0];
}

export function priority(store: Store): AdmissionPlugin {
  return {
    name: 'Priority',
    mutate: (pod, request) => {
      if (!isNewPod(request)) return pod;
      const wanted = textAt(pod, 'spec', 'priorityClassName');
      const found = wanted === '' ? defaultClass(store) : store.get(classes, wanted);
      if (found === undefined && wanted !== '') {
        throw forbidden(pods, request.name, `no PriorityClass with name ${wanted} was found`);
      }
      const value = countAt(found, 'value');
      const given = numberAt(pod, 'spec', 'priority');
      if (given !== undefined && given !== value) {
        throw forbidden(
          pods,
          request.name,
          `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
        );
      }
      const policy = stringAt(found, 'preemptionPolicy') ?? 'PreemptLowerPriority';
      const named =
        found === undefined
          ? pod
          : withValue(pod, ['spec', 'priorityClassName'], found.metadata.name);
      const ranked = withValue(named, ['spec', 'priority'], value);
      return at(ranked, 'spec', 'preemptionPolicy') === undefined
        ? withValue(ranked, ['spec', 'preemptionPolicy'], policy)
        : ranked;
    },
  };
}

const graceTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function tolerates(toleration: JsonObject, key: string): boolean {
  const effect = textAt(toleration, 'effect');
  const own = textAt(toleration, 'key');
  return (effect === '' || effect === 'NoExecute') && (own === '' || own === key);
}

/** Five minutes on a node that does not answer, unless the pod says otherwise. */
export const defaultTolerations: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  mutate: (pod, request) => {
    // On updates too: who replaces the list of tolerations keeps these.
    if (request.operation === 'DELETE' || !isNewPod({ ...request, operation: 'CREATE' }))
      return pod;
    const present = objectsAt(pod, 'spec', 'tolerations');
    const missing = graceTaints.filter((key) => !present.some((item) => tolerates(item, key)));
    if (missing.length === 0) return pod;
    const added = missing.map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    }));
    return withValue(pod, ['spec', 'tolerations'], [...present, ...added]);
  },
};

export function runtimeClass(store: Store): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    mutate: (pod, request) => {
      if (!isNewPod(request)) return pod;
      const name = textAt(pod, 'spec', 'runtimeClassName');
      if (name === '') return pod;
      const found = store.get('node.k8s.io/runtimeclasses', name);
      if (found === undefined) {
        throw forbidden(
          pods,
          request.name,
          `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`,
        );
      }
      const overhead = objectAt(found, 'overhead', 'podFixed');
      return overhead === undefined ? pod : withValue(pod, ['spec', 'overhead'], overhead);
    },
  };
}
