// What a Job makes of a failed pod. In: its pod failure policy and the pod. Out: the action of the first rule that
// matches, and for the end of the whole job the words for it.
import { numberAt, objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';

export type FailureAction = 'Ignore' | 'Count' | 'FailIndex' | 'FailJob';

interface FailureRule {
  readonly action: FailureAction;
  readonly onExitCodes?: {
    readonly containerName?: string;
    readonly operator: 'In' | 'NotIn';
    readonly values: readonly number[];
  };
  readonly onPodConditions?: readonly { readonly type: string; readonly status: string }[];
}

export interface FailurePolicy {
  readonly rules: readonly FailureRule[];
}

export interface FailureVerdict {
  readonly action: FailureAction;
  readonly message: string;
}

/** Undefined: no rule has anything to say, and the failure counts as any other. */
export function judgeFailure(
  policy: FailurePolicy | undefined,
  pod: ApiObject,
): FailureVerdict | undefined {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const found = rule.onExitCodes === undefined ? byCondition(rule, pod) : byExitCode(rule, pod);
    if (found === undefined) continue;
    const message = `${found} matching ${rule.action} rule at index ${index}`;
    return { action: rule.action, message };
  }
  return undefined;
}

function byExitCode({ onExitCodes: wanted }: FailureRule, pod: ApiObject): string | undefined {
  if (wanted === undefined) return undefined;
  const container = containerStatuses(pod).find((status) => {
    const code = exitCodeOf(status);
    if (code === undefined || code === 0) return false;
    if (wanted.containerName !== undefined && wanted.containerName !== status['name']) return false;
    return wanted.values.includes(code) === (wanted.operator === 'In');
  });
  if (container === undefined) return undefined;
  const { namespace, name } = pod.metadata;
  return `Container ${textAt(container, 'name')} for pod ${namespace}/${name} failed with exit code ${exitCodeOf(container)}`;
}

/** Those that ran all the time first, as the original looks at them. */
function containerStatuses(pod: ApiObject): readonly JsonObject[] {
  return [
    ...objectsAt(pod, 'status', 'containerStatuses'),
    ...objectsAt(pod, 'status', 'initContainerStatuses'),
  ];
}

/** Undefined while the container has not ended. */
function exitCodeOf(status: JsonObject): number | undefined {
  if (objectAt(status, 'state', 'terminated') === undefined) return undefined;
  return numberAt(status, 'state', 'terminated', 'exitCode') ?? 0;
}

function byCondition({ onPodConditions = [] }: FailureRule, pod: ApiObject): string | undefined {
  const condition = objectsAt(pod, 'status', 'conditions').find((condition) =>
    onPodConditions.some(
      ({ type, status }) =>
        stringAt(condition, 'type') === type && stringAt(condition, 'status') === status,
    ),
  );
  if (condition === undefined) return undefined;
  const { namespace, name } = pod.metadata;
  return `Pod ${namespace}/${name} has condition ${textAt(condition, 'type')}`;
}
