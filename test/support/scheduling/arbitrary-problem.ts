// Small random problems with every rule in them. In: how large. Out: fast-check arbitraries that shrink to the part
// that matters. Few distinct labels, zones and sizes are drawn, so that the rules meet: a wide choice would make most
// problems trivial.
import fc from 'fast-check';
import type {
  NodeSelectorRequirement,
  Pod,
  Taint,
  Toleration,
  TopologySpreadConstraint,
} from '../../../src/api/core.ts';
import * as build from './builders.ts';
import { given } from './builders.ts';
import type { InstanceTypeJson, NodeJson, NodePoolJson, ProblemJson } from './problem-json.ts';

export interface ProblemSize {
  readonly pods: number;
  readonly types: number;
  readonly nodes: number;
  readonly pools: number;
}

/** Small enough for brute force. */
export const tiny: ProblemSize = { pods: 5, types: 3, nodes: 2, pools: 2 };

const zones = ['z1', 'z2', 'z3'];
const apps = ['a', 'b', 'c'];
const taints: readonly Taint[] = [
  build.taint('dedicated', 'x'),
  build.taint('dedicated', 'y', 'NoExecute'),
  build.taint('slow', 'true', 'PreferNoSchedule'),
];

/** Present once in `times`, so that a problem has a few rules and not all of them at once. */
function seldom<T>(value: fc.Arbitrary<T>, times = 4): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { arbitrary: fc.constant(undefined), weight: times - 1 },
    { arbitrary: value, weight: 1 },
  );
}

function someOf<T>(values: readonly T[], least = 1): fc.Arbitrary<T[]> {
  return fc.subarray([...values], { minLength: least });
}

const app = fc.constantFrom(...apps);
const labels = app.map((name) => ({ app: name }));

const expression: fc.Arbitrary<NodeSelectorRequirement> = fc.oneof(
  someOf(zones).map((values) => build.is(build.zone, ...values)),
  fc.constantFrom(...zones).map((zone) => build.isNot(build.zone, zone)),
  fc.constantFrom('spot', 'on-demand').map((type) => build.is(build.capacityType, type)),
  fc.constantFrom('amd64', 'arm64').map((arch) => build.is(build.arch, arch)),
  fc.constantFrom(1, 2, 4).map((count) => build.above(build.cores, count)),
  fc.constantFrom(2, 4, 8).map((count) => build.below(build.cores, count)),
  fc.constantFrom('red', 'blue').map((team) => build.is('team', team)),
  fc.constantFrom('red', 'blue').map((team) => build.isNot('team', team)),
  fc.constant(build.exists('team')),
  fc.constant(build.isAbsent('team')),
);

const toleration: fc.Arbitrary<Toleration> = fc.oneof(
  fc.constantFrom(...taints).map(build.tolerating),
  fc.constantFrom<Toleration>({ operator: 'Exists' }, { key: 'dedicated', operator: 'Exists' }),
);

const topologyKey = fc.constantFrom(build.zone, build.hostname, build.zone, build.capacityType);

const spread: fc.Arbitrary<TopologySpreadConstraint> = fc
  .record({
    key: topologyKey,
    app,
    maxSkew: fc.constantFrom(1, 1, 2),
    whenUnsatisfiable: fc.constantFrom<TopologySpreadConstraint['whenUnsatisfiable'][]>(
      'DoNotSchedule',
      'DoNotSchedule',
      'ScheduleAnyway',
    ),
    minDomains: seldom(fc.constantFrom(2, 3), 4),
    nodeTaintsPolicy: seldom(fc.constantFrom('Honor' as const, 'Ignore' as const), 4),
    nodeAffinityPolicy: seldom(fc.constantFrom('Honor' as const, 'Ignore' as const), 4),
    matchLabelKeys: seldom(fc.constant(['app']), 5),
  })
  .map(({ key, app, minDomains, ...options }) =>
    build.spreadOver(
      key,
      { app },
      given<Partial<TopologySpreadConstraint>>({
        ...options,
        // Only a hard constraint may ask for a number of domains.
        minDomains: options.whenUnsatisfiable === 'DoNotSchedule' ? minDomains : undefined,
      }),
    ),
  );

const neighbours = fc
  .tuple(labels, topologyKey)
  .map(([matchLabels, key]) => [build.podsWith(matchLabels, key)]);

