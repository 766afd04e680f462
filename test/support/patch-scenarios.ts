// Random stories of an object and its writers: who applies, updates or patches what, in which order. In: a seed.
// Out: requests that an API server mostly accepts. The same seed always tells the same story.
import type { Json } from '../../src/api/meta.ts';
import { nodePoolDefinition } from '../../src/api/crd/node-pool.ts';
import { toJson } from '../../src/api/crd/manifest.ts';
import type { Random } from '../../src/base/random.ts';
import type { JsonObject } from '../../src/emulator/kube/json.ts';

export type PatchType = 'apply' | 'update' | 'create' | 'merge' | 'strategic' | 'json';

export interface PatchRequest {
  readonly type: PatchType;
  readonly manager: string;
  readonly subresource: string;
  readonly force: boolean;
  /** The whole object for create and update, the patch or configuration otherwise. */
  readonly body: Json;
}

export interface Story {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly custom: boolean;
  /** A full object to begin with. */
  readonly first: (random: Random) => JsonObject;
  /** A part of such an object, as an applier would hold it. */
  readonly configuration: (random: Random) => JsonObject;
  /** The object after some edits, as an updater would send it back. */
  readonly edit: (random: Random, live: JsonObject) => JsonObject;
  readonly strategicPatch?: (random: Random, live: JsonObject) => JsonObject;
  readonly status?: (random: Random) => JsonObject;
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.integer(items.length)] as T;
}

export function some<T>(random: Random, items: readonly T[], chance = 0.5): T[] {
  return items.filter(() => random.next() < chance);
}

function maybe(random: Random, part: () => JsonObject, chance = 0.5): JsonObject {
  return random.next() < chance ? part() : {};
}

function texts(random: Random, names: readonly string[], values: readonly string[]): JsonObject {
  return Object.fromEntries(some(random, names).map((name) => [name, pick(random, values)]));
}

function metadata(random: Random): JsonObject {
  return {
    ...maybe(random, () => ({ labels: texts(random, ['a', 'b', 'c'], ['1', '2']) })),
    ...maybe(random, () => ({ annotations: texts(random, ['x.io/a', 'x.io/b<&>'], ['1', '2']) })),
    ...maybe(
      random,
      () => ({ finalizers: some(random, ['x.io/one', 'x.io/two', 'x.io/three']) }),
      0.3,
    ),
  };
}

function container(random: Random, name: string): JsonObject {
  return {
    name,
    image: pick(random, ['app:1', 'app:2']),
    ...maybe(random, () => ({ args: some(random, ['-a', '-b']) }), 0.3),
    ...maybe(random, () => ({
      env: some(random, ['ONE', 'TWO', 'THREE']).map((name) => ({
        name,
        value: pick(random, ['1', '2']),
      })),
    })),
    ...maybe(random, () => ({
      ports: some(random, [80, 81]).map((containerPort) => ({
        containerPort,
        ...maybe(random, () => ({ protocol: 'TCP' })),
        ...maybe(random, () => ({ name: `p${containerPort}` })),
      })),
    })),
    ...maybe(random, () => ({
      resources: {
        ...maybe(random, () => ({ requests: { cpu: pick(random, ['100m', '200m']) } })),
        ...maybe(random, () => ({ limits: { memory: pick(random, ['1Gi', '2Gi']), cpu: '1' } })),
      },
    })),
  };
}

function containers(random: Random): JsonObject[] {
  const names = some(random, ['one', 'two', 'three'], 0.6);
  const chosen = names.length === 0 ? ['one'] : names;
  return chosen.map((name) => container(random, name));
}

function podSpec(random: Random): JsonObject {
  return {
    containers: containers(random),
    ...maybe(random, () => ({
      volumes: some(random, ['v1', 'v2']).map((name) =>
        pick(random, [
          { name, emptyDir: {} },
          { name, configMap: { name: 'c' } },
        ]),
      ),
    })),
    ...maybe(random, () => ({ nodeSelector: texts(random, ['zone', 'arch'], ['1', '2']) })),
    ...maybe(random, () => ({
      tolerations: some(random, ['k1', 'k2']).map((key) => ({ key, operator: 'Exists' })),
    })),
    ...maybe(random, () => ({ terminationGracePeriodSeconds: pick(random, [10, 30]) })),
    ...maybe(random, () => ({ securityContext: { runAsUser: pick(random, [1, 2]) } }), 0.3),
  };
}

