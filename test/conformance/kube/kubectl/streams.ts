// What people see who want to get into a pod where no kubelet answers: logs, exec, attach, copies, forwarded ports.
import { differences } from './differences.ts';
import { play, type Stories } from './transcript.ts';

export const streamStories: Stories = {
  'says that the kubelet of a running pod does not answer': async (story) => {
    const { execRefused } = differences;
    const refused = execRefused[story.terminal.world];
    await play(
      story,
      `
      $ kubectl run web --image=example.com/web:1
      pod/web created
      $ kubectl wait pod/web --for=condition=Ready --timeout=10s
      pod/web condition met
      $ kubectl logs web
      Error from server: Get "https://127.0.0.1:1/containerLogs/NAMESPACE/web/web": dial tcp 127.0.0.1:1: connect: connection refused
      [1]
      $ kubectl logs web --previous --tail=5 --timestamps
      Error from server: Get "https://127.0.0.1:1/containerLogs/NAMESPACE/web/web?previous=true&tailLines=5&timestamps=true": dial tcp 127.0.0.1:1: connect: connection refused
      [1]
      $ kubectl exec web -- ls
      ${refused}
      [1]
      $ kubectl attach web
      ...
      ${refused}
      [1]
      $ kubectl cp web:/etc/hosts hosts
      ${refused}
      [1]
      $ kubectl port-forward web 0:80
      error: error upgrading connection: error dialing backend: dial tcp 127.0.0.1:1: connect: connection refused
      [1]
      `,
    );
  },

  'says of a pod without a node that nothing runs yet': `
    $ kubectl create -f -
    > {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "picky"}, "spec": {"nodeSelector": {"no": "where"}, "containers": [{"name": "a", "image": "x"}]}}
    pod/picky created
    $ kubectl logs picky
    $ kubectl exec picky -- ls
    Error from server (BadRequest): pod picky does not have a host assigned
    [1]
    $ kubectl port-forward picky 0:80
    error: unable to forward port because pod is not running. Current status=Pending
    [1]
    $ kubectl attach picky
    If you don't see a command prompt, try pressing enter.
    Error from server (BadRequest): pod picky does not have a host assigned
    [1]
  `,

  'says of a pod that has ended that nobody gets in': `
    $ kubectl run done --image=example.com/succeeds:1 --restart=Never
    pod/done created
    $ kubectl wait pod/done --for=jsonpath={.status.phase}=Succeeded --timeout=10s
    pod/done condition met
    $ kubectl exec done -- ls
    error: cannot exec into a container in a completed pod; current phase is Succeeded
    [1]
    $ kubectl attach done
    error: cannot attach a container in a completed pod; current phase is Succeeded
    [1]
  `,

  'asks which container, and knows those of the pod': `
    $ kubectl create -f -
    > {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "two"}, "spec": {"containers": [{"name": "a", "image": "example.com/web:1"}, {"name": "b", "image": "x"}]}}
    pod/two created
    $ kubectl wait pod/two --for=condition=Ready --timeout=10s
    pod/two condition met
    $ kubectl logs two -c nope
    error: container nope is not valid for pod two
    [1]
    $ kubectl exec two -c nope -- ls
    Error from server (BadRequest): container nope is not valid for pod two
    [1]
    $ kubectl logs two
    Defaulted container "a" out of: a, b
    Error from server: Get "https://127.0.0.1:1/containerLogs/NAMESPACE/two/a": dial tcp 127.0.0.1:1: connect: connection refused
    [1]
    $ kubectl logs nope
    …pods "nope" not found…
    [1]
    $ kubectl exec nope -- ls
    Error from server (NotFound): pods "nope" not found
    [1]
  `,
};
