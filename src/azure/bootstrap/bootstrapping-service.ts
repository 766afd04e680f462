// Asking AKS's bootstrapping service how a machine becomes a node. In: the cluster and the node. Out: the request to
// send; and from its answer the custom data of the machine and the command of its script extension.
// The service does not know the bootstrap token: it leaves a gap in both, which is filled in here and nowhere logged.
import type { ClusterSettings, NodePlan } from './node-plan.ts';
import {
  type ProvisionQuestion,
  type ProvisionValues,
  provisionValues,
} from './provision-profile.ts';

export interface BootstrappingRequest {
  /** With a body, odd as that is. */
  readonly method: 'GET';
  readonly path: string;
  readonly body: ProvisionValues;
  readonly timeoutMs: number;
}

export interface BootstrappingAnswer {
  readonly customData?: string;
  readonly cse?: string;
}

export type NodeBootstrapping =
  | { readonly ok: true; readonly customData: string; readonly cse: string }
  | { readonly ok: false; readonly reason: string };

const tokenGap = '{{.TokenID}}.{{.TokenSecret}}';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function bootstrappingRequest(
  cluster: ClusterSettings,
  plan: NodePlan,
): { readonly ok: true; readonly request: BootstrappingRequest } | Refusal {
  const question = provisionValues(cluster, plan);
  if (!question.ok) return question;
  const { subscriptionId, clusterResourceGroup, clusterName } = cluster;
  return {
    ok: true,
    request: {
      method: 'GET',
      path: `/subscriptions/${subscriptionId}/resourceGroups/${clusterResourceGroup}/providers/Microsoft.ContainerService/managedclusters/${clusterName}/nodeBootstrapping`,
      body: question.values,
      timeoutMs: 30_000,
    },
  };
}

export function readBootstrappingAnswer(
  answer: BootstrappingAnswer,
  bootstrapToken: string,
): NodeBootstrapping {
  const { customData = '', cse = '' } = answer;
  if (cse === '') return refusal('without a script');
  if (customData === '') return refusal('without custom data');
  if (!base64.test(customData)) return refusal('with custom data that is not base64');
  const script = Buffer.from(customData, 'base64').toString();
  return {
    ok: true,
    customData: Buffer.from(script.replaceAll(tokenGap, () => bootstrapToken)).toString('base64'),
    cse: cse.replaceAll(tokenGap, () => bootstrapToken),
  };
}

type Refusal = Extract<ProvisionQuestion, { readonly ok: false }>;

function refusal(fault: string): Refusal {
  return { ok: false, reason: `the bootstrapping service answered ${fault}` };
}
