// Asks a pod to go, if the budgets that protect it allow. In: an Eviction. Out: Success once the pod's deletion has begun,
// 429 while a budget has nothing left, 500 when more than one budget claims the pod.
// The budget is charged before the pod is deleted: two evictions at once can never spend the same allowance.
import { toTimestamp } from '../../../base/clock.ts';
import type { RequestContext } from '../api.ts';
import { countAt, objectAt, objectsAt, stringAt, textAt, withValue } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { admissionRequest, mutate, validate } from '../resource/admit.ts';
import { inNamespace } from '../resource/create.ts';
import { decode } from '../resource/decode.ts';
import { deleteObject } from '../resource/delete.ts';
import { existing } from '../resource/read.ts';
import type { Body, Environment } from '../resource/environment.ts';
import type { CreateRequest } from '../resource/kube-api.ts';
import { updateObject } from '../resource/update.ts';
import { labelSelectorTest } from '../selector/label-selector.ts';
import {
  badRequest,
  forbidden,
  notFound,
  tooManyRequests,
  unknownFailure,
  withCauses,
  type StatusError,
} from '../status-error.ts';
import { success } from './binding.ts';

const system: RequestContext = {
  user: { username: 'system:apiserver', groups: ['system:masters'] },
  fieldManager: 'kube-apiserver',
};

/** A budget that nobody keeps up to date must not be charged without end. */
const maxDisruptedPods = 2000;

