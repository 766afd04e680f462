// What people see of helm: the chart of our definitions, and a small chart through its whole life.
import { expect } from 'vitest';
import { installDefinitions } from './custom.ts';
import type { Story } from './terminal.ts';
import { play, printedBy, type Stories } from './transcript.ts';

const files = {
  'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\nappVersion: "1"\n',
  'shop/values.yaml': 'replicas: 1\nimage: example.com/web:1\nkind: ConfigMap\n',
  'shop/templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec: {containers: [{name: web, image: {{ .Values.image }}}]}
`,
  'shop/templates/facts.yaml': `apiVersion: v1
kind: {{ .Values.kind }}
metadata: {name: {{ .Release.Name }}-facts}
data:
  found: {{ (lookup "v1" "ConfigMap" .Release.Namespace "settings").data | default dict | toJson | quote }}
  version: {{ .Capabilities.KubeVersion.Version }}
  budgets: {{ .Capabilities.APIVersions.Has "policy/v1/PodDisruptionBudget" | quote }}
`,
};

async function withChart(story: Story, transcript: string): Promise<void> {
  for (const [name, content] of Object.entries(files)) await story.file(name, content);
  await play(story, transcript);
}

export const chartStories: Stories = {
  'installs our definitions': async (story) => {
    expect(printedBy(await installDefinitions(story), story)).toEqual([
      'NAME: karpenter-crd',
      'LAST DEPLOYED: <time>',
      'NAMESPACE: kube-system',
      'STATUS: deployed',
      'REVISION: 1',
      'TEST SUITE: None',
    ]);
    await play(
      story,
      `
      $ helm status karpenter-crd -n kube-system
      NAME: karpenter-crd
      ...
      STATUS: deployed
      ...
      $ kubectl get crd nodepools.karpenter.sh --show-labels
      NAME CREATED AT LABELS
      nodepools.karpenter.sh <time> app.kubernetes.io/managed-by=Helm
      `,
    );
  },

  'installs, upgrades, rolls back and removes a chart, waiting for its pods': async (story) => {
    await withChart(
      story,
      `
      $ kubectl create configmap settings --from-literal=a=b
      configmap/settings created
      $ helm install shop shop --wait --timeout=20s
      NAME: shop
      LAST DEPLOYED: <time>
      NAMESPACE: NAMESPACE
      STATUS: deployed
      REVISION: 1
      TEST SUITE: None
      $ kubectl get configmap shop-facts -o jsonpath={.data}
      {"budgets":"true","found":"{\\"a\\":\\"b\\"}","version":"v1.35.4"}
      $ helm upgrade shop shop --set=replicas=2 --wait --timeout=20s
      Release "shop" has been upgraded. Happy Helming!
      ...
      REVISION: 2
      ...
      $ kubectl get deployment shop
      NAME READY UP-TO-DATE AVAILABLE AGE
      shop 2/2 2 2 <age>
      $ helm list
      NAME NAMESPACE REVISION UPDATED STATUS CHART APP VERSION
      shop NAMESPACE 2 <time> deployed shop-1.0.0 1
      $ helm get values shop
      USER-SUPPLIED VALUES:
      replicas: 2
      $ helm rollback shop 1 --wait --timeout=20s
      Rollback was a success! Happy Helming!
      $ helm history shop
      REVISION UPDATED STATUS CHART APP VERSION DESCRIPTION
      1 <time> superseded shop-1.0.0 1 Install complete
      2 <time> superseded shop-1.0.0 1 Upgrade complete
      3 <time> deployed shop-1.0.0 1 Rollback to 1
      $ helm status shop
      NAME: shop
      ...
      STATUS: deployed
      REVISION: 3
      ...
      $ kubectl get secrets --field-selector=type=helm.sh/release.v1
      NAME TYPE DATA AGE
      sh.helm.release.v1.shop.v1 helm.sh/release.v1 1 <age>
      sh.helm.release.v1.shop.v2 helm.sh/release.v1 1 <age>
      sh.helm.release.v1.shop.v3 helm.sh/release.v1 1 <age>
      $ helm uninstall shop --wait --timeout=20s
      release "shop" uninstalled
      $ helm uninstall shop
      Error: uninstall: Release not loaded: shop: release: not found
      [1]
      $ kubectl get deployments,configmaps,secrets
      NAME DATA AGE
      configmap/kube-root-ca.crt 1 <age>
      configmap/settings 1 <age>
      `,
    );
  },

  'says when pods do not become ready, and when a name is taken': async (story) => {
    await withChart(
      story,
      `
      $ helm install shop shop --set=image=example.com/never-ready:1 --wait --timeout=1s
      Error: INSTALLATION FAILED: context deadline exceeded
      [1]
      $ helm list
      NAME NAMESPACE REVISION UPDATED STATUS CHART APP VERSION
      shop NAMESPACE 1 <time> failed shop-1.0.0 1
      $ helm install shop shop
      Error: INSTALLATION FAILED: cannot re-use a name that is still in use
      [1]
      $ helm upgrade --install shop shop --reset-values --wait --timeout=20s
      Release "shop" has been upgraded. Happy Helming!
      ...
      `,
    );
  },

  'renders a chart against the server': async (story) => {
    await withChart(
      story,
      `
      $ kubectl create configmap settings --from-literal=a=b
      configmap/settings created
      $ helm template shop shop --validate --show-only=templates/deployment.yaml
      ---
      # Source: shop/templates/deployment.yaml
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: shop}
      ...
      $ helm template shop shop --dry-run=server --show-only=templates/facts.yaml
      ---
      # Source: shop/templates/facts.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: shop-facts}
      data:
      found: "{\\"a\\":\\"b\\"}"
      ...
      $ helm template shop shop --validate --set=kind=Nope
      Error: unable to build kubernetes objects from release manifest: resource mapping not found for name: "shop-facts" namespace: "" from "": no matches for kind "Nope" in version "v1"
      ensure CRDs are installed first
      [1]
      `,
    );
  },
};