const appLabels = { app: 'a' };

const deployment: Story = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  resource: 'deployments',
  namespaced: true,
  custom: false,
  first: (random) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(random),
    spec: {
      replicas: 1,
      selector: { matchLabels: appLabels },
      template: { metadata: { labels: appLabels }, spec: podSpec(random) },
    },
  }),
  configuration: (random) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(random),
    spec: {
      ...maybe(random, () => ({ replicas: pick(random, [1, 2, 3]) })),
      ...maybe(random, () => ({ paused: pick(random, [true, false]) }), 0.2),
      ...maybe(
        random,
        () => ({
          strategy: pick<JsonObject>(random, [
            { type: 'RollingUpdate', rollingUpdate: { maxSurge: pick(random, [1, '50%']) } },
            { type: 'RollingUpdate' },
          ]),
        }),
        0.3,
      ),
      selector: { matchLabels: appLabels },
      template: { metadata: { labels: appLabels }, spec: podSpec(random) },
    },
  }),
  edit: (random, live) => editWorkload(random, live),
  strategicPatch: (random) => ({
    ...maybe(random, () => ({ metadata: strategicMetadata(random) })),
    spec: {
      ...maybe(random, () => ({ replicas: pick<Json>(random, [1, 2, null]) })),
      ...maybe(
        random,
        () => ({
          strategy: pick<JsonObject>(random, [
            { $retainKeys: ['type'], type: 'Recreate' },
            {
              $retainKeys: ['type', 'rollingUpdate'],
              type: 'RollingUpdate',
              rollingUpdate: { maxSurge: 2 },
            },
            { rollingUpdate: null },
            { $patch: 'replace', type: 'Recreate' },
          ]),
        }),
        0.3,
      ),
      template: { spec: strategicPodSpec(random) },
    },
  }),
  status: (random) => ({
    ...maybe(random, () => ({ observedGeneration: pick(random, [1, 2]) })),
    ...maybe(random, () => ({
      conditions: some(random, ['Available', 'Progressing']).map((type) => ({
        type,
        status: pick(random, ['True', 'False']),
        reason: 'Why',
        message: pick(random, ['one', 'two']),
      })),
    })),
  }),
};

function strategicMetadata(random: Random): JsonObject {
  return {
    ...maybe(random, () => ({
      labels: pick<Json>(random, [
        { a: '3' },
        { a: null, b: '4' },
        { $patch: 'replace', only: '1' },
        null,
      ]),
    })),
    ...maybe(random, () =>
      pick<JsonObject>(random, [
        { finalizers: ['x.io/four'] },
        { '$deleteFromPrimitiveList/finalizers': ['x.io/one'] },
        {
          '$setElementOrder/finalizers': ['x.io/four', 'x.io/one'],
          finalizers: ['x.io/four'],
        },
      ]),
    ),
  };
}

function strategicPodSpec(random: Random): JsonObject {
  const names = ['one', 'two', 'three', 'four'];
  const changed = some(random, names).map((name) =>
    pick<JsonObject>(random, [
      { name, image: 'app:9' },
      { name, $patch: 'delete' },
      container(random, name),
      { name, image: 'app:8', env: [{ name: 'ONE', $patch: 'delete' }] },
      { name, image: 'app:8', env: [{ name: 'FOUR', value: '4' }, { $patch: 'replace' }] },
      { name, image: 'app:7', $patch: 'replace' },
      { name, image: 'app:8', ports: [{ containerPort: 80, name: 'http' }] },
      { name, image: 'app:8', args: ['-z'], command: null },
      { name, image: 'app:8', resources: { limits: { memory: null, cpu: '2' } } },
    ]),
  );
  const order = some(random, names, 0.8).map((name) => ({ name }));
  return {
    ...(changed.length > 0 && { containers: changed }),
    ...(changed.length > 0 &&
      random.next() < 0.5 && {
        '$setElementOrder/containers': [
          ...order.filter(({ name }) => !changed.some((item) => item['name'] === name)),
          ...changed
            .filter((item) => item['$patch'] === undefined)
            .map(({ name }) => ({ name: name as Json })),
        ],
      }),
    ...maybe(random, () => ({
      volumes: pick<Json>(random, [
        [{ name: 'v1', $retainKeys: ['name', 'emptyDir'], emptyDir: {} }],
        [{ name: 'v1', $patch: 'delete' }],
        [{ name: 'v3', emptyDir: { medium: 'Memory' } }],
        [{ $patch: 'replace' }, { name: 'v4', emptyDir: {} }],
        null,
      ]),
    })),
    ...maybe(random, () => ({
      tolerations: pick<Json>(random, [[{ key: 'k9', operator: 'Exists' }], null]),
    })),
    ...maybe(random, () => ({
      nodeSelector: pick<Json>(random, [{ zone: null }, { $patch: 'delete' }, null]),
    })),
    ...maybe(random, () => ({
      imagePullSecrets: pick<Json>(random, [
        [{ name: 's1' }],
        [{ name: 's2' }, { name: 's1', $patch: 'delete' }],
      ]),
    })),
  };
}

