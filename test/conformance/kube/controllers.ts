// What a controller manager must do, told as stories that run against the real one and against ours alike.
// In: a way to send requests and to let time pass. Out: a failed expectation, or nothing.
// Nodes and kubelets are left out: stories write pod statuses themselves.
import { expect } from 'vitest';
import type { Json } from '../../../src/api/meta.ts';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A cluster with a controller manager and nothing else. */
export interface ManagedCluster {
  send(method: string, path: string, body?: Json, contentType?: string): Promise<Answer>;
  pause(ms: number): Promise<void>;
}

interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly { readonly name: string; readonly kind: string }[];
  };
  readonly spec: unknown;
  readonly status?: Readonly<Record<string, unknown>>;
}

const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const labels = { app: 'web' };

function template(image = 'web:1'): Json {
  return { metadata: { labels }, spec: { containers: [{ name: 'c', image }] } };
}

function mustBe(status: number, answer: Answer): void {
  if (answer.status !== status) throw new Error(JSON.stringify(answer));
}

/** One story's own namespace, with the words that stories are told in. */
class Scene {
  readonly #cluster: ManagedCluster;
  readonly namespace: string;

  constructor(cluster: ManagedCluster, namespace: string) {
    this.#cluster = cluster;
    this.namespace = namespace;
  }

  path(resource: string, name = ''): string {
    const groups: Record<string, string> = {
      deployments: '/apis/apps/v1',
      replicasets: '/apis/apps/v1',
      statefulsets: '/apis/apps/v1',
      jobs: '/apis/batch/v1',
      poddisruptionbudgets: '/apis/policy/v1',
    };
    const root = `${groups[resource] ?? '/api/v1'}/namespaces/${this.namespace}/${resource}`;
    return name === '' ? root : `${root}/${name}`;
  }

  async send(method: string, path: string, body?: Json, type?: string): Promise<Answer> {
    return await this.#cluster.send(method, path, body, type);
  }

  async create(resource: string, name: string, object: Record<string, Json>): Promise<KubeObject> {
    const { metadata, ...rest } = object;
    const meta = { name, ...(metadata as Record<string, Json> | undefined) };
    const answer = await this.send('POST', this.path(resource), { ...rest, metadata: meta });
    mustBe(201, answer);
    return answer.body as unknown as KubeObject;
  }

  async get(resource: string, name: string): Promise<KubeObject | undefined> {
    const answer = await this.send('GET', this.path(resource, name));
    return answer.status === 404 ? undefined : (answer.body as unknown as KubeObject);
  }

  async list(resource: string): Promise<readonly KubeObject[]> {
    const { body } = await this.send('GET', this.path(resource));
    const items = body['items'] as readonly KubeObject[];
    return items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
  }

  async names(resource: string): Promise<readonly string[]> {
    return (await this.list(resource)).map(({ metadata }) => metadata.name);
  }

  async patch(resource: string, name: string, patch: Json): Promise<void> {
    const answer = await this.send('PATCH', this.path(resource, name), patch, merge);
    mustBe(200, answer);
  }

