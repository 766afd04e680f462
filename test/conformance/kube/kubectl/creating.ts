// What people see who make objects with kubectl's own commands.
import { expect } from 'vitest';
import type { Stories } from './transcript.ts';

export const creatingStories: Stories = {
  'makes configuration, secrets and accounts': `
    $ write a.txt
    > hello
    $ kubectl create configmap settings --from-literal=a=1 --from-literal=b=2
    configmap/settings created
    $ kubectl create configmap files --from-file=a.txt
    configmap/files created
    $ kubectl create secret generic password --from-literal=p=q
    secret/password created
    $ kubectl create secret docker-registry registry --docker-server=r.example.com --docker-username=u --docker-password=p
    secret/registry created
    $ kubectl get secrets
    NAME TYPE DATA AGE
    password Opaque 1 <age>
    registry kubernetes.io/dockerconfigjson 1 <age>
    $ kubectl get secret password -o jsonpath={.data.p}
    cQ==
    $ kubectl create serviceaccount robot
    serviceaccount/robot created
    $ kubectl create namespace NAMESPACE-more
    namespace/NAMESPACE-more created
    $ kubectl create namespace NAMESPACE-more
    Error from server (AlreadyExists): namespaces "NAMESPACE-more" already exists
    [1]
    $ kubectl describe configmap files
    Name: files
    Namespace: NAMESPACE
    Labels: <none>
    Annotations: <none>
    Data
    ====
    a.txt:
    ----
    hello
    BinaryData
    ====
    Events: <none>
  `,

  'makes roles and bindings': `
    $ kubectl create role reader --verb=get,list --resource=pods,pods/log
    role.rbac.authorization.k8s.io/reader created
    $ kubectl create role nope --verb=get --resource=nopes
    the server doesn't have a resource type "nopes"
    [1]
    $ kubectl create rolebinding reads --role=reader --serviceaccount=NAMESPACE:default
    rolebinding.rbac.authorization.k8s.io/reads created
    $ kubectl create clusterrole NAMESPACE-nodes --verb=get --resource=nodes
    clusterrole.rbac.authorization.k8s.io/NAMESPACE-nodes created
    $ kubectl create clusterrolebinding NAMESPACE-nodes --clusterrole=NAMESPACE-nodes --user=jane
    clusterrolebinding.rbac.authorization.k8s.io/NAMESPACE-nodes created
    $ kubectl get rolebindings -o wide
    NAME ROLE AGE USERS GROUPS SERVICEACCOUNTS
    reads Role/reader <age> NAMESPACE/default
    $ kubectl describe role reader
    Name: reader
    Labels: <none>
    Annotations: <none>
    PolicyRule:
    Resources Non-Resource URLs Resource Names Verbs
    ---- ---- ---- ----
    pods/log [] [] [get list]
    pods [] [] [get list]
  `,

  'makes jobs that run to their end, also from a schedule': `
    $ kubectl create job once --image=example.com/succeeds:1
    job.batch/once created
    $ kubectl wait job/once --for=condition=Complete --timeout=15s
    job.batch/once condition met
    $ kubectl get job once
    NAME STATUS COMPLETIONS DURATION AGE
    once Complete 1/1 <age> <age>
    $ kubectl get pods -l job-name=once
    NAME READY STATUS RESTARTS AGE
    once-<id> 0/1 Completed 0 <age>
    $ kubectl create cronjob daily --image=example.com/succeeds:1 '--schedule=0 0 1 1 *'
    cronjob.batch/daily created
    $ kubectl get cronjob daily
    NAME SCHEDULE TIMEZONE SUSPEND ACTIVE LAST SCHEDULE AGE
    daily 0 0 1 1 * <none> False 0 <none> <age>
    $ kubectl create job now --from=cronjob/daily
    job.batch/now created
    $ kubectl create job bad --image=example.com/fails:1
    job.batch/bad created
    $ kubectl wait job/now --for=condition=Complete --timeout=15s
    job.batch/now condition met
    $ kubectl describe job once
    Name: once
    Namespace: NAMESPACE
    Selector: batch.kubernetes.io/controller-uid=<uid>
    Labels: batch.kubernetes.io/controller-uid=<uid>
    batch.kubernetes.io/job-name=once
    controller-uid=<uid>
    job-name=once
    Annotations: <none>
    Parallelism: 1
    Completions: 1
    Completion Mode: NonIndexed
    Suspend: false
    Backoff Limit: 6
    Start Time: <time>
    Completed At: <time>
    Duration: <age>
    Pods Statuses: 0 Active (0 Ready) / 1 Succeeded / 0 Failed
    Pod Template:
    ...
    Events:
    Type Reason Age From Message
    ---- ---- ---- ---- ----
    Normal SuccessfulCreate <age> job-controller Created pod: once-<id>
    Normal Completed <age> job-controller Job completed
  `,

  'holds a namespace to its quota': `
    $ kubectl create quota few --hard=pods=1,cpu=2
    resourcequota/few created
    $ kubectl run silent --image=example.com/web:1
    Error from server (Forbidden): pods "silent" is forbidden: failed quota: few: must specify cpu for: silent
    [1]
    $ kubectl create deployment web --image=example.com/web:1
    deployment.apps/web created
    $ kubectl wait deployment/web --for=condition=ReplicaFailure --timeout=10s
    deployment.apps/web condition met
    $ kubectl create -f -
    > apiVersion: apps/v1
    > kind: StatefulSet
    > metadata: {name: db}
    > spec:
    >   serviceName: db
    >   selector: {matchLabels: {app: db}}
    >   template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: "example.com/web:1"}]}}
    statefulset.apps/db created
    $ kubectl wait statefulset/db --for=jsonpath={.status.observedGeneration}=1 --timeout=10s
    statefulset.apps/db condition met
    $ kubectl events --for statefulset/db --types=Warning
    LAST SEEN TYPE REASON OBJECT MESSAGE
    … Warning FailedCreate StatefulSet/db …Create Pod db-0 in StatefulSet db failed error: pods "db-0" is forbidden: failed quota: few: must specify cpu for: db
    $ kubectl create -f -
    > {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "fits"}, "spec": {"containers": [{"name": "a", "image": "example.com/web:1", "resources": {"requests": {"cpu": "1"}}}]}}
    pod/fits created
    $ kubectl wait resourcequota/few --for=jsonpath={.status.used.pods}=1 --timeout=10s
    resourcequota/few condition met
    $ kubectl create -f -
    > {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "over"}, "spec": {"containers": [{"name": "a", "image": "example.com/web:1", "resources": {"requests": {"cpu": "1500m"}}}]}}
    Error from server (Forbidden): error when creating "STDIN": pods "over" is forbidden: exceeded quota: few, requested: cpu=1500m,pods=1, used: cpu=1,pods=1, limited: cpu=2,pods=1
    [1]
    $ kubectl describe quota few
    Name: few
    Namespace: NAMESPACE
    Resource Used Hard
    ---- ---- ----
    cpu 1 2
    pods 1 1
  `,

  'makes budgets, priorities, ingresses and services of every type': `
    $ kubectl create pdb web --selector=app=web --min-available=1
    poddisruptionbudget.policy/web created
    $ kubectl get pdb web
    NAME MIN AVAILABLE MAX UNAVAILABLE ALLOWED DISRUPTIONS AGE
    web 1 N/A 0 <age>
    $ kubectl create priorityclass NAMESPACE --value=10 --description=ten
    priorityclass.scheduling.k8s.io/NAMESPACE created
    $ kubectl get priorityclass NAMESPACE
    NAME VALUE GLOBAL-DEFAULT AGE …
    NAMESPACE 10 false <age> …
    $ kubectl create ingress web --rule=a.example.com/=web:80
    ingress.networking.k8s.io/web created
    $ kubectl get ingress
    NAME CLASS HOSTS ADDRESS PORTS AGE
    web <none> a.example.com 80 <age>
    $ kubectl create service nodeport np --tcp=80:8080
    service/np created
    $ kubectl create service loadbalancer lb --tcp=80:8080
    service/lb created
    $ kubectl create service externalname en --external-name=x.example.com
    service/en created
    $ kubectl get services -o wide
    NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE SELECTOR
    en ExternalName <none> x.example.com <none> <age> app=en
    lb LoadBalancer <cluster-ip> <pending> 80:<port>/TCP <age> app=lb
    np NodePort <cluster-ip> <none> 80:<port>/TCP <age> app=np
    $ kubectl wait endpointslice -l kubernetes.io/service-name=lb --for=create --timeout=10s
    ...
    $ kubectl get endpointslices -l kubernetes.io/service-name=lb
    NAME ADDRESSTYPE PORTS ENDPOINTS AGE
    lb-<id> IPv4 <unset> <unset> <age>
  `,

  'makes names from a beginning': async (story) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'made-' } };
    const made = await story.kubectl('create -f -', { input: JSON.stringify(object) });
    expect(made.stdout).toMatch(/^configmap\/made-[bcdfghjklmnpqrstvwxz2456789]{5} created\n$/);
  },

  'runs a pod and exposes it': `
    $ kubectl run web --image=example.com/web:1 --labels=app=web --env=X=Y --port=80
    pod/web created
    $ kubectl run web --image=example.com/web:1
    Error from server (AlreadyExists): pods "web" already exists
    [1]
    $ kubectl wait pod/web --for=condition=Ready --timeout=10s
    pod/web condition met
    $ kubectl get pod web
    NAME READY STATUS RESTARTS AGE
    web 1/1 Running 0 <age>
    $ kubectl get pod web -o wide
    NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES
    web 1/1 Running 0 <age> <pod-ip> node-… <none> <none>
    $ kubectl expose pod web --port=80 --target-port=8080
    service/web exposed
    $ kubectl expose pod web --port=80
    Error from server (AlreadyExists): services "web" already exists
    [1]
    $ kubectl wait endpoints/web --for=jsonpath={.subsets[0].addresses[0].targetRef.name}=web --timeout=10s
    endpoints/web condition met
    ...
    $ kubectl describe service web
    Name: web
    Namespace: NAMESPACE
    Labels: app=web
    Annotations: <none>
    Selector: app=web
    Type: ClusterIP
    IP Family Policy: SingleStack
    IP Families: IPv4
    IP: <cluster-ip>
    IPs: <cluster-ip>
    Port: <unset> 80/TCP
    TargetPort: 8080/TCP
    Endpoints: <pod-ip>:8080
    Session Affinity: None
    Internal Traffic Policy: Cluster
    Events: <none>
  `,

  'autoscales, without anybody to measure': `
    $ kubectl create deployment web --image=example.com/web:1 --replicas=0
    deployment.apps/web created
    $ kubectl autoscale deployment web --min=1 --max=5 --cpu-percent=80
    horizontalpodautoscaler.autoscaling/web autoscaled
    $ kubectl get hpa web -o jsonpath={.spec}
    {"maxReplicas":5,"metrics":[{"resource":{"name":"cpu","target":{"averageUtilization":80,"type":"Utilization"}},"type":"Resource"}],"minReplicas":1,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}}
    $ kubectl autoscale deployment web --max=0
    error: …
    [1]
  `,
};
