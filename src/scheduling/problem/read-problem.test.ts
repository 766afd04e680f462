import { describe, expect, test } from 'vitest';
import type { Json } from '../../api/meta.ts';
import { CodedError, describeError } from '../../base/errors.ts';
import { coreLabelRules } from '../../model/label-rules.ts';
import { toRequirementEntries } from '../../model/requirements.ts';
import { toResourceList } from '../../model/resources.ts';
import { type ProblemDocument, readProblem } from './read-problem.ts';

type JsonObject = { readonly [key: string]: Json };

const offering = { zone: 'z1', capacityType: 'on-demand', price: 0.1, available: true };
const type = {
  name: 'D2',
  capacity: { cpu: '2', memory: '8Gi', pods: '110' },
  overhead: { cpu: '100m' },
  requirements: [{ key: 'beta.kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
  offerings: [offering, { ...offering, zone: 'z2', capacityType: 'spot', available: false }],
};
const pool = {
  metadata: { name: 'default' },
  spec: { template: { metadata: { labels: { team: 'red' } }, spec: {} } },
};
const pod = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1500m' } } }], ...more },
});
const node = {
  name: 'n1',
  nodePool: 'default',
  instanceType: 'D2',
  zone: 'z1',
  capacityType: 'on-demand',
};

function faultsOf(document: Json): readonly string[] {
  try {
    readProblem(document);
  } catch (error) {
    if (error instanceof CodedError) return error.fields['faults'] as string[];
    throw error;
  }
  return [];
}

/** What a document leaves out, filled in. */
function read(parts: JsonObject): ProblemDocument {
  return readProblem({ nodePools: [pool], instanceTypes: [type], pods: [], ...parts });
}

describe('a problem document', () => {
  test('may be empty', () => {
    const { nowMs, pods, nodes, instanceTypes } = readProblem({});
    expect({ nowMs, pods, nodes, instanceTypes }).toEqual({
      nowMs: undefined,
      pods: [],
      nodes: [],
      instanceTypes: [],
    });
  });

  test('says when it is', () => {
    expect(readProblem({ now: '2026-01-02T00:00:00Z' }).nowMs).toBe(Date.UTC(2026, 0, 2));
  });

  test('reads null as nothing, as other writers of JSON mean it', () => {
    const { pods } = read({
      pods: [{ ...pod('a'), metadata: { name: 'a', creationTimestamp: null, labels: null } }],
    });
    expect(pods[0]?.metadata).toEqual({ name: 'a', namespace: 'default', uid: expect.any(String) });
  });

  test('is not changed by reading it', () => {
    const document = { nodePools: [pool], instanceTypes: [type], pods: [pod('a')], nodes: [node] };
    const before = structuredClone(document);
    readProblem(document);
    expect(document).toEqual(before);
  });

  test('adds labels that pods may ask for', () => {
    const { rules } = readProblem({ wellKnownLabels: ['example.com/size'] });
    const known = [
      'example.com/size',
      'karpenter.azure.com/sku-cpu',
      'topology.kubernetes.io/zone',
      'team',
    ];
    expect(known.map((key) => rules.wellKnown.has(key))).toEqual([true, true, true, false]);
    expect(readProblem({}, coreLabelRules).rules).toBe(coreLabelRules);
  });
});