type Draft = Record<string, Json>;
type Edit = (draft: Draft) => void;

function part(draft: Draft, ...path: readonly string[]): Draft {
  let inner = draft;
  for (const step of path) inner = (inner[step] ??= {}) as Draft;
  return inner;
}

function metadataEdits(random: Random): Edit[] {
  return [
    (draft) => void (part(draft, 'metadata', 'labels')['a'] = pick(random, ['7', '8'])),
    (draft) => void delete part(draft, 'metadata', 'labels')['a'],
    (draft) => void delete part(draft, 'metadata')['labels'],
    (draft) => void (part(draft, 'metadata')['annotations'] = { 'x.io/a': '9' }),
    (draft) => void delete part(draft, 'metadata')['finalizers'],
    (draft) => {
      if (random.next() < 0.3) {
        part(draft, 'metadata')['managedFields'] = pick<Json>(random, [
          [],
          [{}],
          [{ manager: 'x', operation: 'Apply' }],
          null,
          [
            {
              manager: 'carol',
              operation: 'Update',
              apiVersion: draft['apiVersion']!,
              time: '2026-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:metadata': { 'f:labels': { 'f:a': {} } } },
            },
          ],
        ]);
      }
    },
  ];
}

function edited(random: Random, live: JsonObject, edits: readonly Edit[]): JsonObject {
  const draft: Draft = structuredClone(live);
  for (const edit of some(random, [...metadataEdits(random), ...edits], 0.25)) edit(draft);
  return draft;
}

/** Small changes that leave a workload valid. */
function editWorkload(random: Random, live: JsonObject): JsonObject {
  const podOf = (draft: Draft): Draft => part(draft, 'spec', 'template', 'spec');
  const itemsOf = (draft: Draft): Draft[] => podOf(draft)['containers'] as unknown as Draft[];
  return edited(random, live, [
    (draft) => void (part(draft, 'spec')['replicas'] = pick(random, [1, 4, 5])),
    (draft) => void (itemsOf(draft)[0]!['image'] = pick(random, ['app:5', 'app:6'])),
    (draft) => {
      if (!itemsOf(draft).some((item) => item['name'] === 'four')) {
        itemsOf(draft).push(container(random, 'four'));
      }
    },
    (draft) => void (itemsOf(draft).length > 1 && itemsOf(draft).pop()),
    (draft) => void delete podOf(draft)['tolerations'],
    (draft) => void (podOf(draft)['nodeSelector'] = { zone: '9' }),
    (draft) => void delete itemsOf(draft)[0]!['env'],
    (draft) => void (podOf(draft)['containers'] = itemsOf(draft).toReversed()),
  ]);
}

