import { beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../base/log.ts';
import { MetricsRegistry } from '../../../base/metrics.ts';
import { seededRandom } from '../../../base/random.ts';
import { VirtualClock } from '../../../base/virtual-clock.ts';
import { createApiServer } from '../api-server.ts';
import type { KubeApi, RequestContext } from '../api.ts';
import { at, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';

const context: RequestContext = {
  user: { username: 'tester', groups: [] },
  fieldManager: 'tester',
};
const namespace = 'default';
let api: KubeApi;

beforeEach(() => {
  const server = createApiServer({
    clock: new VirtualClock(),
    random: seededRandom(1),
    log: silentLogger,
    metrics: new MetricsRegistry(),
    authenticator: { authenticate: () => undefined },
    authorizer: { authorize: () => ({ allowed: false, reason: '' }) },
    disableAdmission: ['ServiceAccount'],
  });
  server.start();
  api = server.api;
});

function make(resource: string, name: string, more: JsonObject, group = ''): ApiObject {
  const clusterWide = ['priorityclasses', 'storageclasses', 'nodes', 'persistentvolumes'].includes(
    resource,
  );
  return api.create({
    context,
    resource: { group, version: 'v1', resource },
    ...(clusterWide ? {} : { namespace }),
    object: { metadata: { name }, ...more },
  });
}

const pod = (resources: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  spec: { containers: [{ name: 'c', image: 'x', resources }], ...more },
});

describe('limit ranges', () => {
  beforeEach(() => {
    make('limitranges', 'lr', {
      spec: {
        limits: [
          { type: 'Container', default: { cpu: '500m' }, max: { cpu: '1' }, min: { cpu: '100m' } },
        ],
      },
    });
  });

  test('fill in what a container leaves out, and say so', () => {
    const made = make('pods', 'p', pod());
    expect([at(made, 'spec', 'containers'), made.metadata.annotations]).toMatchObject([
      [{ resources: { limits: { cpu: '500m' }, requests: { cpu: '500m' } } }],
      {
        'kubernetes.io/limit-ranger':
          'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
      },
    ]);
  });

  test.each([
    [{ limits: { cpu: '2' } }, 'maximum cpu usage per Container is 1, but limit is 2'],
    [{ requests: { cpu: '50m' } }, 'minimum cpu usage per Container is 100m, but request is 50m'],
  ])('refuse %o', (resources, complaint) => {
    expect(() => make('pods', 'p', pod(resources))).toThrow(`pods "p" is forbidden: ${complaint}`);
  });
});

describe('resource quotas', () => {
  test('let through what still fits', () => {
    make('resourcequotas', 'rq', { spec: { hard: { pods: '1', 'requests.cpu': '1' } } });
    make('pods', 'a', pod({ requests: { cpu: '500m' } }));
    expect(() => make('pods', 'b', pod({ requests: { cpu: '700m' } }))).toThrow(
      'pods "b" is forbidden: exceeded quota: rq, requested: pods=1,requests.cpu=700m, used: pods=1,requests.cpu=500m, limited: pods=1,requests.cpu=1',
    );
  });

  test('want to know what they count', () => {
    make('resourcequotas', 'rq', { spec: { hard: { 'requests.cpu': '1' } } });
    expect(() => make('pods', 'a', pod())).toThrow(
      'pods "a" is forbidden: failed quota: rq: must specify requests.cpu',
    );
  });

  const scoped = (hard: JsonObject, spec: JsonObject): void => {
    make('resourcequotas', 'rq', { spec: { hard, ...spec } });
  };
  const selector = (operator: string, ...values: string[]): JsonObject => ({
    scopeSelector: {
      matchExpressions: [
        { scopeName: 'PriorityClass', operator, ...(values.length === 0 ? {} : { values }) },
      ],
    },
  });
  const refusal =
    'pods "p" is forbidden: exceeded quota: rq, requested: pods=1, used: pods=0, limited: pods=0';
  const elsewhere = {
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'zone', namespaces: ['other'], labelSelector: {} },
        ],
      },
    },
  };

  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['BestEffort', { scopes: ['BestEffort'] }, pod(), pod({ requests: { cpu: '1' } })],
    ['NotBestEffort', { scopes: ['NotBestEffort'] }, pod({ limits: { memory: '1' } }), pod()],
    ['Terminating', { scopes: ['Terminating'] }, pod({}, { activeDeadlineSeconds: 5 }), pod()],
    [
      'NotTerminating',
      { scopes: ['NotTerminating'] },
      pod(),
      pod({}, { activeDeadlineSeconds: 5 }),
    ],
    ['a priority', selector('In', 'high'), pod({}, { priorityClassName: 'high' }), pod()],
    ['any priority', selector('Exists'), pod({}, { priorityClassName: 'high' }), pod()],
    ['no priority', selector('DoesNotExist'), pod(), pod({}, { priorityClassName: 'high' })],
    ['another priority', selector('NotIn', 'high'), pod(), pod({}, { priorityClassName: 'high' })],
    ['other namespaces', { scopes: ['CrossNamespacePodAffinity'] }, pod({}, elsewhere), pod()],
  ])('with the scope of %s limit those pods and no others', (_, spec, within, without) => {
    make('priorityclasses', 'high', { value: 1 }, 'scheduling.k8s.io');
    scoped({ pods: '0' }, spec);
    expect(() => make('pods', 'p', within)).toThrow(refusal);
    expect(make('pods', 'p', without).metadata.name).toBe('p');
  });

  test('with scopes count only what is within them', () => {
    scoped({ pods: '1' }, { scopes: ['BestEffort'] });
    make('pods', 'a', pod({ requests: { cpu: '1' } }));
    make('pods', 'b', pod());
    expect(() => make('pods', 'c', pod())).toThrow('used: pods=1');
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    [
      'an unknown scope',
      { pods: '1' },
      { scopes: ['Odd'] },
      'spec.scopes: Invalid value: ["Odd"]: unsupported scope',
    ],
    [
      'scopes that exclude each other',
      { pods: '1' },
      { scopes: ['BestEffort', 'NotBestEffort'] },
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
    ],
    [
      'a resource that has no scope',
      { services: '1' },
      { scopes: ['Terminating'] },
      'spec.scopes: Invalid value: ["Terminating"]: unsupported scope applied to resource',
    ],
    [
      'a comparison without values',
      { pods: '1' },
      selector('In'),
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
  ])('are refused with %s', (_, hard, spec, message) => {
    expect(() => scoped(hard, spec)).toThrow(message);
  });
});