describe('NodePools', () => {
  test('get the defaults of their custom resource, and are ready', () => {
    const { nodePools } = readProblem({ nodePools: [pool] });
    expect(nodePools).toMatchObject([
      {
        metadata: { name: 'default', uid: expect.any(String) },
        spec: {
          disruption: {
            consolidateAfter: '0s',
            consolidationPolicy: 'WhenEmptyOrUnderutilized',
            budgets: [{ nodes: '10%' }],
          },
          template: {
            spec: {
              expireAfter: '720h',
              requirements: [],
              nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
            },
          },
        },
        status: {
          conditions: [{ status: 'True' }, { status: 'True' }, { type: 'Ready', status: 'True' }],
        },
      },
    ]);
  });

  test('keep what they say themselves', () => {
    const conditions = [
      {
        type: 'Ready',
        status: 'False',
        reason: 'x',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ];
    const written = {
      ...pool,
      spec: { ...pool.spec, disruption: { consolidateAfter: 'Never', budgets: [] } },
      status: { conditions },
    };
    const [read] = readProblem({ nodePools: [written] }).nodePools;
    expect(read?.spec.disruption).toEqual({
      consolidateAfter: 'Never',
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      budgets: [],
    });
    expect(read?.status?.conditions).toEqual(conditions);
  });
});

describe('instance types', () => {
  test('say by themselves what follows from name and available offerings', () => {
    const [read] = readProblem({ instanceTypes: [type] }).instanceTypes;
    expect(toRequirementEntries(read!.requirements)).toEqual([
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['D2'] },
      { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] },
    ]);
    expect(toResourceList(read!.allocatable)).toEqual({ cpu: '1900m', memory: '8Gi', pods: '110' });
    expect(read!.offerings.map(({ zone, available }) => [zone, available])).toEqual([
      ['z1', true],
      ['z2', false],
    ]);
  });

  test('keep the zones that the file states', () => {
    const key = 'topology.kubernetes.io/zone';
    const written = { ...type, requirements: [{ key, operator: 'In', values: ['z1', 'z9'] }] };
    const [read] = readProblem({ instanceTypes: [written] }).instanceTypes;
    expect([...read!.requirements.get(key)!.values]).toEqual(['z1', 'z9']);
  });

  test('without an available offering are nowhere to be had', () => {
    const written = { ...type, offerings: [{ ...offering, available: false }] };
    const [read] = readProblem({ instanceTypes: [written] }).instanceTypes;
    const zone = read!.requirements.get('topology.kubernetes.io/zone')!;
    expect({ complement: zone.complement, values: [...zone.values] }).toEqual({
      complement: false,
      values: [],
    });
  });

  test('carry reservations and what else distinguishes an offering', () => {
    const reserved = {
      ...offering,
      capacityType: 'reserved',
      reservationID: 'r1',
      reservationCapacity: 3,
      requirements: [
        { key: 'karpenter.azure.com/placement-scope', operator: 'In', values: ['zonal'] },
      ],
    };
    const [read] = readProblem({
      instanceTypes: [{ ...type, offerings: [reserved] }],
    }).instanceTypes;
    expect(read!.offerings[0]).toMatchObject({ reservation: { id: 'r1', capacity: 3 } });
    expect(read!.offerings[0]!.requirements.has('karpenter.azure.com/placement-scope')).toBe(true);
  });
});

describe('pods', () => {
  test('that wait are unschedulable, nameless of nodes and have a UID', () => {
    const { pods } = read({
      pods: [pod('a', { nodeName: 'n1' }), { ...pod('b'), metadata: { name: 'b', uid: 'u' } }],
    });
    expect(pods.map(({ metadata, spec, status }) => [metadata.uid, spec.nodeName, status])).toEqual(
      ['7b4b0fc3-8f0c-35c1-cbea-77f5a6747efb', 'u'].map((uid) => [
        uid,
        undefined,
        {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
        },
      ]),
    );
  });

  test('keep a verdict that they have', () => {
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }];
    const { pods } = read({ pods: [{ ...pod('a'), status: { conditions } }] });
    expect(pods[0]?.status).toEqual({ phase: 'Pending', conditions });
  });

  test('that are bound run, unless they say otherwise', () => {
    const { boundPods } = read({
      nodes: [node],
      boundPods: [
        pod('a', { nodeName: 'n1' }),
        { ...pod('b', { nodeName: 'n1' }), status: { phase: 'Succeeded' } },
      ],
    });
    expect(boundPods.map(({ status }) => status?.phase)).toEqual(['Running', 'Succeeded']);
  });

  test('of DaemonSets live in kube-system', () => {
    const daemonSets = [{ metadata: { name: 'd' }, spec: { template: pod('d') } }];
    expect(read({ daemonSets }).daemonSets[0]?.metadata).toMatchObject({
      namespace: 'kube-system',
      uid: expect.any(String),
    });
  });
});