const service: Story = {
  group: '',
  version: 'v1',
  kind: 'Service',
  resource: 'services',
  namespaced: true,
  custom: false,
  first: (random) => ({
    ...head('v1', 'Service', random),
    spec: { ports: servicePorts(random), selector: appLabels },
  }),
  configuration: (random) => ({
    ...head('v1', 'Service', random),
    spec: {
      ports: servicePorts(random),
      ...maybe(random, () => ({ selector: texts(random, ['app', 'tier'], ['a', 'b']) })),
      ...maybe(random, () => ({ sessionAffinity: pick(random, ['None', 'ClientIP']) }), 0.3),
    },
  }),
  edit: (random, live) =>
    edited(random, live, [
      (draft) => void (part(draft, 'spec', 'selector')['tier'] = pick(random, ['x', 'y'])),
      (draft) => void delete part(draft, 'spec')['selector'],
      (draft) => {
        const ports = part(draft, 'spec')['ports'] as unknown as Draft[];
        ports[0]!['targetPort'] = pick(random, [8080, 'http']);
      },
      (draft) => {
        const ports = part(draft, 'spec')['ports'] as readonly Json[];
        part(draft, 'spec')['ports'] = ports.toReversed();
      },
    ]),
  strategicPatch: (random) => ({
    ...maybe(random, () => ({ metadata: strategicMetadata(random) })),
    spec: {
      ports: pick<Json>(random, [
        [{ port: 80, name: 'a', targetPort: 9 }],
        [{ port: 90, name: 'c', protocol: 'UDP' }],
        [{ port: 80, $patch: 'delete' }],
        [{ $patch: 'replace' }, { port: 70, name: 'only' }],
      ]),
      ...maybe(random, () => ({
        selector: pick<Json>(random, [{ tier: null }, { app: 'z' }, null]),
      })),
    },
  }),
  status: (random) => ({
    loadBalancer: {
      ingress: some(random, ['5.5.5.5', '6.6.6.6']).map((ip) => ({ ip, ipMode: 'VIP' })),
    },
  }),
};

function head(apiVersion: string, kind: string, random: Random): JsonObject {
  return { apiVersion, kind, metadata: metadata(random) };
}

function servicePorts(random: Random): JsonObject[] {
  const numbers = some(random, [80, 81, 82], 0.6);
  const chosen = numbers.length === 0 ? [80] : numbers;
  return chosen.map((port) => ({
    port,
    name: `p${port}`,
    ...maybe(random, () => ({ protocol: 'TCP' })),
    ...maybe(random, () => ({ targetPort: pick<Json>(random, [1, 'web']) })),
  }));
}

const configMap: Story = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
  custom: false,
  first: (random) => ({
    ...head('v1', 'ConfigMap', random),
    data: texts(random, ['k1', 'k2', 'k3'], ['1', '2']),
  }),
  configuration: (random) => ({
    ...head('v1', 'ConfigMap', random),
    ...maybe(random, () => ({ data: texts(random, ['k1', 'k2', 'k3'], ['1', '2']) }), 0.8),
    ...maybe(random, () => ({ binaryData: { bin: 'AAE=' } }), 0.2),
  }),
  edit: (random, live) =>
    edited(random, live, [
      (draft) => void (part(draft, 'data')['k1'] = pick(random, ['3', '4'])),
      (draft) => void delete part(draft, 'data')['k2'],
      (draft) => void delete draft['data'],
      (draft) => void (part(draft, 'data')['k4'] = ''),
    ]),
  strategicPatch: (random) => ({
    ...maybe(random, () => ({ metadata: strategicMetadata(random) })),
    data: pick<Json>(random, [
      { k1: '5' },
      { k1: null },
      null,
      { $patch: 'replace', k9: '1' },
      { $patch: 'delete' },
    ]),
  }),
};

const pod: Story = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  resource: 'pods',
  namespaced: true,
  custom: false,
  first: (random) => ({ ...head('v1', 'Pod', random), spec: { containers: containers(random) } }),
  configuration: (random) => head('v1', 'Pod', random),
  edit: (random, live) =>
    edited(random, live, [
      (draft) => {
        const items = part(draft, 'spec')['containers'] as unknown as Draft[];
        items[0]!['image'] = pick(random, ['app:5', 'app:6']);
      },
      (draft) => void (part(draft, 'spec')['activeDeadlineSeconds'] = pick(random, [50, 40])),
    ]),
  strategicPatch: (random) => ({
    metadata: strategicMetadata(random),
    spec: { containers: [{ name: 'one', image: pick(random, ['app:5', 'app:6']) }] },
  }),
  status: (random) => ({
    ...maybe(random, () => ({ phase: pick(random, ['Running', 'Pending']) })),
    ...maybe(random, () => ({ podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] })),
    conditions: some(random, ['Ready', 'PodScheduled', 'Initialized']).map((type) => ({
      type,
      status: pick(random, ['True', 'False']),
      ...maybe(random, () => ({ reason: 'Why' })),
    })),
  }),
};

