// The workqueue_* metrics under the names and labels that dashboards for Kubernetes controllers know.
// In: what happens to the keys of a queue. Out: series labelled by the queue's name. One instance per registry.
// The two gauges about work under way change with time alone, so they are computed by `refresh` when somebody
// reads the metrics, not by a timer.
import type { MetricsRegistry } from '../../base/metrics.ts';

/** What a queue reports of itself. */
export interface WorkQueueMeter {
  added(): void;
  taken(waitedSeconds: number): void;
  worked(seconds: number): void;
  retried(): void;
  /** Keys that a shutdown threw away. */
  dropped(count: number): void;
}

type RunningSeconds = () => Iterable<number>;

const labels = ['name', 'controller'];

/** Ten nanoseconds to a thousand seconds. */
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];

export class WorkQueueMetrics {
  readonly #metrics: ReturnType<typeof createMetrics>;
  readonly #running = new Map<string, RunningSeconds>();

  constructor(registry: MetricsRegistry) {
    this.#metrics = createMetrics(registry);
  }

  /** `running` tells how long each key that is being worked on has been so. */
  register(name: string, running: RunningSeconds): WorkQueueMeter {
    const { adds, depth, queueDuration, workDuration, retries } = this.#metrics;
    const own = { name, controller: name };
    // Every key has the same priority; the label is there because the original's depth has it.
    const ownDepth = { ...own, priority: '0' };
    this.#running.set(name, running);
    adds.add(own, 0);
    retries.add(own, 0);
    depth.set(0, ownDepth);
    return {
      added() {
        adds.add(own);
        depth.add(ownDepth);
      },
      taken(waitedSeconds) {
        depth.add(ownDepth, -1);
        queueDuration.observe(waitedSeconds, own);
      },
      worked: (seconds) => workDuration.observe(seconds, own),
      retried: () => retries.add(own),
      dropped: (count) => depth.add(ownDepth, -count),
    };
  }

  /** Brings the gauges about work under way up to date. */
  refresh(): void {
    for (const [name, running] of this.#running) {
      const own = { name, controller: name };
      let total = 0;
      let longest = 0;
      for (const seconds of running()) {
        total += seconds;
        longest = Math.max(longest, seconds);
      }
      this.#metrics.unfinished.set(total, own);
      this.#metrics.longest.set(longest, own);
    }
  }
}

function createMetrics(registry: MetricsRegistry) {
  return {
    adds: registry.counter({
      name: 'workqueue_adds_total',
      help: 'Keys added to a work queue',
      labels,
    }),
    depth: registry.gauge({
      name: 'workqueue_depth',
      help: 'Keys in a work queue that wait for a worker',
      labels: [...labels, 'priority'],
    }),
    queueDuration: registry.histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'Time a key waits in a work queue for a worker',
      labels,
      buckets,
    }),
    workDuration: registry.histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'Time a worker takes for a key',
      labels,
      buckets,
    }),
    unfinished: registry.gauge({
      name: 'workqueue_unfinished_work_seconds',
      help: 'Time spent so far on all keys that are being worked on; keeps growing when workers are stuck',
      labels,
    }),
    longest: registry.gauge({
      name: 'workqueue_longest_running_processor_seconds',
      help: 'Time spent so far on the key that has been worked on the longest',
      labels,
    }),
    retries: registry.counter({
      name: 'workqueue_retries_total',
      help: 'Keys added to a work queue with a delay',
      labels,
    }),
  };
}
