// What a launch answers: the machine as a claim, with what later rounds go by. In: the claim that was asked for, its class, the
// machine. Out: a NodeClaim with labels for what the claim left no choice about, and the hashes by which drift is seen.
import { type AKSNodeClass, specOf } from '../../api/aks-node-class.ts';
import { annotation, azureWellKnownLabels } from '../../api/labels.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import { aksNodeClassHash, aksNodeClassHashVersion } from '../../model/aks-node-class-hash.ts';
import { type InPlaceUpdate, inPlaceUpdateHash } from '../../model/in-place-update-hash.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { requirementsFromEntries } from '../../model/requirements.ts';
import { singleValued } from '../bootstrap/node-labels.ts';
import { machineTags, resourceTags } from '../bootstrap/resource-tags.ts';
import { azureLabelRules } from '../catalog/label-rules.ts';
import type { Instance } from './instance.ts';
import { claimOfInstance } from './instance-claim.ts';

export interface LaunchedSettings {
  readonly clusterName: string;
  readonly additionalTags: Readonly<Record<string, string>>;
  readonly nodeIdentities: readonly string[];
}

export interface Owner {
  readonly nodeClaim: NodeClaim;
  readonly nodeClass: AKSNodeClass;
}

const azureLabels: ReadonlySet<string> = new Set(azureWellKnownLabels);

export function launchedClaim(launched: {
  readonly owner: Owner;
  readonly instance: Instance;
  readonly instanceType: InstanceType | undefined;
  readonly settings: LaunchedSettings;
  readonly nowMs: number;
}): NodeClaim {
  const { owner, instance, settings } = launched;
  const claim = claimOfInstance(instance, launched);
  return {
    ...claim,
    metadata: {
      ...claim.metadata,
      name: owner.nodeClaim.metadata.name,
      labels: { ...azureLabelsOf(owner.nodeClaim), ...claim.metadata.labels },
      annotations: {
        ...claim.metadata.annotations,
        [annotation.aksNodeClassHash]: aksNodeClassHash(specOf(owner.nodeClass)),
        [annotation.aksNodeClassHashVersion]: aksNodeClassHashVersion,
        [annotation.inPlaceUpdateHash]: inPlaceUpdateHash(inPlaceGoal(settings, owner, instance)),
      },
    },
  };
}

/** Identities of AKS machines are the service's. */
function inPlaceGoal(
  settings: LaunchedSettings,
  owner: Owner,
  { kind }: Pick<Instance, 'kind'>,
): InPlaceUpdate {
  if (kind === 'machine') return { tags: machineTags(settings, owner) };
  return { identities: settings.nodeIdentities, tags: resourceTags(settings, owner) };
}

/** They are labels before there is a node: later rounds of scheduling go by them. */
function azureLabelsOf({ spec }: NodeClaim): Readonly<Record<string, string>> {
  const single = singleValued(requirementsFromEntries(azureLabelRules, spec.requirements));
  return Object.fromEntries(Object.entries(single).filter(([key]) => azureLabels.has(key)));
}