describe('nodes', () => {
  test('are made from the short form', () => {
    const [made] = read({ nodes: [node] }).nodes;
    expect(made).toMatchObject({
      node: {
        metadata: {
          name: 'n1',
          labels: {
            'kubernetes.io/hostname': 'n1',
            'node.kubernetes.io/instance-type': 'D2',
            'topology.kubernetes.io/zone': 'z1',
            'karpenter.sh/capacity-type': 'on-demand',
            'karpenter.sh/nodepool': 'default',
            'karpenter.sh/registered': 'true',
            'karpenter.sh/initialized': 'true',
            'beta.kubernetes.io/arch': 'amd64',
            team: 'red',
          },
        },
        status: {
          capacity: { cpu: '2', memory: '8Gi', pods: '110' },
          allocatable: { cpu: '1900m', memory: '8Gi', pods: '110' },
          conditions: [{ type: 'Ready', status: 'True' }],
        },
      },
      nodeClaim: {
        metadata: { name: 'n1', labels: { team: 'red' } },
        spec: { expireAfter: 'Never', requirements: [], nodeClassRef: { kind: 'AKSNodeClass' } },
        status: { nodeName: 'n1', allocatable: { cpu: '1900m' } },
      },
    });
    const { nodeClaim, node: object } = made!;
    expect(nodeClaim?.status?.providerID).toBe(object.spec?.providerID);
    expect(nodeClaim?.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'Launched=True',
      'Registered=True',
      'Initialized=True',
      'Consolidatable=True',
      'Ready=True',
    ]);
  });

  test('say more by their objects than by the short form', () => {
    const labels = {
      'topology.kubernetes.io/zone': 'z2',
      'karpenter.sh/initialized': 'false',
      team: 'blue',
    };
    const [made] = read({
      nodes: [
        {
          ...node,
          node: {
            metadata: { labels, creationTimestamp: '2026-01-01T00:00:00Z' },
            status: { allocatable: { cpu: '1' }, conditions: [{ type: 'Ready', status: 'False' }] },
          },
          nodeClaim: { metadata: { name: 'claim' }, spec: { expireAfter: '1h' } },
        },
      ],
    }).nodes;
    expect(made).toMatchObject({
      node: {
        metadata: { name: 'n1', labels },
        status: { allocatable: { cpu: '1' }, conditions: [{ status: 'False' }] },
      },
      nodeClaim: {
        metadata: { name: 'claim', creationTimestamp: '2026-01-01T00:00:00Z', labels },
        spec: { expireAfter: '1h' },
        status: { allocatable: { cpu: '1' } },
      },
    });
  });

  test('of no NodePool have no NodeClaim', () => {
    const [made] = read({ nodes: [{ instanceType: 'D2', zone: 'z1' }] }).nodes;
    expect(made?.nodeClaim).toBeUndefined();
    expect(made?.node.metadata).toMatchObject({
      name: 'node-0000',
      labels: { 'topology.kubernetes.io/zone': 'z1' },
    });
    expect(made?.node.metadata.labels).not.toHaveProperty(['karpenter.sh/registered']);
  });
});

