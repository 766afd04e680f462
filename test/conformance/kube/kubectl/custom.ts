// What people see of the project's own kinds: explained, written, refused and described. The definitions are those of the
// chart, installed with helm where it is there, else with kubectl.
import { join } from 'node:path';
import { expect } from 'vitest';
import { hasHelm, type Outcome } from './programs.ts';
import type { Story, Terminal } from './terminal.ts';
import { play, printedBy, type Stories } from './transcript.ts';

const crdChart = join(import.meta.dirname, '../../../../charts/karpenter-crd');
const installations = new WeakMap<Terminal, Promise<Outcome>>();

/** Once per cluster; a server may take a moment until it explains new kinds. */
export function installDefinitions(story: Story): Promise<Outcome> {
  const { terminal } = story;
  const known = installations.get(terminal);
  if (known !== undefined) return known;
  const install = async (): Promise<Outcome> => {
    const files = `${crdChart}/templates`;
    const outcome = hasHelm
      ? await story.helm(`install karpenter-crd ${crdChart} -n kube-system`)
      : await story.kubectl(`apply --server-side -f ${files}`);
    await story.kubectl('wait crd -l app!=x --for=condition=Established --timeout=10s');
    for (const kind of ['nodepool', 'nodeclaim', 'aksnodeclass']) {
      while ((await story.kubectl(`explain ${kind}`)).code !== 0);
    }
    return outcome;
  };
  const installation = install();
  installations.set(terminal, installation);
  return installation;
}

const pool = `
      > apiVersion: karpenter.sh/v1
      > kind: NodePool
      > metadata: {name: NAMESPACE}
      > spec:
      >   template:
      >     spec:
      >       nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      >       requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]
      >   limits: {cpu: 100}`;

async function withDefinitions(story: Story, transcript: string): Promise<void> {
  await installDefinitions(story);
  await play(story, transcript);
}

