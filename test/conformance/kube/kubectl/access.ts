// What people see of who they are and what they may do: reviews, tokens, impersonation, certificates.
import { expect } from 'vitest';
import { createCertificateRequest } from '../../../../src/emulator/certificates.ts';
import { differences } from './differences.ts';
import { play, printedBy, type Stories } from './transcript.ts';

export const accessStories: Stories = {
  'says what the administrator may do, and who that is': async (story) => {
    await play(
      story,
      `
      $ kubectl auth can-i create pods
      yes
      $ kubectl auth can-i '*' '*'
      yes
      $ kubectl auth can-i get /healthz
      yes
      $ kubectl auth can-i --list
      Resources Non-Resource URLs Resource Names Verbs
      *.* [] [] [*]
      [*] [] [*]
      ...
      $ kubectl auth whoami
      ATTRIBUTE VALUE
      Username ${differences.administrator[story.terminal.world]}
      ...
      Groups [system:masters system:authenticated]
      ...
      `,
    );
  },

  'lets others do what a role gives them, and nothing else': `
    $ kubectl auth can-i list pods --as=jane
    no
    [1]
    $ kubectl create role reader --verb=get,list --resource=pods
    role.rbac.authorization.k8s.io/reader created
    $ kubectl create rolebinding reads --role=reader --user=jane
    rolebinding.rbac.authorization.k8s.io/reads created
    $ kubectl auth can-i list pods --as=jane
    yes
    $ kubectl auth can-i --list --as=jane
    Resources Non-Resource URLs Resource Names Verbs
    selfsubjectreviews.authentication.k8s.io [] [] [create]
    selfsubjectaccessreviews.authorization.k8s.io [] [] [create]
    selfsubjectrulesreviews.authorization.k8s.io [] [] [create]
    pods [] [] [get list]
    [/api/*] [] [get]
    ...
    $ kubectl get pods --as=jane
    No resources found in NAMESPACE namespace.
    $ kubectl get configmaps --as=jane
    Error from server (Forbidden): configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "NAMESPACE"
    [1]
    $ kubectl get nodes --as=jane
    Error from server (Forbidden): nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope
    [1]
    $ kubectl delete pod x --as=jane
    Error from server (Forbidden): pods "x" is forbidden: User "jane" cannot delete resource "pods" in API group "" in the namespace "NAMESPACE"
    [1]
    $ kubectl auth whoami --as=jane --as-group=dev -o jsonpath={.status.userInfo}
    {"groups":["dev","system:authenticated"],"username":"jane"}
  `,

  'gives a service account a token that opens what its role allows': async (story) => {
    await play(
      story,
      `
      $ kubectl create serviceaccount robot
      serviceaccount/robot created
      $ kubectl create role reader --verb=list --resource=configmaps
      role.rbac.authorization.k8s.io/reader created
      $ kubectl create rolebinding reads --role=reader --serviceaccount=NAMESPACE:robot
      rolebinding.rbac.authorization.k8s.io/reads created
      $ kubectl create token nope
      error: failed to create token: serviceaccounts "nope" not found
      [1]
      $ kubectl create token robot --duration=10s
      error: …
      [1]
      `,
    );
    const token = (await story.kubectl('create token robot --duration=1h')).stdout.trim();
    const { url, authorityPem } = story.terminal.connection;
    await story.file('ca.crt', authorityPem);
    const robot = async (line: string, secret = token): Promise<readonly string[]> =>
      printedBy(
        await story.kubectl(
          `--server=${url} --certificate-authority=ca.crt --token=${secret} -n ${story.namespace} ${line}`,
          { env: { KUBECONFIG: '/dev/null' } },
        ),
        story,
      );
    const username = 'system:serviceaccount:NAMESPACE:robot';
    expect([
      await robot('get configmaps -o name'),
      await robot('get secrets'),
      (await robot('auth whoami')).slice(0, 2),
      (await robot('get configmaps', 'wrong')).slice(-2),
    ]).toEqual([
      ['configmap/kube-root-ca.crt'],
      [
        `Error from server (Forbidden): secrets is forbidden: User "${username}" cannot list resource "secrets" in API group "" in the namespace "NAMESPACE"`,
        '[1]',
      ],
      ['ATTRIBUTE VALUE', `Username ${username}`],
      ['error: You must be logged in to the server (Unauthorized)', '[1]'],
    ]);
  },

  'does not let anybody give away more than they have': `
    $ kubectl create role giver --verb=create --resource=roles
    role.rbac.authorization.k8s.io/giver created
    $ kubectl create rolebinding gives --role=giver --user=mallory
    rolebinding.rbac.authorization.k8s.io/gives created
    $ kubectl create role all --verb=* --resource=secrets --as=mallory
    Error from server (Forbidden): roles.rbac.authorization.k8s.io "all" is forbidden: user "mallory" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:
    {APIGroups:[""], Resources:["secrets"], Verbs:["*"]}
    [1]
  `,

  'approves and denies requests for certificates': async (story) => {
    const { requestPem } = await createCertificateRequest({ subject: { commonName: 'jane' } });
    const request = Buffer.from(requestPem).toString('base64');
    const named = (name: string): string => `
      > apiVersion: certificates.k8s.io/v1
      > kind: CertificateSigningRequest
      > metadata: {name: ${name}}
      > spec: {request: ${request}, signerName: kubernetes.io/kube-apiserver-client, usages: [client auth]}`;
    const administrator = differences.administrator[story.terminal.world];
    await play(
      story,
      `
      $ kubectl create -f - ${named('NAMESPACE-good')}
      > --- ${named('NAMESPACE-bad')}
      certificatesigningrequest.certificates.k8s.io/NAMESPACE-good created
      certificatesigningrequest.certificates.k8s.io/NAMESPACE-bad created
      $ kubectl get csr NAMESPACE-good
      NAME AGE SIGNERNAME REQUESTOR REQUESTEDDURATION CONDITION
      NAMESPACE-good <age> kubernetes.io/kube-apiserver-client ${administrator} <none> Pending
      $ kubectl certificate approve NAMESPACE-good
      certificatesigningrequest.certificates.k8s.io/NAMESPACE-good approved
      $ kubectl certificate deny NAMESPACE-bad
      certificatesigningrequest.certificates.k8s.io/NAMESPACE-bad denied
      $ kubectl get csr NAMESPACE-bad NAMESPACE-good
      NAME AGE SIGNERNAME REQUESTOR REQUESTEDDURATION CONDITION
      NAMESPACE-bad <age> kubernetes.io/kube-apiserver-client ${administrator} <none> Denied
      NAMESPACE-good <age> kubernetes.io/kube-apiserver-client ${administrator} <none> Approved…
      $ kubectl certificate deny NAMESPACE-good
      error: certificate signing request "NAMESPACE-good" is already Approved
      [1]
      $ kubectl certificate approve NAMESPACE-nope
      Error from server (NotFound): certificatesigningrequests.certificates.k8s.io "NAMESPACE-nope" not found
      [1]
      $ kubectl describe csr NAMESPACE-bad
      Name: NAMESPACE-bad
      Labels: <none>
      Annotations: <none>
      CreationTimestamp: <time>
      Requesting User: ${administrator}
      Signer: kubernetes.io/kube-apiserver-client
      Status: Denied
      Subject:
      Common Name: jane
      Serial Number:
      Events: <none>
      `,
    );
  },
};
