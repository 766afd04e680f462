// One object of each kind that caches read in binary form, with every field that is read and many that are not. In: a
// namespace and a suffix for names. Out: bodies for a create, and the status that is written after it where a create drops
// it. A real server takes them as they are.
import type { KubeObject } from '../../src/api/meta.ts';
import {
  configMaps,
  csiNodes,
  daemonSets,
  deployments,
  leases,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  podTemplates,
  replicaSets,
  statefulSets,
  storageClasses,
  volumeAttachments,
  type ResourceType,
} from '../../src/api/resource-type.ts';

export interface RichObject {
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly status?: object;
}

const time = '2026-02-03T04:05:06Z';
const selector = {
  matchLabels: { app: 'web' },
  matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
};
const resources = {
  requests: { cpu: '250m', memory: '1.5Gi', 'example.com/gpu': '2' },
  limits: { cpu: '1', memory: '1536Mi', 'example.com/gpu': '2' },
};
const nodeTerm = {
  matchExpressions: [
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['eastus-1', 'eastus-2'] },
    { key: 'example.com/old', operator: 'DoesNotExist' },
  ],
  matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['node-9'] }],
};
const podTerm = {
  topologyKey: 'kubernetes.io/hostname',
  labelSelector: selector,
  namespaces: ['default', 'other'],
  namespaceSelector: {},
  matchLabelKeys: ['pod-template-hash'],
};

const container = {
  name: 'web',
  image: 'registry.example.com/web:1',
  command: ['/bin/web'],
  args: ['--port', '8080'],
  env: [{ name: 'A', value: 'b' }],
  resources,
  ports: [
    { name: 'http', containerPort: 8080, hostPort: 8080, hostIP: '127.0.0.1', protocol: 'TCP' },
    { containerPort: 53, hostPort: 53, protocol: 'UDP' },
  ],
  livenessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
  lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
  securityContext: { runAsUser: 1000 },
};

const podSpec = {
  containers: [container, { name: 'bare', image: 'example.com/bare', resources: {} }],
  initContainers: [
    { name: 'sidecar', image: 'example.com/sidecar', restartPolicy: 'Always', resources },
    { name: 'init', image: 'example.com/init' },
  ],
  nodeSelector: { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'arm64' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodeTerm] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, preference: nodeTerm }],
    },
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [podTerm] },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: podTerm }],
    },
  },
  tolerations: [
    { operator: 'Exists' },
    { key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoSchedule' },
    { key: 'gone', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 },
  ],
  topologySpreadConstraints: [
    {
      maxSkew: 2,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: selector,
      minDomains: 3,
      nodeAffinityPolicy: 'Ignore',
      nodeTaintsPolicy: 'Honor',
      matchLabelKeys: ['pod-template-hash'],
    },
  ],
  volumes: [
    { name: 'data', persistentVolumeClaim: { claimName: 'data-0' } },
    { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
    {
      name: 'fast',
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { labels: { kind: 'fast' } },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: 'fast',
            resources: { requests: { storage: '10Gi' } },
          },
        },
      },
    },
  ],
  resourceClaims: [
    { name: 'gpu', resourceClaimTemplateName: 'gpu' },
    { name: 'nic', resourceClaimName: 'nic-0' },
  ],
  terminationGracePeriodSeconds: 0,
  schedulerName: 'default-scheduler',
  hostNetwork: true,
  securityContext: { fsGroup: 2000 },
};

const podStatus = {
  phase: 'Pending',
  conditions: [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: 'no node fits: Zürich – 🚀',
      lastProbeTime: time,
      lastTransitionTime: time,
    },
    { type: 'Ready', status: 'Unknown' },
  ],
  nominatedNodeName: 'node-1',
  startTime: time,
  podIP: '10.0.0.1',
  podIPs: [{ ip: '10.0.0.1' }],
  containerStatuses: [
    {
      name: 'web',
      ready: true,
      restartCount: 3,
      image: 'registry.example.com/web:1',
      imageID: 'sha256:1',
      state: { running: { startedAt: time } },
      resources,
      allocatedResources: resources.requests,
    },
  ],
  initContainerStatuses: [
    { name: 'sidecar', ready: false, restartCount: 0, image: 'example.com/sidecar', imageID: '' },
  ],
};

const nodeStatus = {
  capacity: { cpu: '8', memory: '32Gi', pods: '110', 'ephemeral-storage': '128Gi' },
  allocatable: { cpu: '7820m', memory: '29000000Ki', pods: '110' },
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
      lastHeartbeatTime: time,
      lastTransitionTime: '1969-12-31T23:59:59Z',
    },
  ],
  addresses: [
    { type: 'InternalIP', address: '10.1.0.4' },
    { type: 'Hostname', address: 'node' },
  ],
  nodeInfo: {
    machineID: 'm',
    systemUUID: 's',
    bootID: 'b',
    kernelVersion: '6.8',
    osImage: 'Ubuntu 24.04',
    containerRuntimeVersion: 'containerd://2',
    kubeletVersion: 'v1.35.0',
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture: 'amd64',
  },
  images: [{ names: ['example.com/a'], sizeBytes: 12_345_678_901 }],
};