const node: Story = {
  group: '',
  version: 'v1',
  kind: 'Node',
  resource: 'nodes',
  namespaced: false,
  custom: false,
  // Without taints: admission adds one of its own to every new node.
  first: (random) => head('v1', 'Node', random),
  configuration: (random) => ({
    ...head('v1', 'Node', random),
    ...maybe(random, () => ({ spec: { taints: taints(random) } })),
  }),
  edit: (random, live) =>
    edited(random, live, [
      (draft) => void (part(draft, 'spec')['unschedulable'] = true),
      (draft) => void delete part(draft, 'spec')['unschedulable'],
      (draft) => void (part(draft, 'spec')['taints'] = taints(random)),
    ]),
  strategicPatch: (random) => ({
    metadata: strategicMetadata(random),
    spec: {
      ...maybe(random, () => ({ unschedulable: pick<Json>(random, [true, null]) })),
      ...maybe(random, () => ({ taints: pick<Json>(random, [null, taints(random)]) })),
    },
  }),
  status: (random) => ({
    ...maybe(random, () => ({ capacity: { cpu: pick(random, ['4', '8']), memory: '16Gi' } })),
    ...maybe(random, () => ({
      addresses: [{ type: 'InternalIP', address: pick(random, ['10.0.0.4', '10.0.0.5']) }],
    })),
    conditions: some(random, ['Ready', 'MemoryPressure', 'DiskPressure']).map((type) => ({
      type,
      status: pick(random, ['True', 'False']),
      lastHeartbeatTime: pick<Json>(random, ['2026-01-01T00:00:00Z', '2026-01-01T00:00:10Z']),
    })),
  }),
};

function taints(random: Random): JsonObject[] {
  return some(random, ['t1', 't2']).map((key) => ({
    key,
    effect: pick(random, ['NoSchedule', 'NoExecute']),
  }));
}

const nodePoolSpec = (random: Random): JsonObject => ({
  template: {
    ...maybe(random, () => ({
      metadata: {
        ...maybe(random, () => ({ labels: texts(random, ['team', 'tier'], ['1', '2']) })),
        ...maybe(random, () => ({ annotations: texts(random, ['x.io/a', 'x.io/b'], ['1', '2']) })),
      },
    })),
    spec: {
      nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
      requirements: some(random, ['one', 'two'], 0.7).map((key) => ({
        key: `x.io/${key}`,
        operator: 'In',
        values: ['a'],
      })),
      ...maybe(random, () => ({ taints: taints(random) })),
    },
  },
  ...maybe(random, () => ({ limits: { cpu: pick<Json>(random, ['10', 20]), memory: '1Gi' } })),
  ...maybe(random, () => ({ weight: pick(random, [1, 50]) })),
  ...maybe(random, () => ({ disruption: { consolidateAfter: pick(random, ['1m', 'Never']) } })),
});

const nodePool: Story = {
  group: 'karpenter.sh',
  version: 'v1',
  kind: 'NodePool',
  resource: 'nodepools',
  namespaced: false,
  custom: true,
  first: (random) => ({
    ...head('karpenter.sh/v1', 'NodePool', random),
    spec: nodePoolSpec(random),
  }),
  configuration: (random) => ({
    ...head('karpenter.sh/v1', 'NodePool', random),
    spec: nodePoolSpec(random),
  }),
  edit: (random, live) =>
    edited(random, live, [
      (draft) => void (part(draft, 'spec')['weight'] = pick(random, [3, 4])),
      (draft) => void delete part(draft, 'spec')['weight'],
      (draft) => void (part(draft, 'spec', 'limits')['cpu'] = '99'),
      (draft) => void (part(draft, 'spec', 'template', 'metadata', 'annotations')['x.io/z'] = '1'),
    ]),
  status: (random) => ({
    ...maybe(random, () => ({ resources: { cpu: pick(random, ['1', '2']), nodes: '3' } })),
    ...maybe(random, () => ({ nodes: pick(random, [1, 2]) })),
    conditions: some(random, ['Ready', 'NodeClassReady']).map((type) => ({
      type,
      status: pick(random, ['True', 'False']),
      reason: 'Why',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    })),
  }),
};

export const stories: readonly Story[] = [deployment, service, configMap, pod, node, nodePool];

/** The definition that the story of the custom resource needs. */
export const nodePoolManifest = toJson(nodePoolDefinition);

const managers = ['alice', 'bob', 'kubectl'];

