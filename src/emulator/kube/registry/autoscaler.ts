// HorizontalPodAutoscalers: kept in v2; v1 shows the one target it knows and carries the rest along in annotations, as
// the real server does, so that a round trip through v1 loses nothing.
import type { Json } from '../../../api/meta.ts';
import {
  isObject,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  withDefaults,
  without,
  withValue,
  type JsonObject,
} from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import { ageColumn, column, count, nameColumn } from './columns.ts';
import type { Column, ResourceKind } from './resource-kind.ts';

function targetText(metric: Json): string {
  const type = textAt(metric, 'type');
  const field = type === '' ? '' : type.charAt(0).toLowerCase() + type.slice(1);
  const source = objectAt(metric, field);
  const name = stringAt(source, 'name');
  const utilization = numberAt(source, 'target', 'averageUtilization');
  const value =
    utilization === undefined
      ? (stringAt(source, 'target', 'averageValue') ??
        stringAt(source, 'target', 'value') ??
        '<auto>')
      : `${utilization}%`;
  return `${name === undefined ? '' : `${name}: `}<unknown>/${value}`;
}

export const autoscalerColumns: readonly Column[] = [
  nameColumn,
  column('Reference', (object) => {
    const target = objectAt(object, 'spec', 'scaleTargetRef');
    return `${textAt(target, 'kind')}/${textAt(target, 'name')}`;
  }),
  column('Targets', (object) => {
    const metrics = objectsAt(object, 'spec', 'metrics').map((metric) => targetText(metric));
    return metrics.length === 0 ? '<none>' : metrics.join(', ');
  }),
  column('MinPods', (object) => String(numberAt(object, 'spec', 'minReplicas') ?? '<unset>')),
  column('MaxPods', count('spec', 'maxReplicas')),
  column('Replicas', count('status', 'currentReplicas')),
  ageColumn,
];

const cpuTarget = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

export function minimumDefault(object: ApiObject): ApiObject {
  const spec = withDefaults(objectAt(object, 'spec') ?? {}, { minReplicas: 1 });
  return spec === object['spec'] ? object : { ...object, spec };
}

/** Who names no target wants four fifths of the CPU used. */
export function autoscalerDefaults(object: ApiObject): ApiObject {
  const filled = minimumDefault(object);
  const spec = withDefaults(objectAt(filled, 'spec') ?? {}, { metrics: [cpuTarget] });
  const behavior = objectAt(spec, 'behavior');
  const whole = behavior === undefined ? spec : { ...spec, behavior: behaviorDefaults(behavior) };
  return spec === object['spec'] && behavior === undefined ? object : { ...filled, spec: whole };
}

const doubled = { type: 'Percent', value: 100, periodSeconds: 15 };
const scaleUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, doubled],
};
const scaleDown = { selectPolicy: 'Max', policies: [doubled] };

/** Who says something about one direction gets the usual rules for the rest of both. */
function behaviorDefaults(behavior: JsonObject): JsonObject {
  return {
    ...behavior,
    scaleUp: withDefaults(objectAt(behavior, 'scaleUp') ?? {}, scaleUp),
    scaleDown: withDefaults(objectAt(behavior, 'scaleDown') ?? {}, scaleDown),
  };
}

const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';

function isCpuTarget(metric: Json): boolean {
  return (
    stringAt(metric, 'type') === 'Resource' &&
    stringAt(metric, 'resource', 'name') === 'cpu' &&
    stringAt(metric, 'resource', 'target', 'type') === 'Utilization'
  );
}

function toV1(stored: ApiObject): ApiObject {
  const metrics = objectsAt(stored, 'spec', 'metrics');
  const cpu = metrics.find((metric) => isCpuTarget(metric));
  const others = metrics.filter((metric) => metric !== cpu);
  const spec = without(objectAt(stored, 'spec') ?? {}, 'metrics');
  const target = numberAt(cpu, 'resource', 'target', 'averageUtilization');
  const shown: ApiObject = {
    ...stored,
    apiVersion: 'autoscaling/v1',
    spec: target === undefined ? spec : { ...spec, targetCPUUtilizationPercentage: target },
    status: {
      ...without(without(objectAt(stored, 'status') ?? {}, 'currentMetrics'), 'conditions'),
      currentReplicas: numberAt(stored, 'status', 'currentReplicas') ?? 0,
    },
  };
  if (others.length === 0) return shown;
  const annotations = {
    ...stored.metadata.annotations,
    [metricsAnnotation]: JSON.stringify(others),
  };
  return withMeta(shown, { annotations });
}

function fromV1(object: ApiObject): ApiObject {
  const target = numberAt(object, 'spec', 'targetCPUUtilizationPercentage');
  const { [metricsAnnotation]: kept, ...annotations } = object.metadata.annotations ?? {};
  const others = kept === undefined ? [] : (JSON.parse(kept) as readonly Json[]).filter(isObject);
  const cpu = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: target ?? 0 } },
  };
  const metrics: readonly Json[] = target === undefined ? others : [...others, cpu];
  const spec = without(objectAt(object, 'spec') ?? {}, 'targetCPUUtilizationPercentage');
  const stored: ApiObject = { ...object, apiVersion: 'autoscaling/v2', spec };
  const withMetrics =
    metrics.length === 0 ? stored : withValue(stored, ['spec', 'metrics'], metrics);
  return kept === undefined ? withMetrics : withMeta(withMetrics, { annotations });
}

const shownInV1 = new WeakMap<ApiObject, ApiObject>();

export const autoscalerV1: NonNullable<ResourceKind['convert']> = {
  fromStorage: (stored) => {
    const known = shownInV1.get(stored) ?? toV1(stored);
    shownInV1.set(stored, known);
    return known;
  },
  toStorage: fromV1,
};