const podOptions: fc.Arbitrary<build.PodOptions> = fc
  .record({
    labels,
    cpu: fc.constantFrom('100m', '100m', '500m', '500m', '1', '1500m', '3'),
    memory: fc.constantFrom('128Mi', '128Mi', '1Gi', '3Gi'),
    nodeSelector: seldom(
      expression
        .filter(({ operator, values }) => operator === 'In' && values?.length === 1)
        .map(({ key, values }) => ({ [key]: values?.[0] ?? '' })),
      4,
    ),
    required: seldom(
      fc.array(fc.array(expression, { minLength: 1, maxLength: 2 }), {
        minLength: 1,
        maxLength: 2,
      }),
    ),
    preferred: seldom(
      fc.array(fc.array(expression, { minLength: 1, maxLength: 1 }), {
        minLength: 1,
        maxLength: 2,
      }),
      5,
    ),
    tolerations: seldom(fc.array(toleration, { minLength: 1, maxLength: 2 }), 2),
    spread: seldom(fc.array(spread, { minLength: 1, maxLength: 2 })),
    near: seldom(neighbours, 5),
    apart: seldom(neighbours, 4),
    ports: seldom(fc.constantFrom([8080], [8081], [8080, 8081]), 5),
    claims: seldom(fc.constantFrom(['bound'], ['unbound'], ['free'], ['bound', 'free']), 5),
  })
  .map((options) => given<build.PodOptions>(options));

const instanceTypeOptions = fc.record({
  cpu: fc.constantFrom('4', '2', '8', '16'),
  memory: fc.constantFrom('8Gi', '16Gi', '32Gi'),
  pods: fc.constantFrom('110', '4', '2'),
  arch: fc.constantFrom('amd64', 'amd64', 'arm64'),
  zones: fc.oneof(fc.constant(zones), someOf(zones)),
  capacityTypes: fc.oneof(fc.constant(['on-demand', 'spot']), someOf(['on-demand', 'spot'])),
  /** One offering that cannot be had right now. */
  missing: seldom(fc.nat({ max: 5 })),
  overhead: seldom(fc.constant({ cpu: '100m', memory: '256Mi' })),
});

function instanceTypes(count: number): fc.Arbitrary<InstanceTypeJson[]> {
  return fc.array(instanceTypeOptions, { minLength: 1, maxLength: count }).map((list) =>
    list.map(({ missing, overhead, ...options }, i) => {
      // Prices that are never equal, so that the cheapest is one and not several.
      const price = (Number(options.cpu) * 50 + Number.parseInt(options.memory) * 7 + i) / 1000;
      const type = build.instanceType({
        name: `type-${i}`,
        price,
        ...options,
        ...(overhead && { overhead }),
      });
      const offerings = type.offerings.map((offering, j) => ({
        ...offering,
        available: j !== missing,
      }));
      return { ...type, offerings };
    }),
  );
}

const poolRequirement = fc.oneof(
  { weight: 2, arbitrary: someOf(zones).map((values) => build.is(build.zone, ...values)) },
  {
    weight: 2,
    arbitrary: someOf(['on-demand', 'spot']).map((values) =>
      build.is(build.capacityType, ...values),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      build.is(build.arch, 'amd64'),
      build.below(build.cores, 10),
      build.is('team', 'red', 'blue'),
      build.exists('team'),
      build.isNot('team', 'blue'),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { ...build.exists('node.kubernetes.io/instance-type'), minValues: 2 },
      { ...build.exists(build.cores), minValues: 2 },
    ),
  },
);

function nodePools(count: number): fc.Arbitrary<NodePoolJson[]> {
  const options = fc.record({
    requirements: fc.uniqueArray(poolRequirement, { maxLength: 2, selector: ({ key }) => key }),
    labels: seldom(fc.constantFrom({ team: 'red' }, { team: 'blue' }), 4),
    taints: seldom(fc.constantFrom(...taints).map((taint) => [taint])),
    limits: seldom(
      fc.constantFrom({ cpu: '16' }, { cpu: '20', memory: '48Gi' }, { nodes: '1' }),
      5,
    ),
    weight: seldom(fc.constantFrom(10, 50), 2),
  });
  return fc.array(options, { minLength: 1, maxLength: count }).map((list) =>
    list.map(({ requirements, labels, ...rest }, i) => {
      // A label and a requirement on one key would contradict each other more often than not.
      const others = labels ? requirements.filter(({ key }) => key !== 'team') : requirements;
      const name = `pool-${i}`;
      return build.nodePool(
        given<build.NodePoolOptions>({ name, requirements: others, labels, ...rest }),
      );
    }),
  );
}