  async remove(resource: string, name: string, options: Record<string, Json> = {}): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
    await this.send('DELETE', this.path(resource, name), body);
  }

  async setPhase(pod: string, phase: string, isReady = phase === 'Running'): Promise<void> {
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
    const path = `${this.path('pods', pod)}/status`;
    await this.send('PATCH', path, { status: { phase, conditions } }, strategic);
  }

  /** What kubelets would do with all pods of the namespace. */
  async runPods(): Promise<void> {
    for (const { metadata, status } of await this.list('pods')) {
      if (metadata.deletionTimestamp !== undefined) {
        await this.remove('pods', metadata.name, { gracePeriodSeconds: 0 });
      } else if (status?.['phase'] === 'Pending') await this.setPhase(metadata.name, 'Running');
    }
  }

  /** Until the check holds; what it last threw when it never does. */
  async eventually(check: () => Promise<void>, work?: () => Promise<void>): Promise<void> {
    let last: unknown;
    for (let tries = 0; tries < 80; tries++) {
      await work?.();
      await this.#cluster.pause(100);
      try {
        await check();
        return;
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  /** That it holds now and goes on holding for a while. */
  async steadily(check: () => Promise<void>): Promise<void> {
    for (let tries = 0; tries < 8; tries++) {
      await this.#cluster.pause(100);
      await check();
    }
  }
}

type Story = (scene: Scene) => Promise<void>;

function conditionsOf(object: KubeObject | undefined): Record<string, string> {
  const { conditions = [] } = (object?.status ?? {}) as {
    conditions?: readonly { type: string; status: string; reason: string; message: string }[];
  };
  return Object.fromEntries(conditions.map((c) => [c.type, `${c.status} ${c.reason}`]));
}

async function deployment(scene: Scene, spec: Record<string, Json> = {}): Promise<void> {
  const selector = { matchLabels: labels };
  const all = { replicas: 4, selector, template: template(), ...spec };
  await scene.create('deployments', 'web', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: all,
  });
}

/** Sizes of the replica sets, oldest revision first. */
async function sizes(scene: Scene): Promise<readonly number[]> {
  const sets = await scene.list('replicasets');
  const revision = ({ metadata }: KubeObject): number =>
    Number(metadata.annotations?.['deployment.kubernetes.io/revision']);
  return sets
    .toSorted((a, b) => revision(a) - revision(b))
    .map(({ spec }) => (spec as Record<string, number>)['replicas'] ?? 0);
}

async function rolledOut(scene: Scene, expected: readonly number[]): Promise<void> {
  await scene.eventually(
    async () => {
      expect(await sizes(scene)).toEqual(expected);
      const status = (await scene.get('deployments', 'web'))?.status;
      expect(status).toMatchObject({
        availableReplicas: expected.at(-1),
        replicas: expected.at(-1),
      });
    },
    () => scene.runPods(),
  );
}

async function setImage(scene: Scene, image: string): Promise<void> {
  await scene.patch('deployments', 'web', {
    spec: { template: { spec: { containers: [{ name: 'c', image }] } } },
  });
}

const rolls: Story = async (scene) => {
  await deployment(scene);
  await rolledOut(scene, [4]);
  await setImage(scene, 'web:2');
  // One more than asked for, one less available: as far as it gets while the new pods do not start.
  await scene.eventually(async () => expect(await sizes(scene)).toEqual([3, 2]));
  await scene.steadily(async () => expect(await sizes(scene)).toEqual([3, 2]));
  await rolledOut(scene, [0, 4]);
  await scene.eventually(async () => {
    const web = await scene.get('deployments', 'web');
    expect(web?.metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '2' });
    expect(conditionsOf(web)).toEqual({
      Available: 'True MinimumReplicasAvailable',
      Progressing: 'True NewReplicaSetAvailable',
    });
  });
};

