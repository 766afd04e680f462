// What a CapacityBuffer amounts to. In: a buffer, the PodTemplates and workloads of the cluster. Out: the template and
// number of its pieces with what its status should say, or the reason why nobody knows.
import {
  type CapacityBuffer,
  capacityBufferCondition,
  type CapacityBufferSpec,
  type CapacityBufferStatus,
} from '../../api/capacity-buffer.ts';
import type { PodTemplate, PodTemplateSpec } from '../../api/core.ts';
import type { ScalableWorkload } from '../../api/workloads.ts';
import type { ConditionChange } from '../../model/conditions.ts';
import { bufferReplicas } from './buffer-replicas.ts';
import { virtualPodSpec } from './virtual-pods.ts';

const scalableKinds = ['Deployment', 'StatefulSet', 'ReplicaSet'] as const;

type ScalableKind = (typeof scalableKinds)[number];

export interface BufferWorkloads {
  podTemplate(namespace: string, name: string): PodTemplate | undefined;
  workload(kind: ScalableKind, namespace: string, name: string): ScalableWorkload | undefined;
}

export type ResolvedBuffer =
  | {
      readonly ok: true;
      readonly template: PodTemplateSpec;
      readonly replicas: number;
      /** Everything but the conditions; a field that is not here is to be removed. */
      readonly status: Omit<CapacityBufferStatus, 'conditions'>;
      readonly condition: ConditionChange;
    }
  | { readonly ok: false; readonly condition: ConditionChange };

interface Failure {
  readonly reason: 'PodTemplateNotFound' | 'ScalableRefNotFound' | 'ResolutionFailed';
  readonly message: string;
}

interface Source {
  readonly template: PodTemplateSpec;
  readonly target?: number;
  readonly status: Pick<CapacityBufferStatus, 'podTemplateRef' | 'podTemplateGeneration'>;
}

export function resolveBuffer(
  { metadata, spec }: CapacityBuffer,
  workloads: BufferWorkloads,
): ResolvedBuffer {
  const type = capacityBufferCondition.readyForProvisioning;
  const source = sourceOf(metadata.namespace ?? '', spec, workloads);
  if ('reason' in source) return { ok: false, condition: { type, status: 'False', ...source } };
  const { template, target, status } = source;
  const replicas = bufferReplicas({ spec, piece: virtualPodSpec(template), target });
  const message = 'Pod template resolved successfully';
  return {
    ok: true,
    template,
    replicas,
    status: { ...status, replicas, provisioningStrategy: spec.provisioningStrategy },
    condition: { type, status: 'True', reason: 'Resolved', message },
  };
}

function sourceOf(
  namespace: string,
  { podTemplateRef, scalableRef }: CapacityBufferSpec,
  workloads: BufferWorkloads,
): Source | Failure {
  if (podTemplateRef !== undefined) {
    const { name } = podTemplateRef;
    const found = workloads.podTemplate(namespace, name);
    if (found === undefined) {
      return { reason: 'PodTemplateNotFound', message: `podtemplates "${name}" not found` };
    }
    const podTemplateGeneration = found.metadata.generation ?? 0;
    return {
      template: found.template,
      status: { podTemplateRef: { name }, podTemplateGeneration },
    };
  }
  if (scalableRef !== undefined) return workloadSource(namespace, scalableRef, workloads);
  const message = 'Neither podTemplateRef nor scalableRef is set';
  return { reason: 'ResolutionFailed', message };
}

function workloadSource(
  namespace: string,
  { apiGroup = '', kind: written, name }: NonNullable<CapacityBufferSpec['scalableRef']>,
  workloads: BufferWorkloads,
): Source | Failure {
  if (apiGroup !== '' && apiGroup !== 'apps') {
    const message = `unsupported scalableRef API group ${JSON.stringify(apiGroup)}`;
    return { reason: 'ResolutionFailed', message };
  }
  const kind = scalableKinds.find((known) => known === written);
  if (kind === undefined) {
    return { reason: 'ResolutionFailed', message: `unsupported kind ${JSON.stringify(written)}` };
  }
  const found = workloads.workload(kind, namespace, name);
  if (found === undefined) {
    const message = `${kind.toLowerCase()}s.apps "${name}" not found`;
    return { reason: 'ScalableRefNotFound', message };
  }
  const { template, replicas: target = 1 } = found.spec;
  return { template, target, status: {} };
}