/** What a story is about: who owns what, or what the other patches do. */
export const plots = {
  apply: ['apply', 'apply', 'apply', 'update', 'status'],
  patch: ['merge', 'strategic', 'strategic', 'json', 'status'],
} as const;

export type Plot = keyof typeof plots;

/** One request on the object as it is now. `live` undefined: the first of the story. */
export function nextRequest(
  random: Random,
  story: Story,
  at: { readonly plot: Plot; readonly live: JsonObject | undefined; readonly name: string },
): PatchRequest {
  const { live } = at;
  const manager = pick(random, managers);
  const base = { manager, subresource: '', force: random.next() < 0.4 };
  if (live === undefined) return firstRequest(random, story, { base, name: at.name });
  const type = pick<(typeof plots)[Plot][number]>(random, plots[at.plot]);
  switch (type) {
    case 'apply':
      return { ...base, type, body: named(story, at.name, story.configuration(random)) };
    case 'merge':
      return {
        ...base,
        type,
        body: pick(random, [{ metadata: metadata(random) }, mergePatchOf(story, random)]),
      };
    case 'json':
      return { ...base, type, body: jsonPatchOf(random, live) };
    case 'strategic':
      if (story.strategicPatch === undefined) break;
      return { ...base, type, body: story.strategicPatch(random, live) };
    case 'status':
      if (story.status === undefined) break;
      return statusRequest(random, story, { live, base });
    default:
  }
  return { ...base, type: 'update', body: story.edit(random, live) };
}

function firstRequest(
  random: Random,
  story: Story,
  at: { readonly base: Omit<PatchRequest, 'type' | 'body'>; readonly name: string },
): PatchRequest {
  const type = random.next() < 0.5 ? 'apply' : 'create';
  const body = named(story, at.name, story.first(random));
  return { ...at.base, type, body: random.next() < 0.3 ? withLastApplied(body) : body };
}

function named(story: Story, name: string, object: JsonObject): JsonObject {
  const namespace = story.namespaced ? { namespace: 'default' } : {};
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), name, ...namespace } };
}

/** As the client-side apply of kubectl leaves an object. */
function withLastApplied(object: JsonObject): JsonObject {
  const metadata = object['metadata'] as JsonObject;
  const lastApplied = {
    'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(object)}\n`,
  };
  const annotations = { ...(metadata['annotations'] as JsonObject | undefined), ...lastApplied };
  return { ...object, metadata: { ...metadata, annotations } };
}

function statusRequest(
  random: Random,
  story: Story,
  at: { readonly live: JsonObject; readonly base: Omit<PatchRequest, 'type' | 'body'> },
): PatchRequest {
  const status = story.status?.(random) ?? {};
  const base = { ...at.base, subresource: 'status' };
  const { apiVersion = '', kind = '' } = at.live;
  const { name, namespace } = at.live['metadata'] as { name: Json; namespace?: Json };
  const kinds: PatchType[] =
    story.strategicPatch === undefined
      ? ['apply', 'update', 'merge']
      : ['apply', 'update', 'merge', 'strategic'];
  const type = pick(random, kinds);
  if (type === 'update') return { ...base, type, body: { ...at.live, status } };
  const where = { name, ...(namespace !== undefined && { namespace }) };
  return {
    ...base,
    type,
    body: type === 'apply' ? { apiVersion, kind, metadata: where, status } : { status },
  };
}

function mergePatchOf(story: Story, random: Random): JsonObject {
  const { apiVersion: _, kind: __, ...rest } = story.configuration(random);
  return random.next() < 0.3 ? { ...rest, metadata: { labels: null } } : rest;
}

function jsonPatchOf(random: Random, live: JsonObject): Json {
  const labels = (live['metadata'] as { labels?: JsonObject }).labels;
  return some<Json>(
    random,
    [
      { op: 'add', path: '/metadata/annotations', value: { 'x.io/a': '1' } },
      { op: 'add', path: '/metadata/annotations/x.io~1c', value: pick(random, ['1', '2']) },
      ...(labels?.['a'] === undefined
        ? []
        : [{ op: 'replace', path: '/metadata/labels/a', value: '3' }]),
      ...(labels === undefined
        ? []
        : [{ op: 'copy', from: '/metadata/labels', path: '/metadata/annotations' }]),
      ...(labels === undefined ? [] : [{ op: 'remove', path: '/metadata/labels' }]),
    ],
    0.5,
  );
}
