// The controller_runtime_* metrics under the names that dashboards for Kubernetes controllers know.
// In: starts and outcomes of reconciles. Out: series labelled by controller. One instance per registry.
import type { MetricsRegistry } from '../../base/metrics.ts';

type ReconcileOutcome = 'success' | 'error' | 'requeue' | 'requeue_after';

/** What one controller reports. */
export interface ControllerMeter {
  started(): void;
  finished(seconds: number): void;
  outcome(outcome: ReconcileOutcome): void;
  terminalError(): void;
  panic(): void;
  timeout(): void;
}

const labels = ['controller'];

const outcomes: readonly ReconcileOutcome[] = ['success', 'error', 'requeue', 'requeue_after'];

const timeBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

export class ControllerMetrics {
  readonly #metrics: ReturnType<typeof createMetrics>;

  constructor(registry: MetricsRegistry) {
    this.#metrics = createMetrics(registry);
  }

  register(controller: string, concurrency: number): ControllerMeter {
    const { total, errors, terminalErrors, panics, timeouts, time, workers, active } =
      this.#metrics;
    const own = { controller };
    // Every series is there from the start: a rate over a series that appears with its first error is blind to it.
    for (const result of outcomes) total.add({ controller, result }, 0);
    for (const counter of [errors, terminalErrors, panics, timeouts]) counter.add(own, 0);
    workers.set(concurrency, own);
    active.set(0, own);
    return {
      started: () => active.add(own),
      finished(seconds) {
        active.add(own, -1);
        time.observe(seconds, own);
      },
      outcome(result) {
        total.add({ controller, result });
        if (result === 'error') errors.add(own);
      },
      terminalError: () => terminalErrors.add(own),
      panic: () => panics.add(own),
      timeout: () => timeouts.add(own),
    };
  }
}

function createMetrics(registry: MetricsRegistry) {
  const counter = (name: string, help: string) => registry.counter({ name, help, labels });
  return {
    total: registry.counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Reconciles by how they ended',
      labels: ['controller', 'result'],
    }),
    errors: counter('controller_runtime_reconcile_errors_total', 'Reconciles that failed'),
    terminalErrors: counter(
      'controller_runtime_terminal_reconcile_errors_total',
      'Reconciles that failed and are not tried again',
    ),
    panics: counter(
      'controller_runtime_reconcile_panics_total',
      'Reconciles that threw something that is no error',
    ),
    timeouts: counter(
      'controller_runtime_reconcile_timeouts_total',
      'Reconciles that were interrupted for taking too long',
    ),
    time: registry.histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'Time a reconcile takes',
      labels,
      buckets: timeBuckets,
    }),
    workers: registry.gauge({
      name: 'controller_runtime_max_concurrent_reconciles',
      help: 'Reconciles a controller may have under way',
      labels,
    }),
    active: registry.gauge({
      name: 'controller_runtime_active_workers',
      help: 'Reconciles a controller has under way',
      labels,
    }),
  };
}