describe('new pods', () => {
  test('get the rank of their class, or of the default one', () => {
    make('priorityclasses', 'high', { value: 100, preemptionPolicy: 'Never' }, 'scheduling.k8s.io');
    make('priorityclasses', 'usual', { value: 7, globalDefault: true }, 'scheduling.k8s.io');
    const specs = [
      make('pods', 'a', pod({}, { priorityClassName: 'high' })),
      make('pods', 'b', pod()),
    ];
    expect(
      specs.map((made) => [at(made, 'spec', 'priority'), at(made, 'spec', 'preemptionPolicy')]),
    ).toEqual([
      [100, 'Never'],
      [7, 'PreemptLowerPriority'],
    ]);
  });

  test('put up with an unreachable node for five minutes, unless they say otherwise', () => {
    const tolerations = [
      {
        key: 'node.kubernetes.io/not-ready',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 5,
      },
    ];
    const made = make('pods', 'p', pod({}, { tolerations }));
    const seconds = (at(made, 'spec', 'tolerations') as JsonObject[]).map((item) => [
      item['key'],
      item['tolerationSeconds'],
    ]);
    expect(seconds).toEqual([
      ['node.kubernetes.io/not-ready', 5],
      ['node.kubernetes.io/unreachable', 300],
    ]);
  });
});

describe('services', () => {
  const service = (spec: JsonObject): JsonObject => ({ spec: { ports: [{ port: 80 }], ...spec } });

  test('get addresses and ports that no other has', () => {
    const made = Array.from({ length: 50 }, (_, i) =>
      make('services', `s${i}`, service({ type: 'NodePort' })),
    );
    const addresses = new Set(made.map((item) => at(item, 'spec', 'clusterIP')));
    const ports = new Set(
      made.map((item) => at((at(item, 'spec', 'ports') as JsonObject[])[0], 'nodePort')),
    );
    expect([addresses.size, ports.size]).toEqual([50, 50]);
  });

  test('keep theirs when an update leaves them out', () => {
    const made = make('services', 's', service({ type: 'NodePort' }));
    const updated = api.update({
      context,
      resource: { group: '', version: 'v1', resource: 'services' },
      namespace,
      name: 's',
      object: { metadata: { name: 's' }, ...service({ type: 'NodePort', selector: { a: 'b' } }) },
    });
    expect(at(updated, 'spec', 'clusterIP')).toBe(at(made, 'spec', 'clusterIP'));
    expect(at(updated, 'spec', 'ports')).toEqual(at(made, 'spec', 'ports'));
  });

  test.each([
    [{ clusterIP: '10.0.0.1' }, 'provided IP is already allocated'],
    [{ clusterIP: '1.2.3.4' }, 'the provided network does not match the current range'],
    [
      { type: 'NodePort', ports: [{ port: 80, nodePort: 5 }] },
      'provided port is not in the valid range',
    ],
  ])('that want %o are refused', (spec, complaint) => {
    expect(() => make('services', 's', service(spec))).toThrow(complaint);
  });
});

test('a claim without a class gets the newest default one, and protection', () => {
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  api.create({
    context,
    resource: { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' },
    object: { metadata: { name: 'fast', annotations }, provisioner: 'x.y/z' },
  });
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const claim = make('persistentvolumeclaims', 'c', { spec });
  expect([at(claim, 'spec', 'storageClassName'), claim.metadata.finalizers]).toEqual([
    'fast',
    ['kubernetes.io/pvc-protection'],
  ]);
});

test('a new node is not trusted before it is ready', () => {
  const node = make('nodes', 'n', {});
  expect(at(node, 'spec', 'taints')).toEqual([
    { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  ]);
});
