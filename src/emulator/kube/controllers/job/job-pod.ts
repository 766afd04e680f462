// A pod of a Job. In: the job, and for an indexed one the place and the failed pod that is replaced. Out: the pod to make.
import type { Json } from '../../../../api/meta.ts';
import type { JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { podFromTemplate, type PodTemplate } from '../pods.ts';
import { failureAnnotations } from './index-failures.ts';
import { indexKey, specOf, tracking } from './job-object.ts';

/** The longest base that leaves room for the random end of a name. */
const longestBase = 58;
const variableName = 'JOB_COMPLETION_INDEX';

export function jobPod(
  job: ApiObject,
  index: number | undefined,
  replaced: ApiObject | undefined,
): JsonObject {
  const { name, uid = '' } = job.metadata;
  const spec = specOf(job);
  const indexed = index === undefined ? {} : { [indexKey]: `${index}` };
  const object = podFromTemplate({
    template: index === undefined ? spec.template : withIndex(spec.template, name, index),
    owner: job,
    labels: {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': name,
      'controller-uid': uid,
      'job-name': name,
      ...indexed,
    },
    annotations: {
      ...indexed,
      ...(spec.backoffLimitPerIndex === undefined ? {} : failureAnnotations(spec, replaced)),
    },
  });
  const meta = object['metadata'] as JsonObject;
  const metadata: Json = {
    ...meta,
    ...(index === undefined ? {} : { generateName: indexedBase(name, index) }),
    finalizers: [...((meta['finalizers'] ?? []) as readonly string[]), tracking],
  };
  return { ...object, metadata };
}

/** The job's name gives way, never the index. */
function indexedBase(name: string, index: number): string {
  const end = `-${index}-`;
  return `${name.slice(0, longestBase - end.length)}${end}`;
}

function withIndex(template: PodTemplate, jobName: string, index: number): PodTemplate {
  const { initContainers, containers } = template.spec;
  return {
    ...template,
    spec: {
      ...template.spec,
      hostname: `${jobName}-${index}`,
      containers: told(containers),
      ...(initContainers === undefined ? {} : { initContainers: told(initContainers) }),
    },
  };
}

/** Containers that know their index, unless they have a variable of that name already. */
function told(containers: Json | undefined): Json {
  const variable = {
    name: variableName,
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexKey}']` } },
  };
  return ((containers ?? []) as readonly JsonObject[]).map((container) => {
    const env = (container['env'] ?? []) as readonly JsonObject[];
    return env.some(({ name }) => name === variableName)
      ? container
      : { ...container, env: [...env, variable] };
  });
}
