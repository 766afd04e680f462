// PodDisruptionBudget status: how many pods may go now. In: the budget, the pods it covers, what their owners ask
// for. Out: status. The eviction call takes from `disruptionsAllowed`; this loop gives back.
// An eviction is noted in `disruptedPods` until the pod is seen to go, or two minutes have passed.
import type { Json, LabelSelector } from '../../../api/meta.ts';
import type { ApiObject } from '../object.ts';
import { compileSelector } from '../scheduler/label-selector.ts';
import { scaledValue } from './deployment/rollout.ts';
import { PodScales, sizeOf } from './pod-scale.ts';
import { isActive, isReady } from './pods.ts';
import { address } from './runtime/addresses.ts';
import { withCondition, type Condition } from './runtime/condition.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from './runtime/controller.ts';
import { objectKey, type Informer } from './runtime/informer.ts';
import type { KindCatalog } from './runtime/kind-catalog.ts';
import { writeStatus } from './runtime/status.ts';

const evictionTimeoutMs = 2 * 60_000;
/** Owners of other kinds are not watched: whether they can be asked by now is found out by asking again. */
const retryMs = 30_000;
const spelledOut = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];

interface BudgetSpec {
  readonly selector?: LabelSelector;
  readonly minAvailable?: Json;
  readonly maxUnavailable?: Json;
}

type BudgetStatus = {
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly conditions?: readonly Condition[];
};

interface Expectation {
  readonly expected: number;
  readonly desired: number;
}

export const disruptionController =
  (catalog: KindCatalog): ControllerFactory =>
  (context) =>
    new DisruptionController(context, catalog);

class DisruptionController implements Controller {
  readonly name = 'disruption-controller';
  readonly #context: ControllerContext;
  readonly #budgets: Informer;
  readonly #pods: Informer;
  readonly #scales: PodScales;

  constructor(context: ControllerContext, catalog: KindCatalog) {
    this.#context = context;
    const { informers } = context;
    this.#budgets = informers.of(address.budgets);
    this.#pods = informers.of(address.pods);
    this.#pods.addIndex('namespace', (pod) => [pod.metadata.namespace ?? '']);
    this.#budgets.addIndex('namespace', (budget) => [budget.metadata.namespace ?? '']);
    const owners = {
      ReplicaSet: informers.of(address.replicaSets),
      Deployment: informers.of(address.deployments),
      StatefulSet: informers.of(address.statefulSets),
      ReplicationController: informers.of(address.replicationControllers),
    };
    this.#scales = new PodScales({ client: context.client, catalog, owners });
    this.#budgets.onChange(({ before, after }) => {
      const budget = after ?? before;
      if (budget !== undefined) context.enqueue(objectKey(budget));
    });
    this.#pods.onChange(({ before, after }) => {
      for (const pod of [before, after]) if (pod !== undefined) this.#concern(pod);
    });
    for (const informer of Object.values(owners)) {
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
    const expectation = this.#expectation(budget, pods);
    if (typeof expectation === 'string') return this.#fail(budget, expectation);
    const { expected, desired } = expectation;
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

  /** Nothing may go while it is not known how many there should be. */
  #fail(budget: ApiObject, problem: string): Again {
    const { client, events, clock } = this.#context;
    const message = `Failed to calculate the number of expected pods: ${problem}`;
    const reason = 'CalculateExpectedPodCountFailed';
    events.say({ about: budget, type: 'Warning', reason, message });
    const status = statusOf(budget);
    const condition: Condition = {
      ...conditionOf(budget, 0),
      reason: 'SyncFailed',
      message: problem,
    };
    const conditions = withCondition(status.conditions, condition, clock.now());
    const wanted = { ...status, disruptionsAllowed: 0, conditions };
    writeStatus(client, address.budgets, budget, { status: wanted, spelledOut });
    return retryMs;
  }

  /** A number of available pods is taken as written; everything else is a share of what the owners ask for. */
  #expectation(budget: ApiObject, pods: readonly ApiObject[]): Expectation | string {
    const { minAvailable, maxUnavailable } = specOf(budget);
    const isShare = typeof minAvailable === 'string' && minAvailable.endsWith('%');
    if (maxUnavailable === undefined && !isShare) {
      const desired = typeof minAvailable === 'number' ? minAvailable : 0;
      return { expected: pods.length, desired };
    }
    const scale = this.#scales.of(pods);
    if (!scale.ok) return scale.problem;
    const { expected, unmanaged } = scale;
    if (unmanaged.length > 0) this.#sayUnmanaged(budget);
    if (maxUnavailable === undefined) {
      return { expected, desired: scaledValue(minAvailable ?? 0, expected, Math.ceil) };
    }
    const lost = scaledValue(maxUnavailable, expected, Math.ceil);
    return { expected, desired: Math.max(0, expected - lost) };
  }

  #sayUnmanaged(budget: ApiObject): void {
    const message = `Pods selected by this PodDisruptionBudget (selector: ${JSON.stringify(specOf(budget).selector ?? {})}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
    const about = { about: budget, type: 'Warning' as const, reason: 'UnmanagedPods' };
    this.#context.events.say({ ...about, message });
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
