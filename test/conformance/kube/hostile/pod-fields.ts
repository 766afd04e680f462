// Pods that break the rules of their fields.
import type { Fields, Request } from '../session.ts';
import { core, strategic, type Row } from './row.ts';
import { podSpec } from './staged-objects.ts';

const pods = `POST ${core}/pods?dryRun=All`;
const named = (metadata: Fields, more: Fields = {}): Request => ({
  body: { metadata: { name: 'x', ...metadata }, ...more },
});
const pod = (spec: Fields): Request => named({}, { spec: { ...podSpec, ...spec } });
const container = (more: Fields): Request =>
  pod({ containers: [{ name: 'main', image: 'image', ...more }] });

export const podFieldRows: readonly Row[] = [
  [
    'a pod without a spec',
    pods,
    named({}),
    '422 Invalid: Pod "x" is invalid: spec.containers: Required value',
  ],
  [
    'a pod with a quantity that is none',
    pods,
    container({ resources: { requests: { cpu: 'lots' } } }),
    '400 BadRequest: Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'',
  ],
  [
    'a pod with an empty quantity',
    pods,
    container({ resources: { requests: { cpu: '' } } }),
    '400 BadRequest: Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'',
  ],
  [
    'a pod with a negative quantity',
    pods,
    container({ resources: { requests: { cpu: '-1' } } }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'a pod with a quantity that is a flag',
    pods,
    container({ resources: { requests: { cpu: true } } }),
    '400 BadRequest: Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'',
  ],
  [
    'a pod with a resource that is none',
    pods,
    container({ resources: { requests: { 'a b': '1' } } }),
    "422 Invalid: Pod \"x\" is invalid: [spec.containers[0].resources.requests[a b]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), spec.containers[0].resources.requests[a b]: Invalid value: \"a b\": must be a standard resource for containers]",
  ],
  [
    'a pod with a resource without a domain',
    pods,
    container({ resources: { limits: { nope: '1' } } }),
    '422 Invalid: Pod "x" is invalid: [spec.containers[0].resources.limits[nope]: Invalid value: "nope": must be a standard resource type or fully qualified, spec.containers[0].resources.limits[nope]: Invalid value: "nope": must be a standard resource for containers, spec.containers[0].resources.requests[nope]: Invalid value: "nope": must be a standard resource type or fully qualified, spec.containers[0].resources.requests[nope]: Invalid value: "nope": must be a standard resource for containers]',
  ],
  [
    'a pod with half a device',
    pods,
    container({ resources: { limits: { 'x.y/gpu': '500m' } } }),
    '422 Invalid: Pod "x" is invalid: [spec.containers[0].resources.limits[x.y/gpu]: Invalid value: "500m": must be an integer, spec.containers[0].resources.requests[x.y/gpu]: Invalid value: "500m": must be an integer]',
  ],
  [
    'a pod with a port past the last',
    pods,
    container({ ports: [{ containerPort: 70000 }] }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'a pod with a port of a protocol that is none',
    pods,
    container({ ports: [{ containerPort: 1, protocol: 'ICMP' }] }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
  ],
  [
    'a pod with a container name that is none',
    pods,
    pod({ containers: [{ name: 'A', image: 'i' }] }),
    "422 Invalid: Pod \"x\" is invalid: spec.containers[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'a pod with a container without an image',
    pods,
    pod({ containers: [{ name: 'a' }] }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].image: Required value',
  ],
  [
    'a pod with an image with space around it',
    pods,
    container({ image: ' i ' }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].image: Invalid value: " i ": must not have leading or trailing whitespace',
  ],
  [
    'a pod with a pull policy that is none',
    pods,
    container({ imagePullPolicy: 'Sometimes' }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
  ],
  [
    'a pod with a variable without a name',
    pods,
    container({ env: [{ value: 'a' }] }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].env[0].name: Required value',
  ],
  [
    'a pod with a variable of two sources',
    pods,
    container({
      env: [{ name: 'A', value: 'a', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ],
  [
    'a pod with a variable from a field that is none',
    pods,
    container({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.nope' } } }] }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.nope": error converting fieldPath: field label not supported: spec.nope',
  ],
  [
    'a pod with a probe of two sorts',
    pods,
    container({ livenessProbe: { exec: { command: ['a'] }, tcpSocket: { port: 1 } } }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
  ],
  [
    'a pod with a probe of no sort',
    pods,
    container({ livenessProbe: {} }),
    '422 Invalid: Pod "x" is invalid: spec.containers[0].livenessProbe: Required value: must specify a handler type',
  ],
  [
    'a pod with a restart policy that is none',
    pods,
    pod({ restartPolicy: 'Sometimes' }),
    '422 Invalid: Pod "x" is invalid: spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ],
  [
    'a pod with a DNS policy that is none',
    pods,
    pod({ dnsPolicy: 'Nope' }),
    '422 Invalid: Pod "x" is invalid: spec.dnsPolicy: Unsupported value: "Nope": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
  ],
  ['a pod with a negative grace', pods, pod({ terminationGracePeriodSeconds: -5 }), '201'],
  [
    'a pod with a deadline of zero',
    pods,
    pod({ activeDeadlineSeconds: 0 }),
    '422 Invalid: Pod "x" is invalid: spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
  ],
  [
    'a pod with a node name that is none',
    pods,
    pod({ nodeName: 'A_B' }),
    "422 Invalid: Pod \"x\" is invalid: spec.nodeName: Invalid value: \"A_B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a pod with an account that is not there',
    pods,
    pod({ serviceAccountName: 'nobody' }),
    '403 Forbidden: pods "x" is forbidden: error looking up service account {ns}/nobody: serviceaccount "nobody" not found',
  ],
  [
    'a pod with a priority of its own',
    pods,
    pod({ priority: 5 }),
    '403 Forbidden: pods "x" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  ],
  [
    'a pod with a volume of two sorts',
    pods,
    pod({ volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/a' } }] }),
    '422 Invalid: Pod "x" is invalid: spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
  ],
  [
    'a pod with a volume twice',
    pods,
    pod({
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'v', emptyDir: {} },
      ],
    }),
    '422 Invalid: Pod "x" is invalid: spec.volumes[1].name: Duplicate value: "v"',
  ],
  [
    'a pod with a host path that climbs',
    pods,
    pod({ volumes: [{ name: 'v', hostPath: { path: '/a/../b' } }] }),
    '422 Invalid: Pod "x" is invalid: spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
  ],
  [
    'a pod with a toleration of no operator',
    pods,
    pod({ tolerations: [{ key: 'a', operator: 'Near' }] }),
    '422 Invalid: Pod "x" is invalid: spec.tolerations[0].operator: Unsupported value: "Near": supported values: "Equal", "Exists"',
  ],
  [
    'a pod with a toleration of everything and a value',
    pods,
    pod({ tolerations: [{ operator: 'Exists', value: 'a' }] }),
    '422 Invalid: Pod "x" is invalid: spec.tolerations[0].operator: Invalid value: "a": value must be empty when `operator` is \'Exists\'',
  ],
  [
    'a pod with a toleration of an effect that is none',
    pods,
    pod({ tolerations: [{ key: 'a', operator: 'Exists', effect: 'Nope' }] }),
    '422 Invalid: Pod "x" is invalid: spec.tolerations[0].effect: Unsupported value: "Nope": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
  ],
  [
    'a pod with a spread of no skew',
    pods,
    pod({
      topologySpreadConstraints: [
        { maxSkew: 0, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    }),
    '422 Invalid: Pod "x" is invalid: spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
  ],
  [
    'a pod with a spread that cannot be unsatisfied',
    pods,
    pod({
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'Nope' }],
    }),
    '422 Invalid: Pod "x" is invalid: spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Nope": supported values: "DoNotSchedule", "ScheduleAnyway"',
  ],
  [
    'a pod with an affinity of no terms',
    pods,
    pod({
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
      },
    }),
    '422 Invalid: Pod "x" is invalid: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
  ],
  [
    'a pod with an affinity of an operator that is none',
    pods,
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Near' }] }],
          },
        },
      },
    }),
    '422 Invalid: Pod "x" is invalid: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
  ],
  [
    'a pod with an affinity that compares with words',
    pods,
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['b'] }] },
            ],
          },
        },
      },
    }),
    '201',
  ],
  [
    'a pod with an affinity to pods of no topology',
    pods,
    pod({
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {} }] },
      },
    }),
    "422 Invalid: Pod \"x\" is invalid: [spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty, spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: \"\": name part must be non-empty, spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]",
  ],
  [
    'a pod with an affinity of too much weight',
    pods,
    pod({
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 101, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
          ],
        },
      },
    }),
    '422 Invalid: Pod "x" is invalid: spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
  ],
  [
    'a pod with an init container of a name that is taken',
    pods,
    pod({ initContainers: [{ name: 'main', image: 'i' }] }),
    '422 Invalid: Pod "x" is invalid: spec.initContainers[0].name: Duplicate value: "main"',
  ],
  [
    'a pod with a gate twice',
    pods,
    pod({ schedulingGates: [{ name: 'a.b/c' }, { name: 'a.b/c' }] }),
    '422 Invalid: Pod "x" is invalid: spec.schedulingGates[1]: Duplicate value: "a.b/c"',
  ],
  [
    'a pod with everything wrong at once',
    pods,
    pod({ restartPolicy: 'a', dnsPolicy: 'b', containers: [{ name: '', image: '' }] }),
    '422 Invalid: Pod "x" is invalid: [spec.containers[0].name: Required value, spec.containers[0].image: Required value, spec.restartPolicy: Unsupported value: "a": supported values: "Always", "OnFailure", "Never", spec.dnsPolicy: Unsupported value: "b": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]',
  ],
  [
    'a pod that changes its containers',
    `PATCH ${core}/pods/pending`,
    { body: { spec: { containers: [{ name: 'more', image: 'i' }] } }, type: strategic },
    '422 Invalid: Pod "pending" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers',
  ],
];