export function richObjects(namespace: string, suffix: string): readonly RichObject[] {
  const name = `rich-${suffix}`;
  const labels = { app: 'web', tier: 'front', empty: '' };
  const annotations = { 'example.com/note': 'Zürich 🚀\nsecond line', 'example.com/empty': '' };
  const finalizers = ['example.com/a', 'example.com/b'];
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'owner', uid: 'u-1' };
  const ownerReferences = [
    { ...owner, controller: true, blockOwnerDeletion: false },
    { ...owner, kind: 'Other', uid: 'u-2' },
  ];
  const global = { name, labels, annotations, finalizers };
  const local = { ...global, namespace };
  const plain = { name, namespace, labels };
  const templateSpec = { ...podSpec, terminationGracePeriodSeconds: 30, hostNetwork: false };
  const template = { metadata: { labels: { app: 'web', tier: 'front' } }, spec: templateSpec };
  const workload = { replicas: 0, selector, template };
  const always = { ...template, spec: { ...templateSpec, restartPolicy: 'Always' } };
  const all: readonly (readonly [ResourceType, object, object?])[] = [
    [pods, { metadata: { ...local, ownerReferences }, spec: podSpec }, podStatus],
    [
      pods,
      {
        metadata: { ...plain, name: `${name}-bare` },
        spec: { containers: [container], volumes: podSpec.volumes },
      },
    ],
    [podTemplates, { metadata: plain, template }],
    [
      nodes,
      {
        metadata: global,
        spec: {
          providerID: 'azure:///subscriptions/1/vm',
          unschedulable: true,
          taints: [
            { key: 'a', value: 'b', effect: 'NoSchedule' },
            { key: 'c', effect: 'NoExecute', timeAdded: time },
          ],
        },
        status: nodeStatus,
      },
    ],
    [nodes, { metadata: { name: `${name}-bare` } }],
    [namespaces, { metadata: { name, labels } }],
    [
      configMaps,
      {
        metadata: plain,
        data: { a: '1', 'b.txt': 'x\ny', __proto__x: '', ['__proto__']: 'p' },
        binaryData: { c: 'AAEC' },
      },
    ],
    [
      persistentVolumes,
      {
        metadata: global,
        spec: {
          capacity: { storage: '10Gi' },
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'fast',
          csi: { driver: 'disk.csi.azure.com', volumeHandle: 'h', volumeAttributes: { a: 'b' } },
          nodeAffinity: { required: { nodeSelectorTerms: [nodeTerm] } },
        },
      },
    ],
    [
      persistentVolumes,
      {
        metadata: { name: `${name}-path` },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteMany'],
          hostPath: { path: '/data' },
        },
      },
    ],
    [
      persistentVolumeClaims,
      {
        metadata: local,
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: '',
          volumeName: 'pv-1',
          resources: { requests: { storage: '10Gi' } },
        },
      },
    ],
    [
      storageClasses,
      {
        metadata: global,
        provisioner: 'disk.csi.azure.com',
        volumeBindingMode: 'WaitForFirstConsumer',
        parameters: { sku: 'Premium' },
        allowedTopologies: [
          { matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['1', '2'] }] },
        ],
      },
    ],
    [
      csiNodes,
      {
        metadata: { name },
        spec: {
          drivers: [
            {
              name: 'disk.csi.azure.com',
              nodeID: 'n',
              topologyKeys: ['z'],
              allocatable: { count: 16 },
            },
            { name: 'file.csi.azure.com', nodeID: 'n', topologyKeys: null },
          ],
        },
      },
    ],
    [
      volumeAttachments,
      {
        metadata: { name },
        spec: { attacher: 'disk', nodeName: 'node-1', source: { persistentVolumeName: 'pv-1' } },
      },
      { attached: true },
    ],
    [daemonSets, { metadata: plain, spec: { selector, template: always } }],
    [deployments, { metadata: plain, spec: workload }],
    [statefulSets, { metadata: plain, spec: { ...workload, serviceName: 'web' } }],
    [replicaSets, { metadata: plain, spec: workload }],
    [
      podDisruptionBudgets,
      {
        metadata: plain,
        spec: { minAvailable: '50%', selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      },
      {
        disruptionsAllowed: 0,
        currentHealthy: 2,
        desiredHealthy: 1,
        expectedPods: 3,
        observedGeneration: 1,
      },
    ],
    [
      podDisruptionBudgets,
      { metadata: { ...plain, name: `${name}-none` }, spec: { maxUnavailable: 0 } },
    ],
    [
      leases,
      {
        metadata: plain,
        spec: {
          holderIdentity: 'me',
          leaseDurationSeconds: 15,
          acquireTime: '2026-02-03T04:05:06.000007Z',
          renewTime: '2026-02-03T04:05:06.123456Z',
          leaseTransitions: 0,
        },
      },
    ],
  ];
  return all.map(([type, object, status]) => ({
    type,
    object: object as KubeObject,
    ...(status === undefined ? {} : { status }),
  }));
}