const nodeOptions = fc.record({
  pool: fc.nat(),
  type: fc.nat(),
  zone: fc.constantFrom(...zones),
  capacityType: fc.constantFrom('on-demand', 'spot'),
  isOurs: fc.constantFrom(true, true, true, false),
  taints: seldom(
    fc.constantFrom(...taints).map((taint) => [taint]),
    5,
  ),
  bound: fc.array(
    fc.record({
      app,
      cpu: fc.constantFrom('100m', '1'),
      apart: seldom(neighbours, 5),
      port: seldom(fc.constant([8080]), 5),
    }),
    { maxLength: 2 },
  ),
});

type NodeOptions = typeof nodeOptions extends fc.Arbitrary<infer T> ? T : never;

function existing(
  list: readonly NodeOptions[],
  pools: readonly NodePoolJson[],
  types: readonly InstanceTypeJson[],
): { nodes: NodeJson[]; boundPods: Pod[] } {
  const nodes = list.map(({ pool, type, zone, capacityType, isOurs, taints }, i) => ({
    name: `node-${i}`,
    ...(isOurs && { nodePool: pools[pool % pools.length]!.metadata.name }),
    instanceType: types[type % types.length]!.name,
    zone,
    capacityType,
    ...(taints && { node: { spec: { taints } } }),
  }));
  const boundPods = list.flatMap(({ bound }, i) =>
    bound.map(({ app, cpu, apart, port }, j) =>
      build.pod({
        name: `bound-${i}-${j}`,
        labels: { app },
        cpu,
        on: `node-${i}`,
        ...(apart && { apart }),
        ...(port && { ports: port }),
      }),
    ),
  );
  return { nodes, boundPods };
}

const daemonOptions = fc.record({
  cpu: fc.constantFrom('100m', '500m'),
  nodeSelector: seldom(
    fc.constantFrom<Record<string, string>[]>(
      { [build.arch]: 'arm64' },
      { [build.zone]: 'z1' },
      { team: 'red' },
    ),
  ),
  tolerations: seldom(fc.constant<Toleration[]>([{ operator: 'Exists' }]), 2),
  ports: seldom(fc.constant([8081]), 4),
});

/** The volumes that `claims` of pods name: one in z1, one made where the pod goes, one that is anywhere. */
const storage = {
  persistentVolumes: [
    build.volume({ name: 'in-z1', zones: ['z1'] }),
    build.volume({ name: 'anywhere' }),
  ],
  persistentVolumeClaims: [
    build.claim({ name: 'bound', volume: 'in-z1' }),
    build.claim({ name: 'unbound', storageClass: 'two-zones' }),
    build.claim({ name: 'free', volume: 'anywhere' }),
  ],
  storageClasses: [build.storageClass({ name: 'two-zones', zones: ['z2', 'z3'] })],
};

export function arbitraryProblem(size: ProblemSize = tiny): fc.Arbitrary<ProblemJson> {
  return fc
    .record({
      pods: fc.array(podOptions, { minLength: 1, maxLength: size.pods }),
      instanceTypes: instanceTypes(size.types),
      nodePools: nodePools(size.pools),
      nodes: fc.array(nodeOptions, { maxLength: size.nodes }),
      daemons: fc.array(daemonOptions, { maxLength: 2 }),
      attachable: seldom(fc.constantFrom(0, 1), 2),
    })
    .map(({ pods, nodes, daemons, attachable, ...rest }) => {
      const cluster = existing(nodes, rest.nodePools, rest.instanceTypes);
      const usesStorage = pods.some(({ claims }) => claims !== undefined);
      return {
        ...rest,
        pods: pods.map((options, i) => build.pod({ ...options, name: `pod-${i}` })),
        ...(nodes.length > 0 && cluster),
        ...(daemons.length > 0 && {
          daemonSets: daemons.map((options, i) =>
            build.daemonSet(given<build.PodOptions>({ name: `daemon-${i}`, ...options })),
          ),
        }),
        ...(usesStorage && storage),
        ...(usesStorage &&
          attachable !== undefined && {
            csiNodes: cluster.nodes.map(({ name = '' }) => ({
              metadata: { name },
              spec: {
                drivers: [
                  { name: 'disk.csi.azure.com', nodeID: name, allocatable: { count: attachable } },
                ],
              },
            })),
          }),
      };
    });
}
