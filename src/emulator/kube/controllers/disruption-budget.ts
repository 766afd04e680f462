// PodDisruptionBudget status: how many pods may go now. In: the budget, the pods it covers, what their owners ask
// for. Out: status. The eviction call takes from `disruptionsAllowed`; this loop gives back.
// An eviction is noted in `disruptedPods` until the pod is seen to go, or two minutes have passed.
import type { Json, LabelSelector } from '../../../api/meta.ts';
import { numberAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { compileSelector } from '../scheduler/label-selector.ts';
import { scaledValue } from './deployment/rollout.ts';
import { controllerOf, isActive, isReady } from './pods.ts';
import { address } from './runtime/addresses.ts';
import { withCondition, type Condition } from './runtime/condition.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from './runtime/controller.ts';
import { objectKey, type Informer } from './runtime/informer.ts';
import { writeStatus } from './runtime/status.ts';

const evictionTimeoutMs = 2 * 60_000;

interface BudgetSpec {
  readonly selector?: LabelSelector;
  readonly minAvailable?: Json;
  readonly maxUnavailable?: Json;
}

type BudgetStatus = {
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly conditions?: readonly Condition[];
};

export const disruptionController: ControllerFactory = (context) =>
  new DisruptionController(context);

class DisruptionController implements Controller {
  readonly name = 'disruption-controller';
  readonly #context: ControllerContext;
  readonly #budgets: Informer;
  readonly #pods: Informer;
  readonly #owners: Readonly<Record<string, Informer>>;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { informers } = context;
    this.#budgets = informers.of(address.budgets);
    this.#pods = informers.of(address.pods);
    this.#pods.addIndex('namespace', (pod) => [pod.metadata.namespace ?? '']);
    this.#budgets.addIndex('namespace', (budget) => [budget.metadata.namespace ?? '']);
    this.#owners = {
      ReplicaSet: informers.of(address.replicaSets),
      Deployment: informers.of(address.deployments),
      StatefulSet: informers.of(address.statefulSets),
      ReplicationController: informers.of(address.replicationControllers),
    };
    this.#budgets.onChange(({ before, after }) => {
      const budget = after ?? before;
      if (budget !== undefined) context.enqueue(objectKey(budget));
    });
    this.#pods.onChange(({ before, after }) => {
      for (const pod of [before, after]) if (pod !== undefined) this.#concern(pod);
    });
    for (const informer of Object.values(this.#owners)) {
      informer.onChange(({ before, after }) => {
        if (before !== undefined && after !== undefined && sizeOf(before) === sizeOf(after)) return;
        const namespace = (after ?? before)?.metadata.namespace ?? '';
        for (const budget of this.#budgets.indexed('namespace', namespace)) {
          context.enqueue(objectKey(budget));
        }
      });
    }
  }

  reconcile(key: string): Again {
    const budget = this.#budgets.get(key);
    if (budget === undefined) return undefined;
    const nowMs = this.#context.clock.now();
    const pods = this.#covered(budget);
    const { expected, desired } = this.#expectation(budget, pods);
    const disrupted = stillDisrupted(budget, pods, nowMs);
    const healthy = pods.filter(
      (pod) => isReady(pod) && isActive(pod) && disrupted[pod.metadata.name] === undefined,
    ).length;
    const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
    const { conditions } = statusOf(budget);
    const status = {
      observedGeneration: budget.metadata.generation ?? 0,
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
      conditions: withCondition(conditions, conditionOf(budget, allowed), nowMs),
    };
    const spelledOut = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];
    writeStatus(this.#context.client, address.budgets, budget, { status, spelledOut });
    const ends = Object.values(disrupted).map((time) => Date.parse(time) + evictionTimeoutMs);
    return ends.length === 0 ? undefined : Math.min(...ends) - nowMs;
  }

  #concern(pod: ApiObject): void {
    const labels = pod.metadata.labels ?? {};
    for (const budget of this.#budgets.indexed('namespace', pod.metadata.namespace ?? '')) {
      if (compileSelector(specOf(budget).selector)(labels)) {
        this.#context.enqueue(objectKey(budget));
      }
    }
  }

  #covered(budget: ApiObject): readonly ApiObject[] {
    const matches = compileSelector(specOf(budget).selector);
    return this.#pods
      .indexed('namespace', budget.metadata.namespace ?? '')
      .filter((pod) => matches(pod.metadata.labels ?? {}));
  }

  /** A number of available pods is taken as written; everything else is a share of what the owners ask for. */
  #expectation(
    budget: ApiObject,
    pods: readonly ApiObject[],
  ): { readonly expected: number; readonly desired: number } {
    const { minAvailable, maxUnavailable } = specOf(budget);
    if (maxUnavailable !== undefined) {
      const expected = this.#scaleOf(budget, pods);
      const lost = scaledValue(maxUnavailable, expected, Math.ceil);
      return { expected, desired: Math.max(0, expected - lost) };
    }
    if (typeof minAvailable === 'string' && minAvailable.endsWith('%')) {
      const expected = this.#scaleOf(budget, pods);
      return { expected, desired: scaledValue(minAvailable, expected, Math.ceil) };
    }
    const desired = typeof minAvailable === 'number' ? minAvailable : 0;
    return { expected: pods.length, desired };
  }

  #scaleOf(budget: ApiObject, pods: readonly ApiObject[]): number {
    const sizes = new Map<string, number>();
    const unmanaged: string[] = [];
    for (const pod of pods) {
      const owner = this.#topOwner(pod);
      if (owner === undefined) unmanaged.push(pod.metadata.name);
      else sizes.set(owner.metadata.uid ?? '', sizeOf(owner));
    }
    if (unmanaged.length > 0) {
      const message = `Pods selected by this PodDisruptionBudget (selector: ${JSON.stringify(specOf(budget).selector ?? {})}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
      const about = { about: budget, type: 'Warning' as const, reason: 'UnmanagedPods' };
      this.#context.events.say({ ...about, message });
    }
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** The object that says how many pods there should be: a set's Deployment before the set. */
  #topOwner(object: ApiObject): ApiObject | undefined {
    const controller = controllerOf(object);
    const informer = controller === undefined ? undefined : this.#owners[controller.kind];
    const owner = informer?.get(`${object.metadata.namespace}/${controller?.name}`);
    if (owner === undefined || owner.metadata.uid !== controller?.uid) return undefined;
    return this.#topOwner(owner) ?? owner;
  }
}

function stillDisrupted(
  budget: ApiObject,
  pods: readonly ApiObject[],
  nowMs: number,
): Readonly<Record<string, string>> {
  const living = new Set(
    pods
      .filter((pod) => pod.metadata.deletionTimestamp === undefined)
      .map((pod) => pod.metadata.name),
  );
  const noted = Object.entries(statusOf(budget).disruptedPods ?? {});
  return Object.fromEntries(
    noted.filter(
      ([name, time]) => living.has(name) && Date.parse(time) + evictionTimeoutMs > nowMs,
    ),
  );
}

function conditionOf(budget: ApiObject, allowed: number): Condition {
  return {
    type: 'DisruptionAllowed',
    status: allowed > 0 ? 'True' : 'False',
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: budget.metadata.generation ?? 0,
  };
}

function specOf(budget: ApiObject): BudgetSpec {
  return (budget['spec'] ?? {}) as BudgetSpec;
}

function statusOf(budget: ApiObject): BudgetStatus {
  return (budget['status'] ?? {}) as BudgetStatus;
}

function sizeOf(owner: ApiObject): number {
  return numberAt(owner, 'spec', 'replicas') ?? 1;
}