const rollsBack: Story = async (scene) => {
  await deployment(scene, { replicas: 1 });
  await rolledOut(scene, [1]);
  await setImage(scene, 'web:2');
  await rolledOut(scene, [0, 1]);
  await setImage(scene, 'web:1');
  await rolledOut(scene, [0, 1]);
  const sets = await scene.list('replicasets');
  expect(
    sets.map(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision-history']),
  ).toContain('1');
};

const recreates: Story = async (scene) => {
  await deployment(scene, { replicas: 2, strategy: { type: 'Recreate' } });
  await rolledOut(scene, [2]);
  await setImage(scene, 'web:2');
  await scene.eventually(async () => expect(await sizes(scene)).toContain(0));
  await rolledOut(scene, [0, 2]);
};

const pauses: Story = async (scene) => {
  await deployment(scene, { replicas: 2, paused: true });
  await scene.steadily(async () => expect(await scene.names('replicasets')).toEqual([]));
  expect(conditionsOf(await scene.get('deployments', 'web'))).toMatchObject({
    Progressing: 'Unknown DeploymentPaused',
  });
  await scene.patch('deployments', 'web', { spec: { paused: false } });
  await rolledOut(scene, [2]);
};

const scalesProportionally: Story = async (scene) => {
  const rollingUpdate = { maxSurge: 3, maxUnavailable: 2 };
  await deployment(scene, { replicas: 10, strategy: { type: 'RollingUpdate', rollingUpdate } });
  await rolledOut(scene, [10]);
  await setImage(scene, 'web:2');
  await scene.eventually(async () => expect(await sizes(scene)).toEqual([8, 5]));
  await scene.patch('deployments', 'web', { spec: { replicas: 30 } });
  await scene.eventually(async () => expect(await sizes(scene)).toEqual([20, 13]));
};

async function owned(scene: Scene, propagationPolicy: string): Promise<void> {
  const owner = await scene.create('configmaps', 'owner', {});
  const { uid } = owner.metadata;
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid };
  await scene.create('configmaps', 'blocking', {
    metadata: {
      ownerReferences: [{ ...reference, blockOwnerDeletion: true }],
      finalizers: ['example.com/hold'],
    },
  });
  await scene.create('configmaps', 'loose', { metadata: { ownerReferences: [reference] } });
  await scene.steadily(async () => expect(await scene.names('configmaps')).toHaveLength(3));
  await scene.remove('configmaps', 'owner', { propagationPolicy });
}

const collectsInBackground: Story = async (scene) => {
  await owned(scene, 'Background');
  await scene.eventually(async () => expect(await scene.names('configmaps')).toEqual(['blocking']));
};

const collectsInForeground: Story = async (scene) => {
  await owned(scene, 'Foreground');
  await scene.eventually(async () =>
    expect(await scene.names('configmaps')).toEqual(['blocking', 'owner']),
  );
  const owner = await scene.get('configmaps', 'owner');
  expect(owner?.metadata.finalizers).toEqual(['foregroundDeletion']);
  await scene.patch('configmaps', 'blocking', { metadata: { finalizers: null } });
  await scene.eventually(async () => expect(await scene.names('configmaps')).toEqual([]));
};

const orphans: Story = async (scene) => {
  await owned(scene, 'Orphan');
  await scene.eventually(async () =>
    expect(await scene.names('configmaps')).toEqual(['blocking', 'loose']),
  );
  const loose = await scene.get('configmaps', 'loose');
  expect(loose?.metadata.ownerReferences ?? []).toEqual([]);
  await scene.patch('configmaps', 'blocking', { metadata: { finalizers: null } });
};

async function statefulSet(scene: Scene, spec: Record<string, Json> = {}): Promise<void> {
  const selector = { matchLabels: labels };
  const all = { replicas: 3, serviceName: 'web', selector, template: template(), ...spec };
  const kind = { apiVersion: 'apps/v1', kind: 'StatefulSet' };
  await scene.create('statefulsets', 'web', { ...kind, spec: all });
}

const goesInOrder: Story = async (scene) => {
  await statefulSet(scene);
  for (const expected of [['web-0'], ['web-0', 'web-1'], ['web-0', 'web-1', 'web-2']]) {
    await scene.eventually(async () => expect(await scene.names('pods')).toEqual(expected));
    await scene.steadily(async () => expect(await scene.names('pods')).toEqual(expected));
    await scene.runPods();
  }
  await scene.eventually(async () =>
    expect((await scene.get('statefulsets', 'web'))?.status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
    }),
  );
  await scene.patch('statefulsets', 'web', { spec: { replicas: 1 } });
  const leaving = async (): Promise<readonly string[]> =>
    (await scene.list('pods'))
      .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      .map(({ metadata }) => metadata.name);
  await scene.eventually(
    async () => expect(await scene.names('pods')).toEqual(['web-0']),
    async () => {
      expect((await leaving()).length).toBeLessThanOrEqual(1);
      await scene.runPods();
    },
  );
};

