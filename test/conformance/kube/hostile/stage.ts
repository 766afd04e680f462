// What hostile requests are played on: a namespace with some of everything. In: a session. Out: the names to put into
// requests, and a look at all that is stored, so that a refusal which left something behind is seen.
import type { Json } from '../../../../src/api/meta.ts';
import { at, freshName, freshNamespace, until, type KubeSession } from '../session.ts';
import { signingRequestText } from './signing-request.ts';
import { merge, type Names } from './row.ts';
import { stagedObjects, widgetDefinition } from './staged-objects.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export async function setStage(session: KubeSession): Promise<Names> {
  const ns = await freshNamespace(session);
  const group = `${freshName('hostile')}.example.com`;
  const node = freshName('node');
  const csr = freshName('request');
  const make = async (path: string, body: Json): Promise<Json> => {
    const answer = await session.send('POST', path, { body });
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await make(definitions, widgetDefinition(group));
  const widgets = `/apis/${group}/v1/namespaces/${ns}/widgets`;
  await until(session, widgets, 200);
  for (const [path, object] of stagedObjects({ ns, group, node, csr })) await make(path, object);
  await makeWidget(session, widgets, group);
  await make('/apis/certificates.k8s.io/v1/certificatesigningrequests', signingRequest(csr));
  await run(session, ns);
  const token = await make(`/api/v1/namespaces/${ns}/serviceaccounts/limited/token`, { spec: {} });
  const settings = await session.send('GET', `/api/v1/namespaces/${ns}/configmaps/settings`);
  const page = await session.send('GET', `/api/v1/namespaces/${ns}/configmaps?limit=1`);
  return {
    ns,
    group,
    node,
    csr,
    token: textAt(token, 'status', 'token'),
    uid: textAt(settings.body, 'metadata', 'uid'),
    version: textAt(settings.body, 'metadata', 'resourceVersion'),
    continue: textAt(page.body, 'metadata', 'continue'),
  };
}

function textAt(value: Json, ...path: readonly string[]): string {
  return at(value, ...path) as string;
}

/** A kind that has just come may be refused for a moment by a real server. */
async function makeWidget(session: KubeSession, path: string, group: string): Promise<void> {
  const metadata = { name: 'widget' };
  const body = { apiVersion: `${group}/v1`, kind: 'Widget', metadata, spec: { size: 1 } };
  for (let tries = 0; tries < 100; tries++) {
    if ((await session.send('POST', path, { body })).status === 201) return;
    await session.pause(50);
  }
  throw new Error(`no widget could be made at ${path}`);
}

function signingRequest(name: string): Json {
  return {
    metadata: { name },
    spec: {
      request: Buffer.from(signingRequestText).toString('base64'),
      signerName: 'example.com/signer',
      usages: ['client auth'],
    },
  };
}

/** Binds the pods that are to have a node, and gives them the status of a kubelet. */
async function run(session: KubeSession, ns: string): Promise<void> {
  const pods = `/api/v1/namespaces/${ns}/pods`;
  for (const [name, phase] of [
    ['running', 'Running'],
    ['done', 'Succeeded'],
  ] as const) {
    const target = { kind: 'Node', name: 'absent' };
    await session.send('POST', `${pods}/${name}/binding`, { body: { metadata: { name }, target } });
    const status = { phase, conditions: [{ type: 'Ready', status: 'True' }] };
    await session.send('PATCH', `${pods}/${name}/status`, { body: { status }, type: merge });
  }
}

const namespaced = [
  '/api/v1/NS/configmaps',
  '/api/v1/NS/secrets',
  '/api/v1/NS/pods',
  '/api/v1/NS/services',
  '/api/v1/NS/serviceaccounts',
  '/api/v1/NS/persistentvolumeclaims',
  '/api/v1/NS/resourcequotas',
  '/api/v1/NS/limitranges',
  '/api/v1/NS/events',
  '/apis/apps/v1/NS/deployments',
  '/apis/apps/v1/NS/statefulsets',
  '/apis/apps/v1/NS/daemonsets',
  '/apis/batch/v1/NS/jobs',
  '/apis/batch/v1/NS/cronjobs',
  '/apis/policy/v1/NS/poddisruptionbudgets',
  '/apis/rbac.authorization.k8s.io/v1/NS/roles',
  '/apis/rbac.authorization.k8s.io/v1/NS/rolebindings',
  '/apis/networking.k8s.io/v1/NS/networkpolicies',
  '/apis/{group}/v1/NS/widgets',
];

const clusterWide = [
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/api/v1/persistentvolumes',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/apis/storage.k8s.io/v1/storageclasses',
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  definitions,
];

/** Everything that is there, each object with its version. */
export async function everything(
  session: KubeSession,
  { ns = '', group = '' }: Names,
): Promise<readonly string[]> {
  const paths = [...namespaced, ...clusterWide].map((path) =>
    path.replace('NS', `namespaces/${ns}`).replace('{group}', group),
  );
  const lists = await Promise.all(paths.map((path) => session.send('GET', path)));
  return lists.flatMap(({ body }, index) => {
    const items = (at(body, 'items') ?? []) as readonly Json[];
    return items.map((item) => {
      const name = at(item, 'metadata', 'name') as string;
      return `${paths[index]}/${name}@${at(item, 'metadata', 'resourceVersion') as string}`;
    });
  });
}
