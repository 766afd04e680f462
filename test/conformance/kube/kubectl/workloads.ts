// What people see of workloads: scaling, rollouts, waiting, deleting, descriptions and events.
import { expect } from 'vitest';
import { play, printedBy, type Stories } from './transcript.ts';

export const workloadStories: Stories = {
  'scales a deployment, and only from the size it was believed to have': `
    $ kubectl create deployment web --image=example.com/web:1
    deployment.apps/web created
    $ kubectl scale deployment web --replicas=3
    deployment.apps/web scaled
    $ kubectl rollout status deployment web --timeout=15s
    ...
    deployment "web" successfully rolled out
    $ kubectl scale deployment web --current-replicas=7 --replicas=1
    error: Expected replicas to be 7, was 3
    [1]
    $ kubectl scale deployment web --current-replicas=3 --replicas=1
    deployment.apps/web scaled
    $ kubectl scale deployment nope --replicas=2
    error: no objects passed to scale deployments.apps "nope" not found
    [1]
    $ kubectl wait deployment web --for=jsonpath={.status.replicas}=1 --timeout=10s
    deployment.apps/web condition met
    $ kubectl get deployment web -o wide
    NAME READY UP-TO-DATE AVAILABLE AGE CONTAINERS IMAGES SELECTOR
    web 1/1 1 1 <age> web example.com/web:1 app=web
    $ kubectl get deployment web --subresource=scale
    NAME DESIRED AVAILABLE AGE
    web 1 1 <age>
  `,

  'rolls out, keeps the history, and undoes': `
    $ kubectl create deployment web --image=example.com/web:1 --replicas=2
    deployment.apps/web created
    $ kubectl annotate deployment web kubernetes.io/change-cause=first
    deployment.apps/web annotated
    $ kubectl rollout status deployment web --timeout=15s
    ...
    deployment "web" successfully rolled out
    $ kubectl set image deployment/web web=example.com/web:2
    deployment.apps/web image updated
    $ kubectl annotate deployment web kubernetes.io/change-cause=second --overwrite
    deployment.apps/web annotated
    $ kubectl rollout status deployment web --timeout=15s
    ...
    deployment "web" successfully rolled out
    $ kubectl rollout history deployment web
    deployment.apps/web
    REVISION CHANGE-CAUSE
    1 first
    2 second
    $ kubectl rollout history deployment web --revision=2
    deployment.apps/web with revision #2
    Pod Template:
    Labels: app=web
    pod-template-hash=…
    Annotations: kubernetes.io/change-cause: second
    Containers:
    web:
    Image: example.com/web:2
    ...
    $ kubectl rollout history deployment web --revision=9
    error: unable to find the specified revision
    [1]
    $ kubectl rollout undo deployment web --to-revision=1
    deployment.apps/web rolled back
    $ kubectl rollout status deployment web --timeout=15s
    ...
    deployment "web" successfully rolled out
    $ kubectl get deployment web -o jsonpath={.spec.template.spec.containers[0].image}
    example.com/web:1
    $ kubectl rollout history deployment web
    deployment.apps/web
    REVISION CHANGE-CAUSE
    2 second
    3 first
  `,

  'says how far a stuck rollout is': `
    $ kubectl create deployment web --image=example.com/web:1
    deployment.apps/web created
    $ kubectl rollout status deployment web --timeout=15s
    ...
    deployment "web" successfully rolled out
    $ kubectl set image deployment/web web=example.com/never-ready:1
    deployment.apps/web image updated
    $ kubectl wait deployment web --for=jsonpath={.status.updatedReplicas}=1 --for=jsonpath={.status.unavailableReplicas}=1 --timeout=10s
    deployment.apps/web condition met
    $ kubectl rollout status deployment web --timeout=1s
    Waiting for deployment "web" rollout to finish: 1 old replicas are pending termination...
    error: timed out waiting for the condition
    [1]
    $ kubectl get pods -l app=web --sort-by=.metadata.creationTimestamp
    NAME READY STATUS RESTARTS AGE
    web-<hash>-<id> …/1 Running 0 <age>
    web-<hash>-<id> …/1 Running 0 <age>
    $ kubectl rollout undo deployment web
    deployment.apps/web rolled back
    $ kubectl rollout status deployment web --timeout=15s
    ...
    deployment "web" successfully rolled out
  `,

  'pauses, resumes and restarts': `
    $ kubectl create deployment web --image=example.com/web:1
    deployment.apps/web created
    $ kubectl rollout pause deployment web
    deployment.apps/web paused
    $ kubectl rollout pause deployment web
    error: deployments.apps "web" is already paused
    [1]
    $ kubectl rollout restart deployment web
    error: deployments.apps "web" can't restart paused deployment (run rollout resume first)
    [1]
    $ kubectl rollout resume deployment web
    deployment.apps/web resumed
    $ kubectl rollout resume deployment web
    error: deployments.apps "web" is not paused
    [1]
    $ kubectl rollout restart deployment web
    deployment.apps/web restarted
    $ kubectl rollout status deployment web --timeout=15s
    ...
    deployment "web" successfully rolled out
    $ kubectl get deployment web -o jsonpath={.spec.template.metadata.annotations}
    {"kubectl.kubernetes.io/restartedAt":"<time>"}
  `,

  'sets images, resources and variables': `
    $ kubectl create deployment web --image=example.com/web:1 --replicas=0
    deployment.apps/web created
    $ kubectl set image deployment/web nope=x
    error: unable to find container named "nope"
    [1]
    $ kubectl set resources deployment web --limits=cpu=200m --requests=cpu=100m
    deployment.apps/web resource requirements updated
    $ kubectl set env deployment/web A=1 B=2
    deployment.apps/web env updated
    $ kubectl set env deployment/web A-
    deployment.apps/web env updated
    $ kubectl set env deployment/web --list
    # Deployment web, container web
    B=2
    $ kubectl set serviceaccount deployment web robot
    deployment.apps/web serviceaccount updated
    $ kubectl get deployment web -o 'jsonpath={.spec.template.spec.containers[0].resources} {.spec.template.spec.serviceAccountName}'
    {"limits":{"cpu":"200m"},"requests":{"cpu":"100m"}} robot
  `,

  'rolls out sets of both other kinds': `
    $ kubectl apply -f -
    > apiVersion: apps/v1
    > kind: StatefulSet
    > metadata: {name: db}
    > spec:
    >   replicas: 2
    >   serviceName: db
    >   selector: {matchLabels: {app: db}}
    >   template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: "example.com/web:1"}]}}
    > ---
    > apiVersion: apps/v1
    > kind: DaemonSet
    > metadata: {name: agent}
    > spec:
    >   selector: {matchLabels: {app: agent}}
    >   template:
    >     metadata: {labels: {app: agent}}
    >     spec: {nodeSelector: {kubernetes.io/hostname: node-1}, containers: [{name: agent, image: "example.com/web:1"}]}
    statefulset.apps/db created
    daemonset.apps/agent created
    $ kubectl rollout status statefulset db --timeout=15s
    ...
    partitioned roll out complete: 2 new pods have been updated...
    $ kubectl rollout status daemonset agent --timeout=15s
    ...
    daemon set "agent" successfully rolled out
    $ kubectl get statefulsets,daemonsets
    NAME READY AGE
    statefulset.apps/db 2/2 <age>
    NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE SELECTOR AGE
    daemonset.apps/agent 1 1 1 1 1 kubernetes.io/hostname=node-1 <age>
    $ kubectl get pods -l app=db
    NAME READY STATUS RESTARTS AGE
    db-0 1/1 Running 0 <age>
    db-1 1/1 Running 0 <age>
    $ kubectl rollout history daemonset agent
    daemonset.apps/agent
    REVISION CHANGE-CAUSE
    1 <none>
    $ kubectl rollout restart statefulset db
    statefulset.apps/db restarted
    $ kubectl rollout status statefulset db --timeout=15s
    ...
    partitioned roll out complete: 2 new pods have been updated...
  `,

  'describes a deployment, its set and its pods': `
    $ kubectl create deployment web --image=example.com/web:1 --replicas=2
    deployment.apps/web created
    $ kubectl rollout status deployment web --timeout=15s
    ...
    deployment "web" successfully rolled out
    $ kubectl describe deployment web
    Name: web
    Namespace: NAMESPACE
    CreationTimestamp: <time>
    Labels: app=web
    Annotations: deployment.kubernetes.io/revision: 1
    Selector: app=web
    Replicas: 2 desired | 2 updated | 2 total | 2 available | 0 unavailable
    StrategyType: RollingUpdate
    MinReadySeconds: 0
    RollingUpdateStrategy: 25% max unavailable, 25% max surge
    Pod Template:
    Labels: app=web
    Containers:
    web:
    Image: example.com/web:1
    Port: <none>
    Host Port: <none>
    Environment: <none>
    Mounts: <none>
    Volumes: <none>
    Node-Selectors: <none>
    Tolerations: <none>
    Conditions:
    Type Status Reason
    ---- ---- ----
    Available True MinimumReplicasAvailable
    Progressing True NewReplicaSetAvailable
    OldReplicaSets: <none>
    NewReplicaSet: web-<hash> (2/2 replicas created)
    Events:
    Type Reason Age From Message
    ---- ---- ---- ---- ----
    Normal ScalingReplicaSet <age> deployment-controller Scaled up replica set web-<hash> from 0 to 2
    $ kubectl describe replicaset -l app=web
    Name: web-<hash>
    Namespace: NAMESPACE
    Selector: app=web,pod-template-hash=…
    Labels: app=web
    pod-template-hash=…
    Annotations: deployment.kubernetes.io/desired-replicas: 2
    deployment.kubernetes.io/max-replicas: 3
    deployment.kubernetes.io/revision: 1
    Controlled By: Deployment/web
    Replicas: 2 current / 2 desired
    Pods Status: 2 Running / 0 Waiting / 0 Succeeded / 0 Failed
    Pod Template:
    ...
    Events:
    Type Reason Age From Message
    ---- ---- ---- ---- ----
    Normal SuccessfulCreate <age> replicaset-controller Created pod: web-<hash>-<id>
    Normal SuccessfulCreate <age> replicaset-controller Created pod: web-<hash>-<id>
  `,

  'describes a pod that runs': `
    $ kubectl run web --image=example.com/web:1 --env=A=1 --port=80
    pod/web created
    $ kubectl wait pod/web --for=condition=Ready --timeout=10s
    pod/web condition met
    $ kubectl describe pod web
    Name: web
    Namespace: NAMESPACE
    Priority: 0
    Service Account: default
    Node: node-…/127.0.0.1
    Start Time: <time>
    Labels: run=web
    Annotations: <none>
    Status: Running
    IP: <pod-ip>
    IPs:
    IP: <pod-ip>
    Containers:
    web:
    Container ID: containerd://web
    Image: example.com/web:1
    Image ID: example.com/web:1@sha256:0
    Port: 80/TCP
    Host Port: 0/TCP
    State: Running
    Started: <time>
    Ready: True
    Restart Count: 0
    Environment:
    A: 1
    Mounts:
    /var/run/secrets/kubernetes.io/serviceaccount from kube-api-access-<id> (ro)
    Conditions:
    Type Status
    PodReadyToStartContainers True
    Initialized True
    Ready True
    ContainersReady True
    PodScheduled True
    Volumes:
    kube-api-access-<id>:
    Type: Projected (a volume that contains injected data from multiple sources)
    TokenExpirationSeconds: 3607
    ConfigMapName: kube-root-ca.crt
    ...
    DownwardAPI: true
    QoS Class: BestEffort
    Node-Selectors: <none>
    Tolerations: node.kubernetes.io/not-ready:NoExecute op=Exists for <age>
    node.kubernetes.io/unreachable:NoExecute op=Exists for <age>
    Events:
    Type Reason Age From Message
    ---- ---- ---- ---- ----
    Normal Scheduled <age> default-scheduler Successfully assigned NAMESPACE/web to node-…
  `,

  'tells in events why a pod waits': `
    $ kubectl create -f -
    > {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "picky"}, "spec": {"nodeSelector": {"no": "where"}, "containers": [{"name": "a", "image": "x"}]}}
    pod/picky created
    $ kubectl wait pod/picky --for=condition=PodScheduled=false --timeout=10s
    pod/picky condition met
    $ kubectl get pod picky
    NAME READY STATUS RESTARTS AGE
    picky 0/1 Pending 0 <age>
    $ kubectl events --for pod/picky
    LAST SEEN TYPE REASON OBJECT MESSAGE
    <age>… Warning FailedScheduling Pod/picky 0/… nodes are available: …node(s) didn't match Pod's node affinity/selector…preemption: 0/… nodes are available: … Preemption is not helpful for scheduling.
    $ kubectl get events --field-selector involvedObject.name=picky,type=Warning -o custom-columns=WHY:.reason,WHO:.reportingComponent
    WHY WHO
    FailedScheduling default-scheduler
    $ kubectl events --for pod/nope
    No events found in NAMESPACE namespace.
  `,

  'describes a claim that waits for its first pod': `
    $ kubectl apply -f -
    > apiVersion: storage.k8s.io/v1
    > kind: StorageClass
    > metadata: {name: NAMESPACE}
    > provisioner: disk.csi.azure.com
    > volumeBindingMode: WaitForFirstConsumer
    > ---
    > apiVersion: v1
    > kind: PersistentVolumeClaim
    > metadata: {name: data}
    > spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, storageClassName: NAMESPACE}
    storageclass.storage.k8s.io/NAMESPACE created
    persistentvolumeclaim/data created
    $ kubectl get pvc data
    NAME STATUS VOLUME CAPACITY ACCESS MODES STORAGECLASS VOLUMEATTRIBUTESCLASS AGE
    data Pending NAMESPACE <unset> <age>
    $ kubectl wait --for=create event --field-selector involvedObject.name=data --timeout=20s
    ...
    $ kubectl describe pvc data
    Name: data
    Namespace: NAMESPACE
    StorageClass: NAMESPACE
    Status: Pending
    Volume:
    Labels: <none>
    Annotations: <none>
    Finalizers: [kubernetes.io/pvc-protection]
    Capacity:
    Access Modes:
    VolumeMode: Filesystem
    Used By: <none>
    Events:
    ...
    $ kubectl describe storageclass NAMESPACE
    Name: NAMESPACE
    IsDefaultClass: No
    ...
    Provisioner: disk.csi.azure.com
    Parameters: <none>
    AllowVolumeExpansion: <unset>
    MountOptions: <none>
    ReclaimPolicy: Delete
    VolumeBindingMode: WaitForFirstConsumer
    Events: <none>
  `,

  'waits for conditions, values and ends, and gives up in time': async (story) => {
    await play(
      story,
      `
      $ kubectl create deployment web --image=example.com/web:1
      deployment.apps/web created
      $ kubectl wait deployment/web --for=condition=Available --timeout=15s
      deployment.apps/web condition met
      $ kubectl wait deployment/web --for=jsonpath={.status.readyReplicas}=1 --timeout=5s
      deployment.apps/web condition met
      $ kubectl wait deployment/web --for=condition=Nope --timeout=100ms
      error: timed out waiting for the condition on deployments/web
      [1]
      $ kubectl wait pod/nope --for=condition=Ready --timeout=100ms
      Error from server (NotFound): pods "nope" not found
      [1]
      $ kubectl wait pod/nope --for=delete --timeout=100ms
      $ kubectl create configmap late
      configmap/late created
      `,
    );
    const [waited] = await Promise.all([
      story.kubectl('wait configmap/late --for=delete --timeout=10s'),
      story.kubectl('delete configmap late'),
    ]);
    expect(waited.code).toBe(0);
  },

  'deletes with what belongs to it, before it, or without': `
    $ kubectl create deployment web --image=example.com/web:1
    deployment.apps/web created
    $ kubectl rollout status deployment web --timeout=15s
    ...
    deployment "web" successfully rolled out
    $ kubectl delete deployment web --cascade=orphan
    deployment.apps "web" deleted
    $ kubectl get replicasets,pods -l app=web
    NAME DESIRED CURRENT READY AGE
    replicaset.apps/web-<hash> 1 1 1 <age>
    NAME READY STATUS RESTARTS AGE
    pod/web-<hash>-<id> 1/1 Running 0 <age>
    $ kubectl delete replicasets -l app=web --cascade=foreground
    replicaset.apps "web-<hash>" deleted
    $ kubectl get pods -l app=web
    No resources found in NAMESPACE namespace.
    $ kubectl create deployment web --image=example.com/web:1
    deployment.apps/web created
    $ kubectl rollout status deployment web --timeout=15s
    ...
    deployment "web" successfully rolled out
    $ kubectl delete deployment web --cascade=background --wait
    deployment.apps "web" deleted
    $ kubectl wait pods -l app=web --for=delete --timeout=10s
    ...
    $ kubectl get all
    No resources found in NAMESPACE namespace.
  `,

  'deletes by name, by label, all of a kind, and at once': `
    $ kubectl run one --image=example.com/web:1
    pod/one created
    $ kubectl delete pod one --grace-period=0 --force
    pod "one" force deleted
    Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.
    $ kubectl run two --image=example.com/web:1 -l color=red
    pod/two created
    $ kubectl wait pod/two --for=condition=Ready --timeout=10s
    pod/two condition met
    $ kubectl delete pods -l color=red --now
    pod "two" deleted
    $ kubectl delete pod nope
    Error from server (NotFound): pods "nope" not found
    [1]
    $ kubectl delete pod nope --ignore-not-found
    $ kubectl delete pod
    error: resource(s) were provided, but no name was specified
    [1]
    $ kubectl create configmap a
    configmap/a created
    $ kubectl create secret generic b
    secret/b created
    $ kubectl delete configmap/a secret/b
    configmap "a" deleted
    secret "b" deleted
    $ kubectl delete secrets --all
    No resources found
  `,

  'deletes a namespace with all that is in it': async (story) => {
    await play(
      story,
      `
      $ kubectl create namespace NAMESPACE-gone
      namespace/NAMESPACE-gone created
      $ kubectl create configmap a -n NAMESPACE-gone
      configmap/a created
      $ kubectl create deployment web -n NAMESPACE-gone --image=example.com/web:1
      deployment.apps/web created
      $ kubectl wait deployment/web -n NAMESPACE-gone --for=condition=Available --timeout=15s
      deployment.apps/web condition met
      `,
    );
    const gone = await story.kubectl(`delete namespace ${story.namespace}-gone --timeout=30s`);
    const left = await story.kubectl(`get all,configmaps -n ${story.namespace}-gone`);
    expect([printedBy(gone, story), printedBy(left, story)]).toEqual([
      ['namespace "NAMESPACE-gone" deleted'],
      ['No resources found in NAMESPACE-gone namespace.'],
    ]);
  },
};
