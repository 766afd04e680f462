// Pods: bound once, evicted within their budget, deleted with grace; and what is wrong with those that are refused.
import { describe, expect, test } from 'vitest';
import { at, freshNamespace, verdict, type Fields, type KubeSession } from './session.ts';

const merge = 'application/merge-patch+json';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const pod = (name: string, spec: Fields = {}): Fields => ({
  metadata: { name, labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
});

async function running(
  session: KubeSession,
): Promise<{ readonly pods: string; readonly budgets: string }> {
  const namespace = await freshNamespace(session);
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await session.send('POST', pods, { body: pod('p') });
  await session.send('POST', `${pods}/p/binding`, {
    body: { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
  });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await session.send('PATCH', `${pods}/p/status`, { body: { status }, type: merge });
  return { pods, budgets: `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets` };
}

async function budget(
  session: KubeSession,
  path: string,
  name: string,
  disruptionsAllowed: number,
): Promise<void> {
  const spec = { minAvailable: 1, selector: { matchLabels: { app: 'web' } } };
  await session.send('POST', path, { body: { metadata: { name }, spec } });
  const status = {
    observedGeneration: 1,
    desiredHealthy: 1,
    currentHealthy: 1,
    expectedPods: 1,
    disruptionsAllowed,
  };
  await session.send('PATCH', `${path}/${name}/status`, { body: { status }, type: merge });
}

const container = (more: Fields): Fields => ({ containers: [{ name: 'a', image: 'x', ...more }] });

const faults: readonly (readonly [string, Fields, string])[] = [
  ['no containers', { containers: [] }, 'spec.containers: Required value'],
  [
    'two of one name',
    {
      containers: [
        { name: 'a', image: 'x' },
        { name: 'a', image: 'x' },
      ],
    },
    'spec.containers[1].name: Duplicate value: "a"',
  ],
  [
    'more asked than allowed',
    container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'a device without a limit',
    container({ resources: { requests: { 'x.y/z': '2' } } }),
    'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
  ],
  [
    'a mount of nothing',
    container({ volumeMounts: [{ name: 'v', mountPath: '/x' }] }),
    'spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ],
  [
    'a label that is none',
    { ...container({}), nodeSelector: { a: 'b c' } },
    "spec.nodeSelector: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
  [
    'no topology',
    {
      ...container({}),
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: '', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
      ],
    },
    'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
  ],
];

export function describePods(open: () => KubeSession): void {
  describe('pods', () => {
    test.each(faults)('with %s are refused', async (_, spec, complaint) => {
      const path = `/api/v1/namespaces/${await freshNamespace(open())}/pods?dryRun=All`;
      const answer = await open().send('POST', path, { body: { metadata: { name: 'bad' }, spec } });
      expect(verdict(answer)).toBe(`422 Invalid: Pod "bad" is invalid: ${complaint}`);
    });

    test.each([
      ['priorityClassName', 'no PriorityClass with name nope was found'],
      ['runtimeClassName', 'pod rejected: RuntimeClass "nope" not found'],
    ])('that name a %s which is not there are refused', async (field, complaint) => {
      const path = `/api/v1/namespaces/${await freshNamespace(open())}/pods`;
      const answer = await open().send('POST', path, { body: pod('p', { [field]: 'nope' }) });
      expect(verdict(answer)).toBe(`403 Forbidden: pods "p" is forbidden: ${complaint}`);
    });

    test('are bound once', async () => {
      const { pods } = await running(open());
      const again = await open().send('POST', `${pods}/p/binding`, {
        body: { metadata: { name: 'p' }, target: { kind: 'Node', name: 'other' } },
      });
      expect(verdict(again)).toBe(
        '409 Conflict: Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n"',
      );
      const { body } = await open().send('GET', `${pods}/p`);
      expect([at(body, 'spec', 'nodeName'), at(body, 'metadata', 'generation')]).toEqual(['n', 1]);
    });

    test('are shown as everybody knows them', async () => {
      const { pods } = await running(open());
      const { body } = await open().send('GET', `${pods}/p`, { accept: table });
      const [row] = at(body, 'rows') as readonly Fields[];
      expect((at(row, 'cells') as readonly string[]).slice(0, 4)).toEqual([
        'p',
        '0/1',
        'Running',
        '0',
      ]);
    });

    test('change their image and nothing that makes them another pod', async () => {
      const { pods } = await running(open());
      const patch = (spec: Fields) =>
        open().send('PATCH', `${pods}/p`, {
          body: { spec },
          type: 'application/strategic-merge-patch+json',
        });
      expect((await patch({ containers: [{ name: 'c', image: 'nginx:2' }] })).status).toBe(200);
      expect(verdict(await patch({ nodeName: 'zz' }))).toContain(
        'spec: Forbidden: pod updates may not change fields other than',
      );
    });

    test('go with grace when they run, at once when they do not', async () => {
      const { pods } = await running(open());
      const deleted = await open().send('DELETE', `${pods}/p`);
      expect(at(deleted.body, 'metadata', 'deletionGracePeriodSeconds')).toBe(30);
      expect((await open().send('GET', `${pods}/p`)).status).toBe(200);
      await open().send('DELETE', `${pods}/p?gracePeriodSeconds=0`);
      expect((await open().send('GET', `${pods}/p`)).status).toBe(404);
      await open().send('POST', pods, { body: pod('pending') });
      await open().send('DELETE', `${pods}/pending`);
      expect((await open().send('GET', `${pods}/pending`)).status).toBe(404);
    });

    test('are evicted as long as their budget lasts', async () => {
      const { pods, budgets } = await running(open());
      const evict = () =>
        open().send('POST', `${pods}/p/eviction`, { body: { metadata: { name: 'p' } } });
      await budget(open(), budgets, 'b', 0);
      const refused = await evict();
      expect([verdict(refused), at(refused.body, 'details', 'causes')]).toEqual([
        "429 TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget.",
        [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget b needs 1 healthy pods and has 1 currently',
          },
        ],
      ]);
      await open().send('PATCH', `${budgets}/b/status`, {
        body: { status: { disruptionsAllowed: 1 } },
        type: merge,
      });
      expect(verdict(await evict())).toBe('201 Success');
      const { body } = await open().send('GET', `${budgets}/b`);
      expect([
        at(body, 'status', 'disruptionsAllowed'),
        Object.keys(at(body, 'status', 'disruptedPods') as Fields),
      ]).toEqual([0, ['p']]);
    });

    test('of two budgets are nobody’s to evict', async () => {
      const { pods, budgets } = await running(open());
      await budget(open(), budgets, 'b1', 1);
      await budget(open(), budgets, 'b2', 1);
      const answer = await open().send('POST', `${pods}/p/eviction`, {
        body: { metadata: { name: 'p' } },
      });
      expect(verdict(answer)).toBe(
        '500 Failure: This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    });

    test('have no log without a node, and no door without a kubelet', async () => {
      const namespace = await freshNamespace(open());
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      await open().send('POST', pods, { body: pod('p') });
      expect((await open().send('GET', `${pods}/p/log`)).status).toBe(204);
      expect(verdict(await open().send('GET', `${pods}/p/exec?command=ls`))).toBe(
        '400 BadRequest: pod p does not have a host assigned',
      );
    });
  });
}
