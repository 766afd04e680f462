// What people see who work on nodes: cordon, taint, drain, describe. Each story has nodes of its own.
import { expect } from 'vitest';
import type { Story } from './terminal.ts';
import { play, printedBy, type Stories } from './transcript.ts';

async function withNodes(story: Story, transcript: string): Promise<void> {
  const { kubelets } = story.terminal;
  const names = ['a', 'b'].map((letter) => `${story.namespace}-${letter}`);
  await Promise.all(names.map((name) => kubelets.add(name, story.namespace)));
  await play(story, transcript);
}

/** A deployment whose pods go to the story's own nodes. */
function deployment(name: string, more = ''): string {
  return `
      $ kubectl create -f -
      > apiVersion: apps/v1
      > kind: Deployment
      > metadata: {name: ${name}}
      > spec:
      >   selector: {matchLabels: {app: ${name}}}
      >   template:
      >     metadata: {labels: {app: ${name}}}
      >     spec:
      >       nodeSelector: {purpose: NAMESPACE}
      >       tolerations: [{key: purpose, operator: Exists}]
      >       containers: [{name: a, image: "example.com/web:1"}]
      >       ${more}
      deployment.apps/${name} created
      $ kubectl rollout status deployment ${name} --timeout=15s
      ...
      deployment "${name}" successfully rolled out`;
}