describe('a document with faults', () => {
  const container = (requests: Json): JsonObject => ({
    containers: [{ name: 'c', resources: { requests } }],
  });

  test.each<readonly [string, Json, string | RegExp]>([
    ['is not an object', [], 'the document: []: must be an object; write { … }'],
    [
      'has an amount that is none',
      { pods: [pod('a'), pod('b', container({ cpu: '1x' }))] },
      /^pods\[1\]\.spec\.containers\[0\]\.resources\.requests\.cpu: "1x": is not a quantity \(.*\); write a number with a suffix or none, such as 100m, 2 or 1\.5Gi$/,
    ],
    [
      'has a resource with a long name',
      { pods: [pod('a', container({ 'nvidia.com/gpu': true }))] },
      /^pods\[0\]\.spec\.containers\[0\]\.resources\.requests\["nvidia\.com\/gpu"\]: true: must be a quantity/,
    ],
    [
      'has a field that nobody knows',
      { podz: [] },
      'podz: []: is not a known field; the known ones are meta, now, wellKnownLabels, nodePools, instanceTypes, pods, nodes, boundPods, daemonSets, namespaces, podDisruptionBudgets, persistentVolumeClaims, persistentVolumes, storageClasses, csiNodes',
    ],
    [
      'has a misspelt field of an offering',
      { instanceTypes: [{ ...type, offerings: [{ ...offering, availible: true }] }] },
      /^instanceTypes\[0\]\.offerings\[0\]\.availible: true: is not a known field; the known ones are zone,/,
    ],
    [
      'lacks a name',
      { pods: [{ metadata: {}, spec: { containers: [] } }] },
      'pods[0].metadata.name: is missing; add it',
    ],
    ['has a list that is none', { pods: {} }, 'pods: {}: must be a list; write [ … ]'],
    ['has a null in a list', { pods: [null] }, 'pods[0]: null: must be an object; write { … }'],
    [
      'has a number for a text',
      { pods: [{ ...pod('a'), metadata: { name: 'a', labels: { x: 1 } } }] },
      'pods[0].metadata.labels.x: 1: must be a text; put it in quotes',
    ],
    [
      'has a price in quotes',
      { instanceTypes: [{ ...type, offerings: [{ ...offering, price: '1' }] }] },
      /offerings\[0\]\.price: "1": must be a price per hour/,
    ],
    [
      'has a capacity type that is none',
      { instanceTypes: [{ ...type, offerings: [{ ...offering, capacityType: 'cheap' }] }] },
      /capacityType: "cheap": must be one of "on-demand", "spot", "reserved"$/,
    ],
    [
      'has an effect that is none',
      { pods: [pod('a', { tolerations: [{ effect: 'Never' }] })] },
      /tolerations\[0\]\.effect: "Never": must be one of/,
    ],
    [
      'has a time that is none',
      { now: 'today' },
      'now: "today": must be a time of RFC 3339; write it as 2026-01-31T12:00:00Z',
    ],
    [
      'has a NodePool without a name',
      { nodePools: [{ spec: pool.spec }] },
      'nodePools[0].metadata.name: every NodePool needs a name; add one',
    ],
    [
      'has a NodePool that the API server would refuse',
      { nodePools: [{ ...pool, spec: { ...pool.spec, weight: 101 } }] },
      /^nodePools\[0\]\.spec\.weight: Invalid value: 101: .* less than or equal to 100$/,
    ],
    [
      'has a NodePool with an unknown field',
      { nodePools: [{ ...pool, spec: { ...pool.spec, wait: 1 } }] },
      'nodePools[0].spec.wait: is not a field of a NodePool; remove it',
    ],
    [
      'has two pods of one name',
      {
        instanceTypes: [type],
        nodes: [node],
        pods: [pod('a')],
        boundPods: [pod('a', { nodeName: 'n1' })],
      },
      'boundPods[0].metadata.name: "default/a": is the name of pods[0].metadata.name too; give each a name of its own',
    ],
    [
      'has two NodePools of one name',
      { nodePools: [pool, pool] },
      /^nodePools\[1\]\.metadata\.name: "default": is the name of nodePools\[0\]/,
    ],
    [
      'has two types of one name',
      { instanceTypes: [type, type] },
      /^instanceTypes\[1\]\.name: "D2": is the name of/,
    ],
    [
      'has a pod on a node that is not there',
      { boundPods: [pod('a', { nodeName: 'n9' })] },
      'boundPods[0].spec.nodeName: "n9": must be the name of one of `nodes`; add the node, or move the pod to `pods` if it waits',
    ],
    [
      'has a node of a type that is not there',
      { nodes: [{ name: 'n', instanceType: 'D9' }] },
      'nodes[0].instanceType: "D9": must be the name of one of `instanceTypes`; or state what the node has in node.status.allocatable',
    ],
  ])('is refused when it %s', (_, document, fault) => {
    const faults = faultsOf(document);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });

  test('names every fault at once', () => {
    const document = {
      pods: [pod('a', container({ cpu: 'x' })), pod('b', container({ memory: 'y' }))],
      extra: 1,
    };
    expect(faultsOf(document)).toHaveLength(3);
  });

  test('shows only the beginning of a long value', () => {
    const [fault] = faultsOf({ pods: 'x'.repeat(1000) });
    expect(fault).toBe(`pods: "${'x'.repeat(59)}…: must be a list; write [ … ]`);
  });

  test('reads as one error', () => {
    const failure = (): unknown => readProblem({ podz: 1 });
    expect(failure).toThrow('the problem document is not valid');
    let text = '';
    try {
      failure();
    } catch (error) {
      text = describeError(error);
    }
    expect(text).toContain('podz: 1: is not a known field');
  });
});