const updatesFromTheTop: Story = async (scene) => {
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } };
  await statefulSet(scene, { podManagementPolicy: 'Parallel', updateStrategy });
  await scene.eventually(
    async () =>
      expect((await scene.get('statefulsets', 'web'))?.status).toMatchObject({ readyReplicas: 3 }),
    () => scene.runPods(),
  );
  await scene.patch('statefulsets', 'web', { spec: { template: template('web:2') } });
  await scene.eventually(
    async () => {
      const pods = await scene.list('pods');
      const images = pods.map(({ metadata, spec }) => {
        const [container] = (spec as { containers: readonly { image: string }[] }).containers;
        return `${metadata.name} ${container?.image}`;
      });
      expect(images).toEqual(['web-0 web:1', 'web-1 web:2', 'web-2 web:2']);
      expect((await scene.get('statefulsets', 'web'))?.status).toMatchObject({
        readyReplicas: 3,
        currentReplicas: 1,
        updatedReplicas: 2,
      });
    },
    () => scene.runPods(),
  );
};

const budgets: Story = async (scene) => {
  await deployment(scene, { replicas: 5 });
  await rolledOut(scene, [5]);
  const expectations = {
    half: [{ minAvailable: '50%' }, { desiredHealthy: 3, disruptionsAllowed: 2 }],
    three: [{ minAvailable: 3 }, { desiredHealthy: 3, disruptionsAllowed: 2 }],
    one: [{ maxUnavailable: 1 }, { desiredHealthy: 4, disruptionsAllowed: 1 }],
    third: [{ maxUnavailable: '30%' }, { desiredHealthy: 3, disruptionsAllowed: 2 }],
    most: [{ minAvailable: 9 }, { desiredHealthy: 9, disruptionsAllowed: 0 }],
  } as const;
  const kind = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' };
  for (const [name, [spec]] of Object.entries(expectations)) {
    const selector = { matchLabels: labels };
    await scene.create('poddisruptionbudgets', name, { ...kind, spec: { selector, ...spec } });
  }
  for (const [name, [, expected]] of Object.entries(expectations)) {
    await scene.eventually(async () => {
      const budget = await scene.get('poddisruptionbudgets', name);
      expect(budget?.status).toMatchObject({ expectedPods: 5, currentHealthy: 5, ...expected });
      const isAllowed = expected.disruptionsAllowed > 0;
      expect(conditionsOf(budget)).toEqual({
        DisruptionAllowed: isAllowed ? 'True SufficientPods' : 'False InsufficientPods',
      });
    });
  }
};

async function job(scene: Scene, spec: Record<string, Json> = {}): Promise<void> {
  const pod = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } };
  const kind = { apiVersion: 'batch/v1', kind: 'Job' };
  await scene.create('jobs', 'work', { ...kind, spec: { template: pod, ...spec } });
}

async function endPods(scene: Scene, phase: string): Promise<void> {
  for (const { metadata, status } of await scene.list('pods')) {
    if (status?.['phase'] === 'Pending') await scene.setPhase(metadata.name, phase);
  }
}

const completes: Story = async (scene) => {
  await job(scene, { completions: 3, parallelism: 2 });
  await scene.eventually(async () => expect(await scene.names('pods')).toHaveLength(2));
  const [first] = await scene.list('pods');
  expect(first?.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking']);
  expect(Object.keys(first?.metadata.labels ?? {}).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'batch.kubernetes.io/controller-uid',
    'batch.kubernetes.io/job-name',
    'controller-uid',
    'job-name',
  ]);
  await scene.eventually(
    async () => {
      const done = await scene.get('jobs', 'work');
      expect(done?.status).toMatchObject({ succeeded: 3 });
      expect(conditionsOf(done)).toEqual({
        SuccessCriteriaMet: 'True CompletionsReached',
        Complete: 'True CompletionsReached',
      });
    },
    () => endPods(scene, 'Succeeded'),
  );
};

