// Objects of other kinds that break the rules of their fields.
import type { Json } from '../../../../src/api/meta.ts';
import type { Fields, Request } from '../session.ts';
import { apps, core, merge, type Row } from './row.ts';
import { deploymentSpec, podSpec } from './staged-objects.ts';

const maps = `POST ${core}/configmaps?dryRun=All`;
const named = (metadata: Fields, more: Fields = {}): Request => ({
  body: { metadata: { name: 'x', ...metadata }, ...more },
});
const deployment = (spec: Fields): Request => named({}, { spec: { ...deploymentSpec, ...spec } });
const patch = (body: Json): Request => ({ body, type: merge });

export const fieldRows: readonly Row[] = [
  [
    'a deployment without a selector',
    `POST ${apps}/deployments?dryRun=All`,
    deployment({ selector: null }),
    '422 Invalid: Deployment.apps "x" is invalid: [spec.selector: Required value, spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`]',
  ],
  [
    'a deployment whose selector misses its pods',
    `POST ${apps}/deployments?dryRun=All`,
    deployment({ selector: { matchLabels: { app: 'other' } } }),
    '422 Invalid: Deployment.apps "x" is invalid: spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
  ],
  [
    'a deployment of a negative number',
    `POST ${apps}/deployments?dryRun=All`,
    deployment({ replicas: -1 }),
    '422 Invalid: Deployment.apps "x" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a deployment whose pods end',
    `POST ${apps}/deployments?dryRun=All`,
    deployment({
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { ...podSpec, restartPolicy: 'Never' },
      },
    }),
    '422 Invalid: Deployment.apps "x" is invalid: spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
  [
    'a deployment that rolls in no way',
    `POST ${apps}/deployments?dryRun=All`,
    deployment({ strategy: { type: 'Nope' } }),
    '422 Invalid: Deployment.apps "x" is invalid: spec.strategy: Unsupported value: …: supported values: "Recreate", "RollingUpdate"',
  ],
  [
    'a deployment that can never roll',
    `POST ${apps}/deployments?dryRun=All`,
    deployment({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    '422 Invalid: Deployment.apps "x" is invalid: spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
  ],
  [
    'a deployment with a share that is none',
    `POST ${apps}/deployments?dryRun=All`,
    deployment({ strategy: { rollingUpdate: { maxSurge: 'half' } } }),
    "422 Invalid: Deployment.apps \"x\" is invalid: spec.strategy.rollingUpdate.maxSurge: Invalid value: \"half\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
  ],
  [
    'a deployment that changes its selector',
    `PATCH ${apps}/deployments/web`,
    patch({
      spec: {
        selector: { matchLabels: { app: 'x' } },
        template: { metadata: { labels: { app: 'x' } } },
      },
    }),
    '422 Invalid: Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable',
  ],
  [
    'a job that changes its template',
    `PATCH /apis/batch/v1/namespaces/{ns}/jobs/job`,
    patch({ spec: { template: { spec: { hostname: 'x' } } } }),
    '422 Invalid: Job.batch "job" is invalid: spec.template: Invalid value: …: field is immutable',
  ],
  [
    'a job whose pods always restart',
    'POST /apis/batch/v1/namespaces/{ns}/jobs?dryRun=All',
    named({}, { spec: { template: { spec: { ...podSpec, restartPolicy: 'Always' } } } }),
    '422 Invalid: Job.batch "x" is invalid: spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    'a job of a negative number',
    'POST /apis/batch/v1/namespaces/{ns}/jobs?dryRun=All',
    named(
      {},
      { spec: { parallelism: -1, template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
    ),
    '422 Invalid: Job.batch "x" is invalid: spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a schedule that is none',
    'POST /apis/batch/v1/namespaces/{ns}/cronjobs?dryRun=All',
    named(
      {},
      {
        spec: {
          schedule: 'often',
          jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
        },
      },
    ),
    '422 Invalid: CronJob.batch "x" is invalid: spec.schedule: Invalid value: "often": expected exactly 5 fields, found 1: [often]',
  ],
  [
    'a stateful set with a service name that is none',
    'POST /apis/apps/v1/namespaces/{ns}/statefulsets?dryRun=All',
    named(
      {},
      {
        spec: {
          serviceName: 'A_B',
          selector: { matchLabels: { app: 'y' } },
          template: deploymentSpec['template']!,
        },
      },
    ),
    '422 Invalid: StatefulSet.apps "x" is invalid: [spec.serviceName: Invalid value: "A_B": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \'-\', and must start and end with an alphanumeric character (e.g. \'my-name\',  or \'123-abc\', regex used for validation is \'[a-z0-9]([-a-z0-9]*[a-z0-9])?\'), spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`]',
  ],
  [
    'a service without ports',
    `POST ${core}/services?dryRun=All`,
    named({}, { spec: {} }),
    '422 Invalid: Service "x" is invalid: spec.ports: Required value',
  ],
  [
    'a service with a port past the last',
    `POST ${core}/services?dryRun=All`,
    named({}, { spec: { ports: [{ port: 70000 }] } }),
    '422 Invalid: Service "x" is invalid: [spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive, spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive]',
  ],
  [
    'a service with ports that have no names',
    `POST ${core}/services?dryRun=All`,
    named({}, { spec: { ports: [{ port: 1 }, { port: 2 }] } }),
    '422 Invalid: Service "x" is invalid: [spec.ports[0].name: Required value, spec.ports[1].name: Required value]',
  ],
  [
    'a service of a type that is none',
    `POST ${core}/services?dryRun=All`,
    named({}, { spec: { type: 'Nope', ports: [{ port: 1 }] } }),
    '422 Invalid: Service "x" is invalid: spec.type: Unsupported value: "Nope": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ],
  [
    'a service with an address that is none',
    `POST ${core}/services?dryRun=All`,
    named({}, { spec: { clusterIP: '1.2.3', ports: [{ port: 1 }] } }),
    '422 Invalid: Service "x" is invalid: spec.clusterIPs[0]: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    'a service with an address that is taken',
    `POST ${core}/services`,
    named({}, { spec: { clusterIP: '10.0.0.1', ports: [{ port: 1 }] } }),
    '422 Invalid: Service "x" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: provided IP is already allocated',
  ],
  [
    'a service with an address of another range, in earnest',
    `POST ${core}/services`,
    named({}, { spec: { clusterIP: '192.168.0.1', ports: [{ port: 1 }] } }),
    '422 Invalid: Service "x" is invalid: spec.clusterIPs: Invalid value: ["192.168.0.1"]: failed to allocate IP 192.168.0.1: the provided network does not match the current range',
  ],
  [
    'a service with an address of another range',
    `POST ${core}/services?dryRun=All`,
    named({}, { spec: { clusterIP: '192.168.0.1', ports: [{ port: 1 }] } }),
    '422 Invalid: Service "x" is invalid: spec.clusterIPs: Invalid value: ["192.168.0.1"]: failed to allocate IP 192.168.0.1: the provided IP (192.168.0.1) is not in the valid range. The range of valid IPs is 10.0.0.0/16',
  ],
  [
    'a service that changes its address',
    `PATCH ${core}/services/web`,
    patch({ spec: { clusterIP: '10.0.99.99', clusterIPs: ['10.0.99.99'] } }),
    '422 Invalid: Service "web" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.99.99"]: may not change once set',
  ],
  [
    'a claim without a size',
    `POST ${core}/persistentvolumeclaims?dryRun=All`,
    named({}, { spec: { accessModes: ['ReadWriteOnce'] } }),
    '422 Invalid: PersistentVolumeClaim "x" is invalid: spec.resources[storage]: Required value',
  ],
  [
    'a claim of a mode that is none',
    `POST ${core}/persistentvolumeclaims?dryRun=All`,
    named({}, { spec: { accessModes: ['Nope'], resources: { requests: { storage: '1Gi' } } } }),
    '422 Invalid: PersistentVolumeClaim "x" is invalid: spec.accessModes: Unsupported value: "Nope": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
  ],
  [
    'a claim that shrinks',
    `PATCH ${core}/persistentvolumeclaims/claim`,
    patch({ spec: { resources: { requests: { storage: '1Mi' } } } }),
    '422 Invalid: PersistentVolumeClaim "claim" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n…',
  ],
  [
    'a claim that changes its modes',
    `PATCH ${core}/persistentvolumeclaims/claim`,
    patch({ spec: { accessModes: ['ReadWriteMany'] } }),
    '422 Invalid: PersistentVolumeClaim "claim" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n…',
  ],
  [
    'a budget that says both',
    'POST /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets?dryRun=All',
    named({}, { spec: { minAvailable: 1, maxUnavailable: 1 } }),
    '422 Invalid: PodDisruptionBudget.policy "x" is invalid: spec: Invalid value: …: minAvailable and maxUnavailable cannot be both set',
  ],
  [
    'a budget of more than all',
    'POST /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets?dryRun=All',
    named({}, { spec: { minAvailable: '200%' } }),
    '422 Invalid: PodDisruptionBudget.policy "x" is invalid: spec.minAvailable: Invalid value: "200%": must not be greater than 100%',
  ],
  [
    'a budget of a negative number',
    'POST /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets?dryRun=All',
    named({}, { spec: { minAvailable: -1 } }),
    '422 Invalid: PodDisruptionBudget.policy "x" is invalid: spec.minAvailable: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a node with a taint that is none',
    'POST /api/v1/nodes?dryRun=All',
    named({}, { spec: { taints: [{ key: 'a', effect: 'Nope' }] } }),
    '422 Invalid: Node "x" is invalid: metadata.taints[0].effect: Unsupported value: "Nope": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
  ],
  [
    'a node with a taint twice',
    'POST /api/v1/nodes?dryRun=All',
    named(
      {},
      {
        spec: {
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoSchedule' },
          ],
        },
      },
    ),
    '422 Invalid: Node "x" is invalid: metadata.taints[1]: Duplicate value: …: taints must be unique by key and effect pair',
  ],
  [
    'a node with a range that is none',
    'POST /api/v1/nodes?dryRun=All',
    named({}, { spec: { podCIDR: 'x', podCIDRs: ['x'] } }),
    '422 Invalid: Node "x" is invalid: spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ],
  [
    'a node that changes its range to none',
    'PATCH /api/v1/nodes/{node}',
    { body: { spec: { podCIDR: '10.1.0.0/33' } }, type: merge },
    '422 Invalid: Node "{node}" is invalid: spec.podCIDRs[0]: Invalid value: "10.1.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ],
  [
    'a priority class above all',
    'POST /apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All',
    named({}, { value: 2_000_000_000 }),
    '422 Invalid: PriorityClass.scheduling.k8s.io "x" is invalid: value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
  ],
  [
    'a priority class of the system',
    'POST /apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All',
    named({ name: 'system-x' }, { value: 1 }),
    '422 Invalid: PriorityClass.scheduling.k8s.io "system-x" is invalid: metadata.name: Forbidden: priority class names with \'system-\' prefix are reserved for system use only. error: system-x is not a known system priority class',
  ],
  [
    'a storage class without a provisioner',
    'POST /apis/storage.k8s.io/v1/storageclasses?dryRun=All',
    named({}),
    '422 Invalid: StorageClass.storage.k8s.io "x" is invalid: provisioner: Required value',
  ],
  [
    'a storage class that binds in no way',
    'POST /apis/storage.k8s.io/v1/storageclasses?dryRun=All',
    named({}, { provisioner: 'a.b/c', volumeBindingMode: 'Nope' }),
    '422 Invalid: StorageClass.storage.k8s.io "x" is invalid: volumeBindingMode: Unsupported value: "Nope": supported values: "Immediate", "WaitForFirstConsumer"',
  ],
  [
    'a lease of a negative duration',
    'POST /apis/coordination.k8s.io/v1/namespaces/{ns}/leases?dryRun=All',
    named({}, { spec: { leaseDurationSeconds: -1 } }),
    '422 Invalid: Lease.coordination.k8s.io "x" is invalid: spec.leaseDurationSeconds: Invalid value: -1: must be greater than 0',
  ],
  [
    'a map with a key that is none',
    maps,
    named({}, { data: { 'a b': 'c' } }),
    "422 Invalid: ConfigMap \"x\" is invalid: data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  ],
  [
    'a map with a key in both',
    maps,
    named({}, { data: { a: 'b' }, binaryData: { a: 'YQ==' } }),
    '422 Invalid: ConfigMap "x" is invalid: data[a]: Invalid value: "a": duplicate of key present in binaryData',
  ],
  [
    'a frozen map that changes',
    `PATCH ${core}/configmaps/frozen`,
    patch({ data: { a: 'c' } }),
    '422 Invalid: ConfigMap "frozen" is invalid: data: Forbidden: field is immutable when `immutable` is set',
  ],
  [
    'a frozen map that thaws',
    `PATCH ${core}/configmaps/frozen`,
    patch({ immutable: false }),
    '422 Invalid: ConfigMap "frozen" is invalid: immutable: Forbidden: field is immutable when `immutable` is set',
  ],
  [
    'a secret that changes its type',
    `PATCH ${core}/secrets/secret`,
    patch({ type: 'other' }),
    '422 Invalid: Secret "secret" is invalid: type: Invalid value: "other": field is immutable',
  ],
  [
    'a secret of a type that needs more',
    `POST ${core}/secrets?dryRun=All`,
    named({}, { type: 'kubernetes.io/tls' }),
    '422 Invalid: Secret "x" is invalid: [data[tls.crt]: Required value, data[tls.key]: Required value]',
  ],
  [
    'a quota of a resource that is none',
    `POST ${core}/resourcequotas?dryRun=All`,
    named({}, { spec: { hard: { 'a b': '1' } } }),
    "422 Invalid: ResourceQuota \"x\" is invalid: [spec.hard[a b]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), spec.hard[a b]: Invalid value: \"a b\": must be a standard resource for quota]",
  ],
  [
    'a quota of a negative number',
    `POST ${core}/resourcequotas?dryRun=All`,
    named({}, { spec: { hard: { pods: '-1' } } }),
    '422 Invalid: ResourceQuota "x" is invalid: spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'limits whose least is more than their most',
    `POST ${core}/limitranges?dryRun=All`,
    named({}, { spec: { limits: [{ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }] } }),
    '422 Invalid: LimitRange "x" is invalid: [spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1, spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1, spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1]',
  ],
  [
    'a policy of traffic of a type that is none',
    'POST /apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies?dryRun=All',
    named({}, { spec: { podSelector: {}, policyTypes: ['Nope'] } }),
    '422 Invalid: NetworkPolicy.networking.k8s.io "x" is invalid: spec.policyTypes[0]: Unsupported value: "Nope": supported values: "Ingress", "Egress"',
  ],
];