export const customStories: Stories = {
  'lists our kinds with their short names': async (story) => {
    await installDefinitions(story);
    const listed = await story.kubectl('api-resources --api-group=karpenter.sh --no-headers');
    expect(printedBy(listed, story)).toEqual([
      'nodeclaims karpenter.sh/v1 false NodeClaim',
      'nodeoverlays overlays karpenter.sh/v1alpha1 false NodeOverlay',
      'nodepools karpenter.sh/v1 false NodePool',
    ]);
  },

  'explains our kinds, down to nested fields and as trees': async (story) => {
    await withDefinitions(
      story,
      `
      $ kubectl explain nodepool.spec.disruption.budgets
      GROUP: karpenter.sh
      KIND: NodePool
      VERSION: v1
      FIELD: budgets <[]Object>
      DESCRIPTION:
      Limits on simultaneous disruption; the strictest active one counts.
      FIELDS:
      duration <string>
      ...
      nodes <string> -required-
      ...
      reasons <[]string>
      ...
      schedule <string>
      ...
      $ kubectl explain nodepool.spec.disruption --recursive
      GROUP: karpenter.sh
      KIND: NodePool
      VERSION: v1
      FIELD: disruption <Object>
      DESCRIPTION:
      ...
      FIELDS:
      budgets <[]Object>
      duration <string>
      nodes <string> -required-
      reasons <[]string>
      schedule <string>
      consolidateAfter <string> -required-
      consolidationPolicy <string>
      enum: WhenEmpty, WhenEmptyOrUnderutilized, Balanced
      $ kubectl explain aksnodeclass.spec.imageFamily
      GROUP: karpenter.azure.com
      KIND: AKSNodeClass
      VERSION: v1beta1
      FIELD: imageFamily <string>
      ENUM:
      Ubuntu
      Ubuntu2204
      Ubuntu2404
      AzureLinux
      DESCRIPTION:
      ...
      $ kubectl explain nodeclaim.status.nope
      GROUP: karpenter.sh
      KIND: NodeClaim
      VERSION: v1
      error: field "nope" does not exist
      [1]
      `,
    );
  },

  'writes node pools with defaults, and describes them': async (story) => {
    await withDefinitions(
      story,
      `
      $ write pool.yaml ${pool}
      $ write changed.yaml ${pool.replace('cpu: 100', 'cpu: 200')}
      $ kubectl apply -f pool.yaml
      nodepool.karpenter.sh/NAMESPACE created
      $ kubectl apply -f pool.yaml
      nodepool.karpenter.sh/NAMESPACE unchanged
      $ kubectl get nodepool NAMESPACE
      NAME NODECLASS NODES READY AGE
      NAMESPACE default …<age>
      $ kubectl diff -f changed.yaml
      diff -u -N …
      ...
      limits:
      - cpu: 100
      + cpu: 200
      ...
      [1]
      $ kubectl apply --server-side --force-conflicts -f changed.yaml
      nodepool.karpenter.sh/NAMESPACE serverside-applied
      $ kubectl label nodepool NAMESPACE team=shop
      nodepool.karpenter.sh/NAMESPACE labeled
      $ kubectl patch nodepool NAMESPACE --type=json -p '[{"op":"add","path":"/spec/weight","value":5}]'
      nodepool.karpenter.sh/NAMESPACE patched
      $ kubectl patch nodepool NAMESPACE -p '{"spec":{"weight":6}}'
      error: application/strategic-merge-patch+json is not supported by karpenter.sh/v1, Kind=NodePool: the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml
      [1]
      $ kubectl describe nodepool NAMESPACE
      Name: NAMESPACE
      Namespace:
      Labels: team=shop
      Annotations: <none>
      API Version: karpenter.sh/v1
      Kind: NodePool
      Metadata:
      Creation Timestamp: <time>
      Generation: 3
      Resource Version: …
      UID: <uid>
      Spec:
      Disruption:
      Budgets:
      Nodes: 10%
      Consolidate After: 0s
      Consolidation Policy: WhenEmptyOrUnderutilized
      Limits:
      Cpu: 200
      Template:
      Spec:
      Expire After: 720h
      Node Class Ref:
      Group: karpenter.azure.com
      Kind: AKSNodeClass
      Name: default
      Requirements:
      Key: karpenter.sh/capacity-type
      Operator: In
      Values:
      spot
      Weight: 5
      Events: <none>
      $ kubectl delete nodepool NAMESPACE
      nodepool.karpenter.sh "NAMESPACE" deleted
      `,
    );
  },

  'refuses node pools that break the rules, in the words of the rules': async (story) => {
    await withDefinitions(
      story,
      `
      $ kubectl create -f - ${pool.replace('operator: In', 'operator: Near')}
      The NodePool "NAMESPACE" is invalid:
      * spec.template.spec.requirements[0].operator: Unsupported value: "Near": supported values: "Gte", "Lte", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"
      * <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation
      [1]
      $ kubectl create -f - ${pool}
      nodepool.karpenter.sh/NAMESPACE created
      $ kubectl patch nodepool NAMESPACE --type=merge -p '{"spec":{"weight":500}}'
      The NodePool "NAMESPACE" is invalid: spec.weight: Invalid value: 500: spec.weight in body should be less than or equal to 100
      [1]
      $ kubectl patch nodepool NAMESPACE --type=merge -p '{"spec":{"wieght":5}}'
      nodepool.karpenter.sh/NAMESPACE patched (no change)
      Warning: unknown field "spec.wieght"
      $ kubectl create --validate=strict -f -
      > {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "NAMESPACE-bad"}, "spec": {"nope": 1, "template": {"spec": {}}}}
      Error from server (BadRequest): error when creating "STDIN": NodePool in version "v1" cannot be handled as a NodePool: strict decoding error: unknown field "spec.nope"
      [1]
      $ kubectl scale nodepool NAMESPACE --replicas=2
      ...
      $ kubectl delete nodepool NAMESPACE
      nodepool.karpenter.sh "NAMESPACE" deleted
      `,
    );
  },
};