const givesUp: Story = async (scene) => {
  await job(scene, { backoffLimit: 0 });
  await scene.eventually(
    async () => {
      const failed = await scene.get('jobs', 'work');
      expect(failed?.status).toMatchObject({ failed: 1 });
      expect(conditionsOf(failed)).toEqual({
        FailureTarget: 'True BackoffLimitExceeded',
        Failed: 'True BackoffLimitExceeded',
      });
    },
    () => endPods(scene, 'Failed'),
  );
};

const countsIndexes: Story = async (scene) => {
  await job(scene, { completions: 3, parallelism: 3, completionMode: 'Indexed' });
  await scene.eventually(async () => expect(await scene.names('pods')).toHaveLength(3));
  const indexOf = ({ metadata }: KubeObject): string =>
    metadata.annotations?.['batch.kubernetes.io/job-completion-index'] ?? '';
  const ends = async (index: string): Promise<void> => {
    const pod = (await scene.list('pods')).find((candidate) => indexOf(candidate) === index);
    await scene.setPhase(pod?.metadata.name ?? '', 'Succeeded');
  };
  await ends('2');
  await ends('0');
  await scene.eventually(async () =>
    expect((await scene.get('jobs', 'work'))?.status).toMatchObject({ completedIndexes: '0,2' }),
  );
  await ends('1');
  await scene.eventually(async () =>
    expect((await scene.get('jobs', 'work'))?.status).toMatchObject({ completedIndexes: '0-2' }),
  );
};

const emptiesNamespaces: Story = async (scene) => {
  const held = { metadata: { finalizers: ['example.com/hold'] } };
  await scene.create('configmaps', 'held', held);
  await scene.create('configmaps', 'free', {});
  const path = `/api/v1/namespaces/${scene.namespace}`;
  await scene.send('DELETE', path);
  await scene.eventually(async () => {
    expect(await scene.names('configmaps')).toEqual(['held']);
    const { body } = await scene.send('GET', path);
    expect(conditionsOf(body as unknown as KubeObject)).toEqual({
      NamespaceDeletionDiscoveryFailure: 'False ResourcesDiscovered',
      NamespaceDeletionGroupVersionParsingFailure: 'False ParsedGroupVersions',
      NamespaceDeletionContentFailure: 'False ContentDeleted',
      NamespaceContentRemaining: 'True SomeResourcesRemain',
      NamespaceFinalizersRemaining: 'True SomeFinalizersRemain',
    });
  });
  await scene.patch('configmaps', 'held', { metadata: { finalizers: null } });
  await scene.eventually(async () => expect((await scene.send('GET', path)).status).toBe(404));
};

/** Every story, by the sentence that it proves. */
export const controllerStories: Readonly<Record<string, Story>> = {
  'a deployment rolls within its surge and its unavailability': rolls,
  'a deployment rolls back to a set that it has had': rollsBack,
  'a recreated deployment has one revision at a time': recreates,
  'a paused deployment waits': pauses,
  'a deployment scaled in mid-roll keeps its proportions': scalesProportionally,
  'dependents follow their owner in the background': collectsInBackground,
  'an owner deleted in the foreground waits for what blocks it': collectsInForeground,
  'orphans stay without their reference': orphans,
  'a stateful set goes up and down in order': goesInOrder,
  'a stateful set updates from the top down to its partition': updatesFromTheTop,
  'disruption budgets count by their owners': budgets,
  'a job completes': completes,
  'a job gives up beyond its backoff limit': givesUp,
  'an indexed job counts its indexes': countsIndexes,
  'a namespace goes after its contents': emptiesNamespaces,
};

export async function tell(
  story: Story,
  cluster: ManagedCluster,
  namespace: string,
): Promise<void> {
  const scene = new Scene(cluster, namespace);
  const metadata = { name: namespace };
  await scene.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
  await scene.eventually(async () =>
    expect(await scene.get('serviceaccounts', 'default')).toBeDefined(),
  );
  await story(scene);
}
