// What a virtual machine needs to become a node. In: the cluster and the node. Out: custom data, and for machines that AKS
// prepares the command that its script extension runs. Two ways, one shape.
import { withDeadline } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import {
  type BootstrappingAnswer,
  bootstrappingRequest,
  readBootstrappingAnswer,
} from '../bootstrap/bootstrapping-service.ts';
import type { ClusterSettings, NodePlan } from '../bootstrap/node-plan.ts';
import { scriptlessCustomData } from '../bootstrap/scriptless.ts';
import type { TokenSource } from '../arm/send.ts';
import type { Transport } from '../arm/transport.ts';

export interface NodeBoot {
  readonly customData: string;
  readonly command?: string;
}

export type NodeBootSource = (
  cluster: ClusterSettings,
  plan: NodePlan,
  signal: AbortSignal,
) => Promise<NodeBoot>;

/** The machine finds all it needs in its image and its custom data. */
export const scriptlessBoot: NodeBootSource = async (cluster, plan) => {
  const made = await Promise.resolve(scriptlessCustomData(cluster, plan));
  if (made.ok) return { customData: made.customData };
  throw refused(made.reason);
};

/** AKS's own service is asked for each node. */
export function serviceBoot(service: {
  /** Host, or host and port. */
  readonly server: string;
  readonly transport: Transport;
  readonly tokens: TokenSource;
  readonly clock: Clock;
}): NodeBootSource {
  const { server, transport, tokens, clock } = service;
  return async (cluster, plan, outer) => {
    const asked = bootstrappingRequest(cluster, plan);
    if (!asked.ok) throw refused(asked.reason);
    const { path, body, timeoutMs, method } = asked.request;
    const token = await tokens.token();
    const answer = await withDeadline(
      { clock, timeoutMs, signal: outer, what: 'node bootstrapping' },
      (signal) =>
        transport({
          method,
          url: `${/^https?:\/\//.test(server) ? '' : 'http://'}${server}${path}`,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal,
        }),
    );
    if (answer.status !== 200) throw refused(`status ${answer.status}: ${answer.text}`);
    const read = readBootstrappingAnswer(
      JSON.parse(answer.text) as BootstrappingAnswer,
      cluster.bootstrapToken,
    );
    if (!read.ok) throw refused(read.reason);
    return { customData: read.customData, command: read.cse };
  };
}

function refused(reason: string): CodedError {
  return new CodedError('BootstrapRefused', 'cannot say how the machine becomes a node', {
    fields: { reason },
  });
}
