// `karpenter consolidate`: which nodes of a cluster in a file are not worth their money, worked out without a cluster. In: a
// problem document and the ways to look. Out: what each way would do, in the format of the original's oracle; on request
// why every other node stays. Exit code 1 when the document is no problem.
import type { Clock } from '../../base/clock.ts';
import { label } from '../../api/labels.ts';
import { offeringPrice } from '../../model/offering.ts';
import type { Cluster } from '../../scheduling/consolidate/cluster.ts';
import {
  type ConsolidationDocument,
  methodDocument,
} from '../../scheduling/consolidate/consolidate-document.ts';
import { Consolidation, type Method } from '../../scheduling/consolidate/consolidate.ts';
import { problemCluster } from '../../scheduling/consolidate/problem-cluster.ts';
import { readProblemFile } from '../problem-file.ts';
import type { Terminal } from '../terminal.ts';

export interface ConsolidateOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** `-` is standard input. */
  readonly file: string;
  /** `all`: those of the original, each as if it were the first. */
  readonly method: Method | 'all';
  /** Undefined: as the document says, or now. */
  readonly nowMs: number | undefined;
  readonly spotToSpot: boolean;
  readonly explain: boolean;
  /** Ends the search with what is there; undefined: it takes as long as it takes. */
  readonly timeLimitMs: number | undefined;
}

const originals: readonly Method[] = ['empty', 'multi', 'single'];

export async function consolidateFile(options: ConsolidateOptions): Promise<number> {
  const { terminal, clock, file, method, explain, spotToSpot, timeLimitMs = Infinity } = options;
  const document = await readProblemFile(file, terminal);
  if (document === undefined) return 1;
  const cluster = problemCluster(document, options.nowMs ?? document.nowMs ?? clock.now());
  const deadlineMs = clock.monotonic() + timeLimitMs;
  const stop = (): boolean => clock.monotonic() >= deadlineMs;
  const consolidation = new Consolidation(cluster, { spotToSpot, explain, stop });
  const methods = (method === 'all' ? originals : [method]).map((one) => [
    one,
    methodDocument(one, consolidation.run(one), explain),
  ]);
  const result: ConsolidationDocument = {
    nodes: document.nodes.length,
    pods: document.boundPods.length,
    price: priceOf(cluster),
    methods: Object.fromEntries(methods) as ConsolidationDocument['methods'],
  };
  terminal.print(JSON.stringify(result, undefined, 2));
  return 0;
}

function priceOf({ nodes, pools }: Cluster): number {
  let total = 0;
  for (const { place } of nodes) {
    const { [label.zone]: zone = '', [label.capacityType]: capacityType = '' } = place.labels;
    const type = pools
      .get(place.pool ?? '')
      ?.instanceTypes.find(({ name }) => name === place.labels[label.instanceType]);
    total += offeringPrice(type?.offerings ?? [], { zone, capacityType }) ?? 0;
  }
  return total;
}
