// What people see who only look: the server, its kinds, and objects in every form that kubectl prints.
import { expect } from 'vitest';
import { notServed } from './differences.ts';
import { play, printedBy, type Stories } from './transcript.ts';

export const readingStories: Stories = {
  'says which server it is and where': `
    $ kubectl version
    Client Version: …
    Kustomize Version: …
    Server Version: v1.35.4
    ...
    $ kubectl cluster-info
    …Kubernetes control plane…is running at…https://<server>…
    To further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.
    $ kubectl get --raw /version
    {
    "major": "1",
    "minor": "35",
    ...
    "gitVersion": "v1.35.4",
    ...
    }
  `,

  'is healthy, check by check': `
    $ kubectl get --raw /healthz
    ok
    $ kubectl get --raw '/healthz?verbose'
    [+]ping ok
    ...
    [+]etcd ok
    ...
    healthz check passed
    $ kubectl get --raw '/readyz?exclude=nope'
    ok
    $ kubectl get --raw /nope
    Error from server (NotFound): the server could not find the requested resource
    [1]
  `,

  'counts its requests': `
    $ kubectl get --raw /metrics
    ...
    # TYPE apiserver_request_total counter
    ...
  `,

  'knows the kinds of a real server but for a few': async (story) => {
    const listed = await story.kubectl('api-resources -o name');
    const versions = await story.kubectl('api-versions');
    const served = listed.stdout.trim().split('\n');
    const isEmulated = story.terminal.world === 'emulated';
    expect(notServed.kinds.filter((kind) => served.includes(kind))).toEqual(
      isEmulated ? [] : notServed.kinds,
    );
    const grouped = versions.stdout.trim().split('\n');
    expect(
      grouped.filter((name) => !notServed.groups.includes(name) && !/karpenter|x-k8s/.test(name)),
    ).toEqual([
      'admissionregistration.k8s.io/v1',
      'apiextensions.k8s.io/v1',
      'apiregistration.k8s.io/v1',
      'apps/v1',
      'authentication.k8s.io/v1',
      'authorization.k8s.io/v1',
      'autoscaling/v1',
      'autoscaling/v2',
      'batch/v1',
      'certificates.k8s.io/v1',
      'coordination.k8s.io/v1',
      'discovery.k8s.io/v1',
      'events.k8s.io/v1',
      'networking.k8s.io/v1',
      'node.k8s.io/v1',
      'policy/v1',
      'rbac.authorization.k8s.io/v1',
      'resource.k8s.io/v1',
      'scheduling.k8s.io/v1',
      'storage.k8s.io/v1',
      'v1',
    ]);
  },

  'lists the kinds of a group with their short names': `
    $ kubectl api-resources --api-group=apps
    NAME SHORTNAMES APIVERSION NAMESPACED KIND
    controllerrevisions apps/v1 true ControllerRevision
    daemonsets ds apps/v1 true DaemonSet
    deployments deploy apps/v1 true Deployment
    replicasets rs apps/v1 true ReplicaSet
    statefulsets sts apps/v1 true StatefulSet
    $ kubectl api-resources --api-group=batch -o wide
    NAME SHORTNAMES APIVERSION NAMESPACED KIND VERBS CATEGORIES
    cronjobs cj batch/v1 true CronJob create,delete,deletecollection,get,list,patch,update,watch all
    jobs batch/v1 true Job create,delete,deletecollection,get,list,patch,update,watch all
  `,

  'shows objects in every form': `
    $ kubectl create configmap first --from-literal=x=1
    configmap/first created
    $ kubectl create configmap second --from-literal=x=2 --from-literal=z=3
    configmap/second created
    $ kubectl get configmaps
    NAME DATA AGE
    first 1 <age>
    kube-root-ca.crt 1 <age>
    second 2 <age>
    $ kubectl get configmap second -o yaml
    apiVersion: v1
    data:
    x: "2"
    z: "3"
    kind: ConfigMap
    metadata:
    creationTimestamp: "<time>"
    name: second
    namespace: NAMESPACE
    resourceVersion: "…"
    uid: <uid>
    $ kubectl get configmap first -o json
    {
    "apiVersion": "v1",
    "data": {
    "x": "1"
    },
    "kind": "ConfigMap",
    ...
    }
    $ kubectl get configmap first second -o name
    configmap/first
    configmap/second
    $ kubectl get configmap first second -o 'jsonpath={range .items[*]}{.metadata.name}={.data.x};{end}'
    first=1;second=2;
    $ kubectl get configmap first second -o custom-columns=NAME:.metadata.name,Z:.data.z
    NAME Z
    first <none>
    second 3
    $ kubectl get configmap first -o go-template={{.data.x}}
    1
  `,

  'shows nodes narrow, wide and with their labels': async (story) => {
    await story.terminal.kubelets.add(`${story.namespace}-node`, story.namespace);
    await play(
      story,
      `
      $ kubectl get node NAMESPACE-node
      NAME STATUS ROLES AGE VERSION
      NAMESPACE-node Ready <none> <age> v1.35.4
      $ kubectl get node NAMESPACE-node -o wide
      NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME
      NAMESPACE-node Ready <none> <age> v1.35.4 127.0.0.1 <none> Ubuntu 24.04 LTS 6.8.0 containerd://2.0.0
      $ kubectl wait node/NAMESPACE-node --for=jsonpath={.metadata.labels.beta\\.kubernetes\\.io/os}=linux --timeout=10s
      node/NAMESPACE-node condition met
      $ kubectl get node NAMESPACE-node --show-labels
      NAME STATUS ROLES AGE VERSION LABELS
      NAMESPACE-node Ready <none> <age> v1.35.4 beta.kubernetes.io/arch=amd64,beta.kubernetes.io/os=linux,kubernetes.io/arch=amd64,kubernetes.io/hostname=NAMESPACE-node,kubernetes.io/os=linux,purpose=NAMESPACE
      $ kubectl get node NAMESPACE-node -L kubernetes.io/os
      NAME STATUS ROLES AGE VERSION OS
      NAMESPACE-node Ready <none> <age> v1.35.4 linux
      `,
    );
  },

  'selects by labels and fields, and sorts': `
    $ kubectl create -f -
    > {"apiVersion": "v1", "kind": "List", "items": [
    >   {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "labels": {"tier": "front"}}, "data": {"rank": "2"}},
    >   {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b", "labels": {"tier": "back"}}, "data": {"rank": "1"}}]}
    configmap/a created
    configmap/b created
    $ kubectl get configmaps -l tier=front -o name
    configmap/a
    $ kubectl get configmaps -l 'tier in (front,back),tier!=front' -o name
    configmap/b
    $ kubectl get configmaps --field-selector metadata.name!=kube-root-ca.crt --sort-by=.data.rank -o name
    configmap/b
    configmap/a
    $ kubectl get configmaps --field-selector data.rank=1
    Error from server (BadRequest): Unable to find "/v1, Resource=configmaps" that match label selector "", field selector "data.rank=1": "data.rank" is not a known field selector: only "metadata.name", "metadata.namespace"
    [1]
    $ kubectl get configmaps -l '!!'
    …unable to parse requirement: …
    [1]
  `,

  'shows several kinds and all namespaces at once': `
    $ kubectl create service clusterip web --tcp=80
    service/web created
    $ kubectl create serviceaccount web
    serviceaccount/web created
    $ kubectl get services,serviceaccounts
    NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE
    service/web ClusterIP <cluster-ip> <none> 80/TCP <age>
    NAME AGE
    serviceaccount/default <age>
    serviceaccount/web <age>
    $ kubectl get serviceaccounts -A --field-selector metadata.name=web,metadata.namespace=NAMESPACE
    NAMESPACE NAME AGE
    NAMESPACE web <age>
    $ kubectl get all
    NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE
    service/web ClusterIP <cluster-ip> <none> 80/TCP <age>
  `,

  'says what is not there': `
    $ kubectl get pods
    No resources found in NAMESPACE namespace.
    $ kubectl get pod nope
    Error from server (NotFound): pods "nope" not found
    [1]
    $ kubectl get pod,deployment nope
    Error from server (NotFound): pods "nope" not found
    Error from server (NotFound): deployments.apps "nope" not found
    [1]
    $ kubectl get pod nope --ignore-not-found
    $ kubectl get nopes
    error: the server doesn't have a resource type "nopes"
    [1]
    $ kubectl get configmap nope -n nowhere
    Error from server (NotFound): namespaces "nowhere" not found
    [1]
  `,

  'shows changes as they come': async (story) => {
    await story.kubectl('create configmap watched --from-literal=n=1');
    const changes = async (): Promise<void> => {
      await story.kubectl(`label configmap watched step=one`);
      await story.kubectl('delete configmap watched');
    };
    let changed: Promise<void> | undefined;
    const watching = await story.kubectl(
      'get configmaps --field-selector metadata.name=watched -w -L step --output-watch-events',
      { onStart: () => void (changed = changes()), until: /DELETED.*\n/ },
    );
    await changed;
    expect(printedBy(watching, story)).toEqual([
      'EVENT NAME DATA AGE STEP',
      'ADDED watched 1 <age>',
      'MODIFIED watched 1 <age> one',
      'DELETED watched 1 <age> one',
      '[1]',
    ]);
  },

  'explains kinds, nested fields and whole trees': `
    $ kubectl explain deployment.spec.strategy
    GROUP: apps
    KIND: Deployment
    VERSION: v1
    FIELD: strategy <DeploymentStrategy>
    DESCRIPTION:
    ...
    FIELDS:
    rollingUpdate <RollingUpdateDeployment>
    ...
    type <string>
    enum: Recreate, RollingUpdate
    ...
    $ kubectl explain poddisruptionbudget.spec --recursive
    GROUP: policy
    KIND: PodDisruptionBudget
    VERSION: v1
    FIELD: spec <PodDisruptionBudgetSpec>
    DESCRIPTION:
    ...
    FIELDS:
    maxUnavailable <IntOrString>
    minAvailable <IntOrString>
    selector <LabelSelector>
    matchExpressions <[]LabelSelectorRequirement>
    key <string> -required-
    operator <string> -required-
    values <[]string>
    matchLabels <map[string]string>
    unhealthyPodEvictionPolicy <string>
    enum: AlwaysAllow, IfHealthyBudget
    $ kubectl explain pod.spec.nope
    KIND: Pod
    VERSION: v1
    error: field "nope" does not exist
    [1]
    $ kubectl explain nopes
    the server doesn't have a resource type "nopes"
    [1]
  `,

  'has no metrics API, and says so': `
    $ kubectl top nodes
    error: Metrics API not available
    [1]
    $ kubectl top pods
    error: Metrics API not available
    [1]
  `,
};