export function evictPod(env: Environment, request: CreateRequest): ApiObject {
  const { kind, context, namespace, name } = request;
  const gvk = { group: 'policy', version: 'v1', kind: 'Eviction' };
  const schema = env.typeOf(gvk);
  const version = versionOf(request.body);
  const eviction = decode(request.body, { ...gvk, version, isCustom: false, schema }, context);
  if (eviction.metadata.name !== '' && eviction.metadata.name !== name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  inNamespace(eviction, { kind, namespace });
  const options = objectAt(eviction, 'deleteOptions') ?? {};
  const dryRun = context.dryRun === true || options['dryRun'] !== undefined;
  admit(env, request, eviction);
  const pod = existing(env, kind, { namespace, name });
  if (!ignoresBudgets(pod)) spendBudget(env, { ...request, context: { ...system, dryRun } }, pod);
  if (!dryRun) mark(env, request);
  deleteObject(env, { kind, context: { ...context, dryRun }, namespace, name, options });
  return success;
}

/** Its version before this one is no longer served, but still read. */
function versionOf(body: Body): string {
  const isOld =
    'object' in body
      ? body.object['apiVersion'] === 'policy/v1beta1'
      : /["']?apiVersion["']?\s*:\s*["']?policy\/v1beta1\b/.test(body.text);
  return isOld ? 'v1beta1' : 'v1';
}

function admit(env: Environment, request: CreateRequest, eviction: ApiObject): void {
  const { kind, context, namespace, name } = request;
  const subresource = 'eviction';
  const asked = admissionRequest({
    operation: 'CREATE',
    kind,
    context,
    subresource,
    namespace,
    name,
  });
  validate(env, mutate(env, eviction, asked), asked);
}

function spendBudget(env: Environment, request: CreateRequest, pod: ApiObject): void {
  const labels = pod.metadata.labels ?? {};
  const budgets = env.store
    .all('policy/poddisruptionbudgets', `${request.namespace ?? ''}/`)
    .filter((budget) => labelSelectorTest(objectAt(budget, 'spec', 'selector'))(labels));
  const [budget, ...others] = budgets;
  if (others.length > 0) {
    throw unknownFailure(
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  if (budget !== undefined && !mayGoUnhealthy(pod, budget)) charge(env, request, { pod, budget });
}

/** Leaves the reason of its end on the pod, for whoever counts failures. */
function mark(env: Environment, { kind, namespace, name }: CreateRequest): void {
  updateObject(
    env,
    { kind, context: system, namespace, name, subresource: 'status', tracksItself: true },
    (pod) => {
      if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, name);
      const target = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
        lastProbeTime: null,
        lastTransitionTime: toTimestamp(env.clock.now()),
      };
      const others = objectsAt(pod, 'status', 'conditions').filter(
        (condition) => stringAt(condition, 'type') !== target.type,
      );
      return withValue(pod, ['status', 'conditions'], [...others, target]);
    },
  );
}

/** Finished, never started, or already going: evicting it disturbs nothing. */
function ignoresBudgets(pod: ApiObject): boolean {
  const phase = textAt(pod, 'status', 'phase');
  return (
    ['Succeeded', 'Failed', 'Pending'].includes(phase) ||
    pod.metadata.deletionTimestamp !== undefined
  );
}

function isReady(pod: ApiObject): boolean {
  return objectsAt(pod, 'status', 'conditions').some(
    (condition) =>
      stringAt(condition, 'type') === 'Ready' && stringAt(condition, 'status') === 'True',
  );
}

/** A pod that serves nobody takes nothing from the budget by going. */
function mayGoUnhealthy(pod: ApiObject, budget: ApiObject): boolean {
  if (isReady(pod)) return false;
  if (stringAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const healthy = countAt(budget, 'status', 'currentHealthy');
  const desired = countAt(budget, 'status', 'desiredHealthy');
  return healthy >= desired && desired > 0;
}

function refusal(message: string, cause: string): StatusError {
  return withCauses(tooManyRequests(message, 0), [{ reason: 'DisruptionBudget', message: cause }]);
}

function charge(
  env: Environment,
  { context, namespace }: CreateRequest,
  { pod, budget }: { readonly pod: ApiObject; readonly budget: ApiObject },
): void {
  const kind = env.registry.find('policy', 'v1', 'poddisruptionbudgets');
  if (kind === undefined) return;
  const { name } = budget.metadata;
  updateObject(
    env,
    { kind, context, namespace, name, subresource: 'status' },
    (current = budget) => {
      checkAllowed(current, name);
      const allowed = countAt(current, 'status', 'disruptionsAllowed');
      const disrupted = objectAt(current, 'status', 'disruptedPods') ?? {};
      const charged = withValue(current, ['status', 'disruptionsAllowed'], allowed - 1);
      const now = toTimestamp(env.clock.now());
      const noted = withValue(charged, ['status', 'disruptedPods'], {
        ...disrupted,
        [pod.metadata.name]: now,
      });
      return allowed === 1 ? spent(noted, now) : noted;
    },
  );
}

/** The condition of a budget that has nothing left. */
function spent(budget: ApiObject, now: string): ApiObject {
  const type = 'DisruptionAllowed';
  const conditions = objectsAt(budget, 'status', 'conditions');
  const old = conditions.find((condition) => stringAt(condition, 'type') === type);
  const isSame = stringAt(old, 'status') === 'False';
  const condition = {
    type,
    status: 'False',
    reason: 'InsufficientPods',
    message: '',
    observedGeneration: countAt(budget, 'status', 'observedGeneration'),
    lastTransitionTime: isSame ? (stringAt(old, 'lastTransitionTime') ?? now) : now,
  };
  const others = conditions.filter((item) => item !== old);
  return withValue(budget, ['status', 'conditions'], [...others, condition]);
}

function checkAllowed(budget: ApiObject, name: string): void {
  const cannot = "Cannot evict pod as it would violate the pod's disruption budget.";
  const observed = countAt(budget, 'status', 'observedGeneration');
  if (observed < (budget.metadata.generation ?? 0)) {
    const unready = tooManyRequests(cannot, 10);
    throw withCauses(unready, [
      {
        reason: 'DisruptionBudget',
        message: `The disruption budget ${name} is still being processed by the server.`,
      },
    ]);
  }
  const allowed = countAt(budget, 'status', 'disruptionsAllowed');
  if (allowed < 0) {
    throw forbidden(
      { group: 'policy', resource: 'poddisruptionbudget' },
      name,
      'pdb disruptions allowed is negative',
    );
  }
  const disrupted = Object.keys(objectAt(budget, 'status', 'disruptedPods') ?? {}).length;
  if (disrupted > maxDisruptedPods) {
    throw forbidden(
      { group: 'policy', resource: 'poddisruptionbudget' },
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  }
  if (allowed > 0) return;
  const desired = countAt(budget, 'status', 'desiredHealthy');
  const healthy = countAt(budget, 'status', 'currentHealthy');
  throw refusal(
    cannot,
    `The disruption budget ${name} needs ${desired} healthy pods and has ${healthy} currently`,
  );
}
