// What people see who write objects: both kinds of apply, diff, replace, edit, patch, label, annotate, and refusals.
import type { Stories } from './transcript.ts';

const deployment = `
    > apiVersion: apps/v1
    > kind: Deployment
    > metadata: {name: web, labels: {team: shop}}
    > spec:
    >   replicas: 0
    >   selector: {matchLabels: {app: web}}
    >   template:
    >     metadata: {labels: {app: web}}
    >     spec:
    >       containers:
    >       - {name: web, image: "example.com/web:1", args: [], env: [{name: A, value: ""}]}`;
const changed = deployment
  .replace(', labels: {team: shop}', '')
  .replace('replicas: 0', 'replicas: 1');

export const writingStories: Stories = {
  'applies, finds nothing to do, shows a difference, and removes what is no longer written': `
    $ write web.yaml ${deployment}
    $ write changed.yaml ${changed}
    $ kubectl apply -f web.yaml --dry-run=client
    deployment.apps/web created (dry run)
    $ kubectl apply -f web.yaml --dry-run=server
    deployment.apps/web created (server dry run)
    $ kubectl apply -f web.yaml
    deployment.apps/web created
    $ kubectl diff -f web.yaml
    $ kubectl diff -f changed.yaml
    diff -u -N …
    --- …
    +++ …
    @@ …
    kubectl.kubernetes.io/last-applied-configuration: |
    {"apiVersion":"apps/v1",…}
    creationTimestamp: "<time>"
    - generation: 1
    - labels:
    - team: shop
    + generation: 2
    name: web
    namespace: NAMESPACE
    resourceVersion: "…"
    uid: <uid>
    spec:
    progressDeadlineSeconds: 600
    - replicas: 0
    + replicas: 1
    revisionHistoryLimit: 10
    selector:
    matchLabels:
    [1]
    $ kubectl apply -f changed.yaml
    deployment.apps/web configured
    $ kubectl get deployment web -o 'jsonpath={.metadata.labels} {.spec.replicas} {.spec.template.spec.containers[0].env}'
    1 [{"name":"A"}]
    $ kubectl apply view-last-applied deployment web -o 'json'
    {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {
    "annotations": {},
    ...
    "spec": {
    "replicas": 1,
    ...
    }
  `,

  'leaves an unchanged object alone': `
    $ write settings.yaml
    > apiVersion: v1
    > kind: ConfigMap
    > metadata: {name: settings}
    > data: {mode: fast}
    $ kubectl apply -f settings.yaml
    configmap/settings created
    $ kubectl apply -f settings.yaml
    configmap/settings unchanged
    $ kubectl annotate configmap settings kept=yes
    configmap/settings annotated
    $ kubectl apply -f settings.yaml
    configmap/settings unchanged
    $ kubectl get configmap settings -o jsonpath={.metadata.annotations.kept}
    yes
  `,

  'prunes what is no longer in the files': `
    $ write two.yaml
    > {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "kept", "labels": {"set": "NAMESPACE"}}}
    > {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "gone", "labels": {"set": "NAMESPACE"}}}
    $ write one.yaml
    > {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "kept", "labels": {"set": "NAMESPACE"}}}
    $ kubectl apply -f two.yaml
    configmap/kept created
    configmap/gone created
    $ kubectl apply -f one.yaml --prune -l set=NAMESPACE --prune-allowlist=core/v1/ConfigMap
    configmap/kept unchanged
    configmap/gone pruned
  `,

  'shares fields between appliers, and names the owner in a conflict': `
    $ write web.yaml ${deployment}
    $ write changed.yaml ${changed}
    $ kubectl apply --server-side -f web.yaml
    deployment.apps/web serverside-applied
    $ kubectl apply --server-side -f web.yaml
    deployment.apps/web serverside-applied
    $ kubectl apply --server-side --field-manager=other -f changed.yaml
    error: Apply failed with 3 conflicts: conflicts with "kubectl":
    - .spec.replicas
    - .spec.template.spec.containers[name="web"].args
    - .spec.template.spec.containers[name="web"].env[name="A"].value
    Please review the fields above--they currently have other managers. Here
    are the ways you can resolve this warning:
    * If you intend to manage all of these fields, please re-run the apply
    command with the \`--force-conflicts\` flag.
    * If you do not intend to manage all of the fields, please edit your
    manifest to remove references to the fields that should keep their
    current managers.
    * You may co-own fields by updating your manifest to match the existing
    value; in this case, you'll become the manager if the other manager(s)
    stop managing the field (remove it from their configuration).
    See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
    [1]
    $ kubectl apply --server-side --field-manager=other --force-conflicts -f changed.yaml
    deployment.apps/web serverside-applied
    $ kubectl get deployment web --show-managed-fields -o 'jsonpath={.spec.replicas} {.metadata.labels} {range .metadata.managedFields[?(@.operation=="Apply")]}{.manager} {end}'
    1 {"team":"shop"} kubectl other
  `,

  'replaces, or makes anew by force': `
    $ kubectl create configmap settings --from-literal=a=1
    configmap/settings created
    $ kubectl replace -f -
    > {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}, "data": {"b": "2"}}
    configmap/settings replaced
    $ kubectl get configmap settings -o jsonpath={.data}
    {"b":"2"}
    $ kubectl replace --force -f -
    > {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}, "data": {}}
    configmap "settings" deleted
    configmap/settings replaced
    $ kubectl get configmap settings -o jsonpath={.data}
    $ kubectl replace -f -
    > {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "nope"}}
    Error from server (NotFound): error when replacing "STDIN": configmaps "nope" not found
    [1]
    $ kubectl create -f -
    > {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}}
    Error from server (AlreadyExists): error when creating "STDIN": configmaps "settings" already exists
    [1]
  `,

  'edits with an editor, and gives back what it does not take': `
    $ kubectl create deployment web --image=example.com/web:1 --replicas=0
    deployment.apps/web created
    $ KUBE_EDITOR='sed -i s/replicas:.0/replicas:\\ 1/' kubectl edit deployment web
    deployment.apps/web edited
    $ kubectl get deployment web -o jsonpath={.spec.replicas}
    1
    $ KUBE_EDITOR='true' kubectl edit deployment web
    Edit cancelled, no changes made.
    $ KUBE_EDITOR='sed -i s/maxSurge:.*/maxSurge:\\ -1/' kubectl edit deployment web
    error: deployments.apps "web" is invalid
    A copy of your changes has been stored to "…"
    error: Edit cancelled, no valid changes were saved.
    [1]
  `,

  'patches in three ways': `
    $ kubectl create deployment web --image=example.com/web:1 --replicas=0
    deployment.apps/web created
    $ kubectl patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"example.com/side:1"}]}}}}'
    deployment.apps/web patched
    $ kubectl get deployment web -o jsonpath={.spec.template.spec.containers[*].name}
    side web
    $ kubectl patch deployment web --type=merge -p '{"spec":{"template":{"spec":{"containers":[{"name":"only","image":"example.com/only:1"}]}}}}'
    deployment.apps/web patched
    $ kubectl get deployment web -o jsonpath={.spec.template.spec.containers[*].name}
    only
    $ kubectl patch deployment web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":1}]'
    deployment.apps/web patched
    $ kubectl patch deployment web --type=merge -p '{"spec":{"replicas":1}}'
    deployment.apps/web patched (no change)
    $ kubectl patch deployment web --subresource=scale --type=merge -p '{"spec":{"replicas":0}}'
    scale.autoscaling/web patched
    $ kubectl get deployment web -o jsonpath={.spec.replicas}
    0
  `,

  'refuses patches that do not fit': `
    $ kubectl create deployment web --image=example.com/web:1 --replicas=0
    deployment.apps/web created
    $ kubectl patch deployment web --type=json -p '[{"op":"test","path":"/spec/replicas","value":7}]'
    The request is invalid: the server rejected our request due to an error in our request
    [1]
    $ kubectl patch deployment web --type=json -p '[{"op":"remove","path":"/spec/nope"}]'
    The request is invalid: the server rejected our request due to an error in our request
    [1]
    $ kubectl patch deployment web --type=merge -p '{"spec":{"replicas":"x"}}'
    The request is invalid: patch: Invalid value: "{…": json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32
    [1]
    $ kubectl patch deployment web --type=merge -p '{"spec":{"replicas":-1}}'
    The Deployment "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0
    [1]
    $ kubectl patch deployment nope --type=merge -p '{}'
    Error from server (NotFound): deployments.apps "nope" not found
    [1]
  `,

  'labels and annotates, and overwrites only when told': `
    $ kubectl create configmap settings
    configmap/settings created
    $ kubectl label configmap settings tier=front
    configmap/settings labeled
    $ kubectl label configmap settings tier=back
    error: 'tier' already has a value (front), and --overwrite is false
    [1]
    $ kubectl label configmap settings tier=back --overwrite
    configmap/settings labeled
    $ kubectl label configmap settings --list
    tier=back
    $ kubectl label configmap settings tier-
    configmap/settings unlabeled
    $ kubectl label configmap settings tier-
    label "tier" not found.
    configmap/settings labeled
    $ kubectl label configmap settings 'tier=not valid!'
    error: invalid label value: "tier=not valid!": …
    [1]
    $ kubectl annotate configmap settings note=one
    configmap/settings annotated
    $ kubectl annotate configmap settings note=two
    error: --overwrite is false but found the following declared annotation(s): 'note' already has a value (one)
    [1]
    $ kubectl annotate configmap settings note=two --overwrite
    configmap/settings annotated
    $ kubectl annotate configmap settings note-
    configmap/settings annotated
  `,

  'points at fields that no kind has': `
    $ kubectl create --validate=strict -f -
    > {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replica": 1,
    >   "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}},
    >   "spec": {"containers": [{"name": "web", "image": "x", "imagePullPolice": "Always"}]}}}}
    Error from server (BadRequest): error when creating "STDIN": Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replica", unknown field "spec.template.spec.containers[0].imagePullPolice"
    [1]
    $ kubectl create --validate=warn -f -
    > {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "warned"}, "dat": {}}
    configmap/warned created
    Warning: unknown field "dat"
    $ kubectl create --validate=ignore -f -
    > {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "ignored"}, "dat": {}}
    configmap/ignored created
  `,

  'refuses what is not valid, and kinds that nobody serves': `
    $ kubectl create -f -
    > {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "Bad_Name"}}
    The ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist of …
    [1]
    $ kubectl create -f -
    > {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "bad"}, "spec": {"restartPolicy": "Sometimes", "containers": [{"name": "A"}]}}
    The Pod "bad" is invalid:
    * spec.containers[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of …
    * spec.containers[0].image: Required value
    * spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"
    [1]
    $ kubectl create -f -
    > {"apiVersion": "v1", "kind": "Nope", "metadata": {"name": "x"}}
    error: resource mapping not found for name: "x" namespace: "" from "STDIN": no matches for kind "Nope" in version "v1"
    ensure CRDs are installed first
    [1]
    $ kubectl apply -f -
    > {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x"}}
    error: resource mapping not found for name: "x" namespace: "" from "STDIN": no matches for kind "Thing" in version "example.com/v1"
    ensure CRDs are installed first
    [1]
    $ kubectl create configmap a -n nowhere
    error: failed to create configmap: namespaces "nowhere" not found
    [1]
  `,

  'does not let a pod change what it runs in place': `
    $ kubectl run web --image=example.com/web:1
    pod/web created
    $ kubectl patch pod web -p '{"spec":{"nodeSelector":{"a":"b"}}}'
    The Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than \`spec.containers[*].image\`,\`spec.initContainers[*].image\`,\`spec.activeDeadlineSeconds\`,\`spec.tolerations\` (only additions to existing tolerations),\`spec.terminationGracePeriodSeconds\` (allow it to be set to 1 if it was previously negative)
    ...
    [1]
    $ kubectl set image pod/web web=example.com/web:2
    pod/web image updated
  `,

  'tries without doing': `
    $ kubectl run web --image=example.com/web:1 --dry-run=server
    pod/web created (server dry run)
    $ kubectl run web --image=example.com/web:1 --dry-run=client -o yaml
    apiVersion: v1
    kind: Pod
    metadata:
    ...
    $ kubectl get pod web
    Error from server (NotFound): pods "web" not found
    [1]
    $ kubectl create configmap settings
    configmap/settings created
    $ kubectl delete configmap settings --dry-run=server
    configmap "settings" deleted (server dry run)
    $ kubectl label configmap settings a=b --dry-run=server
    configmap/settings labeled (server dry run)
    $ kubectl get configmap settings --show-labels
    NAME DATA AGE LABELS
    settings 0 <age> <none>
  `,
};