export const nodeStories: Stories = {
  'closes a node to pods and opens it again': async (story) => {
    await withNodes(
      story,
      `
      $ kubectl cordon NAMESPACE-a
      node/NAMESPACE-a cordoned
      $ kubectl cordon NAMESPACE-a
      node/NAMESPACE-a already cordoned
      $ kubectl get node NAMESPACE-a
      NAME STATUS ROLES AGE VERSION
      NAMESPACE-a Ready,SchedulingDisabled <none> <age> v1.35.4
      $ kubectl wait node/NAMESPACE-a --for=jsonpath={.spec.taints[1].key}=node.kubernetes.io/unschedulable --timeout=10s
      node/NAMESPACE-a condition met
      ${deployment('web')}
      $ kubectl get pods -l app=web -o custom-columns=NODE:.spec.nodeName
      NODE
      NAMESPACE-b
      $ kubectl uncordon NAMESPACE-a
      node/NAMESPACE-a uncordoned
      $ kubectl uncordon NAMESPACE-a
      node/NAMESPACE-a already uncordoned
      $ kubectl cordon NAMESPACE-nope
      Error from server (NotFound): nodes "NAMESPACE-nope" not found
      [1]
      `,
    );
  },

  'adds, changes and removes taints': async (story) => {
    await withNodes(
      story,
      `
      $ kubectl taint node NAMESPACE-a color=red:NoSchedule
      node/NAMESPACE-a tainted
      $ kubectl taint node NAMESPACE-a color=blue:NoSchedule
      error: node NAMESPACE-a already has color taint(s) with same effect(s) and --overwrite is false
      [1]
      $ kubectl taint node NAMESPACE-a color=blue:NoSchedule --overwrite
      node/NAMESPACE-a modified
      $ kubectl taint node NAMESPACE-a color:NoExecute
      node/NAMESPACE-a tainted
      $ kubectl get node NAMESPACE-a -o 'jsonpath={range .spec.taints[?(@.key=="color")]}{.value}:{.effect} {end}'
      :NoExecute blue:NoSchedule
      $ kubectl taint node NAMESPACE-a color:NoSchedule-
      node/NAMESPACE-a untainted
      $ kubectl taint node NAMESPACE-a color-
      node/NAMESPACE-a untainted
      $ kubectl taint node NAMESPACE-a color-
      error: taint "color" not found
      [1]
      $ kubectl taint node NAMESPACE-a color=red:Nope
      error: invalid taint effect: Nope, unsupported taint effect
      See 'kubectl taint -h' for help and examples
      [1]
      `,
    );
  },

  'drains what may be drained, and says what may not': async (story) => {
    await withNodes(
      story,
      `
      $ kubectl cordon NAMESPACE-b
      node/NAMESPACE-b cordoned
      $ kubectl create -f -
      > apiVersion: apps/v1
      > kind: DaemonSet
      > metadata: {name: agent}
      > spec:
      >   selector: {matchLabels: {app: agent}}
      >   template:
      >     metadata: {labels: {app: agent}}
      >     spec:
      >       nodeSelector: {kubernetes.io/hostname: NAMESPACE-a}
      >       tolerations: [{key: purpose, operator: Exists}]
      >       containers: [{name: a, image: "example.com/web:1"}]
      > ---
      > apiVersion: v1
      > kind: Pod
      > metadata: {name: alone}
      > spec:
      >   nodeSelector: {purpose: NAMESPACE}
      >   tolerations: [{key: purpose, operator: Exists}]
      >   containers: [{name: a, image: "example.com/web:1"}]
      daemonset.apps/agent created
      pod/alone created
      ${deployment('cache', 'volumes: [{name: scratch, emptyDir: {}}]')}
      $ kubectl rollout status daemonset agent --timeout=15s
      ...
      daemon set "agent" successfully rolled out
      $ kubectl wait pod/alone --for=condition=Ready --timeout=10s
      pod/alone condition met
      $ kubectl drain NAMESPACE-a --ignore-daemonsets --delete-emptydir-data
      node/NAMESPACE-a cordoned
      error: unable to drain node "NAMESPACE-a" due to error: cannot delete cannot delete Pods that declare no controller (use --force to override): NAMESPACE/alone, continuing command...
      There are pending nodes to be drained:
      NAMESPACE-a
      cannot delete cannot delete Pods that declare no controller (use --force to override): NAMESPACE/alone
      [1]
      $ kubectl drain NAMESPACE-a --ignore-daemonsets --force
      node/NAMESPACE-a already cordoned
      error: unable to drain node "NAMESPACE-a" due to error: cannot delete Pods with local storage (use --delete-emptydir-data to override): NAMESPACE/cache-<hash>-<id>, continuing command...
      There are pending nodes to be drained:
      NAMESPACE-a
      cannot delete Pods with local storage (use --delete-emptydir-data to override): NAMESPACE/cache-<hash>-<id>
      [1]
      $ kubectl drain NAMESPACE-a --delete-emptydir-data --force
      node/NAMESPACE-a already cordoned
      error: unable to drain node "NAMESPACE-a" due to error: cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): NAMESPACE/agent-<id>, continuing command...
      There are pending nodes to be drained:
      NAMESPACE-a
      cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): NAMESPACE/agent-<id>
      [1]
      $ kubectl uncordon NAMESPACE-b
      node/NAMESPACE-b uncordoned
      `,
    );
    const drain = await story.kubectl(
      `drain ${story.namespace}-a --ignore-daemonsets --delete-emptydir-data --force --timeout=15s`,
    );
    // Pods are evicted side by side: which is told first is chance.
    const printed = new Set(printedBy(drain, story));
    expect(printed).toEqual(
      new Set([
        'node/NAMESPACE-a already cordoned',
        'evicting pod NAMESPACE/alone',
        'evicting pod NAMESPACE/cache-<hash>-<id>',
        'pod/alone evicted',
        'pod/cache-<hash>-<id> evicted',
        'node/NAMESPACE-a drained',
        [...printed].find((line) => /^Warning: .*ignoring DaemonSet-managed Pods/.test(line)),
      ]),
    );
    await play(
      story,
      `
      $ kubectl rollout status deployment cache --timeout=15s
      ...
      deployment "cache" successfully rolled out
      $ kubectl get pods -o custom-columns=APP:.metadata.labels.app,NODE:.spec.nodeName --sort-by=.metadata.name
      APP NODE
      agent NAMESPACE-a
      cache NAMESPACE-b
      `,
    );
  },

  'does not evict what a budget protects, until it allows or is passed by': async (story) => {
    await withNodes(
      story,
      `
      $ kubectl cordon NAMESPACE-b
      node/NAMESPACE-b cordoned
      ${deployment('web')}
      $ kubectl create pdb web --selector=app=web --min-available=1
      poddisruptionbudget.policy/web created
      $ kubectl wait pdb/web --for=jsonpath={.status.currentHealthy}=1 --timeout=10s
      poddisruptionbudget.policy/web condition met
      $ kubectl drain NAMESPACE-a --timeout=1s
      node/NAMESPACE-a cordoned
      evicting pod NAMESPACE/web-<hash>-<id>
      evicting pod NAMESPACE/web-<hash>-<id>
      error when evicting pods/"web-<hash>-<id>" -n "NAMESPACE" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.
      There are pending pods in node "NAMESPACE-a" when an error occurred: error when evicting pods/"web-<hash>-<id>" -n "NAMESPACE": global timeout reached: 1s
      pod/web-<hash>-<id>
      error: unable to drain node "NAMESPACE-a" due to error: error when evicting pods/"web-<hash>-<id>" -n "NAMESPACE": global timeout reached: 1s, continuing command...
      There are pending nodes to be drained:
      NAMESPACE-a
      error when evicting pods/"web-<hash>-<id>" -n "NAMESPACE": global timeout reached: 1s
      [1]
      $ kubectl patch pdb web --type=merge -p '{"spec":{"minAvailable":0}}'
      poddisruptionbudget.policy/web patched
      $ kubectl wait pdb/web --for=jsonpath={.status.disruptionsAllowed}=1 --timeout=10s
      poddisruptionbudget.policy/web condition met
      $ kubectl uncordon NAMESPACE-b
      node/NAMESPACE-b uncordoned
      $ kubectl drain NAMESPACE-a --timeout=15s
      node/NAMESPACE-a already cordoned
      evicting pod NAMESPACE/web-<hash>-<id>
      pod/web-<hash>-<id> evicted
      node/NAMESPACE-a drained
      $ kubectl patch pdb web --type=merge -p '{"spec":{"minAvailable":1}}'
      poddisruptionbudget.policy/web patched
      $ kubectl uncordon NAMESPACE-a
      node/NAMESPACE-a uncordoned
      $ kubectl rollout status deployment web --timeout=15s
      ...
      deployment "web" successfully rolled out
      $ kubectl drain NAMESPACE-b --disable-eviction --timeout=15s
      node/NAMESPACE-b cordoned
      pod/web-<hash>-<id> deleted
      node/NAMESPACE-b drained
      `,
    );
  },

  'describes a node with its pods and what they ask for': async (story) => {
    await withNodes(
      story,
      `
      $ kubectl cordon NAMESPACE-b
      node/NAMESPACE-b cordoned
      ${deployment('web')}
      $ kubectl set resources deployment web --requests=cpu=1,memory=2Gi --limits=cpu=2
      deployment.apps/web resource requirements updated
      $ kubectl rollout status deployment web --timeout=15s
      ...
      deployment "web" successfully rolled out
      $ kubectl wait --for=create event -n default --field-selector involvedObject.name=NAMESPACE-a --timeout=20s
      ...
      $ kubectl describe node NAMESPACE-a
      Name: NAMESPACE-a
      Roles: <none>
      Labels: beta.kubernetes.io/arch=amd64
      beta.kubernetes.io/os=linux
      kubernetes.io/arch=amd64
      kubernetes.io/hostname=NAMESPACE-a
      kubernetes.io/os=linux
      purpose=NAMESPACE
      Annotations: …
      CreationTimestamp: <time>
      Taints: purpose=NAMESPACE:NoSchedule
      Unschedulable: false
      Lease:
      HolderIdentity: NAMESPACE-a
      AcquireTime: <unset>
      RenewTime: <time>
      Conditions:
      Type Status LastHeartbeatTime LastTransitionTime Reason Message
      ---- ---- ---- ---- ---- ----
      MemoryPressure False <time> <time> KubeletHasSufficientMemory kubelet has sufficient memory available
      DiskPressure False <time> <time> KubeletHasNoDiskPressure kubelet has no disk pressure
      PIDPressure False <time> <time> KubeletHasSufficientPID kubelet has sufficient PID available
      Ready True <time> <time> KubeletReady kubelet is posting ready status
      Addresses:
      InternalIP: 127.0.0.1
      Capacity:
      cpu: 4
      ephemeral-storage: 50Gi
      memory: 8Gi
      pods: 110
      Allocatable:
      cpu: 4
      ephemeral-storage: 50Gi
      memory: 8Gi
      pods: 110
      System Info:
      ...
      Non-terminated Pods: (1 in total)
      Namespace Name CPU Requests CPU Limits Memory Requests Memory Limits Age
      ---- ---- ---- ---- ---- ---- ---
      NAMESPACE web-<hash>-<id> 1 (25%) 2 (50%) 2Gi (25%) 0 (0%) <age>
      Allocated resources:
      (Total limits may be over 100 percent, i.e., overcommitted.)
      Resource Requests Limits
      ---- ---- ----
      cpu 1 (25%) 2 (50%)
      memory 2Gi (25%) 0 (0%)
      ephemeral-storage 0 (0%) 0 (0%)
      ...
      `,
    );
  },
};
