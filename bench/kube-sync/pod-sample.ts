// A pod as the API server writes it: about 3.3 KB, a fifth of it managed fields, as a small web workload has
// on a real cluster. In: which pod, at which version. Out: the object. What differs between the pods of a deployment there
// differs here too: names, addresses, times, and the random name of the volume with the token.

const image = 'registry.example.com/team/web:2026.11.15-1f3a9c';
const epochMs = Date.parse('2026-11-15T10:00:00Z');

export type SamplePod = Readonly<Record<'apiVersion' | 'kind', string>> &
  Readonly<Record<'metadata' | 'spec' | 'status', object>>;

export function samplePod(index: number, version: number): SamplePod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata(index, version),
    spec: spec(index),
    status: status(index),
  };
}

/** Seconds after the pod was made; a pod every seven seconds. */
function time(index: number, seconds: number): string {
  return `${new Date(epochMs + (index * 7 + seconds) * 1000).toISOString().slice(0, 19)}Z`;
}

function suffix(index: number): string {
  return index.toString(36).padStart(5, '0');
}

function metadata(index: number, version: number): object {
  const replicaSet = `web-${index % 200}-7d4b9c6f5d`;
  return {
    name: `${replicaSet}-${suffix(index)}`,
    generateName: `${replicaSet}-`,
    namespace: `team-${index % 20}`,
    uid: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    resourceVersion: String(version),
    creationTimestamp: time(index, 0),
    labels: { app: `web-${index % 200}`, 'pod-template-hash': '7d4b9c6f5d', tier: 'front' },
    annotations: { 'prometheus.io/scrape': 'true', 'checksum/config': 'a'.repeat(64) },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: replicaSet,
        uid: '00000000-0000-4000-8000-000000000000',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
    managedFields: ['kube-controller-manager', 'kubelet'].map((manager, i) =>
      managedFields(manager, time(index, i * 3)),
    ),
  };
}

function managedFields(manager: string, written: string): object {
  const container = { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} };
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: written,
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {}, 'f:pod-template-hash': {} } },
      'f:spec': { 'f:containers': { 'k:{"name":"web"}': container } },
    },
  };
}

function spec(index: number): object {
  const sources = [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }];
  return {
    volumes: [
      { name: `kube-api-access-${suffix(index)}`, projected: { sources, defaultMode: 420 } },
    ],
    containers: [container(index)],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'web',
    nodeName: `aks-nodepool1-${index % 500}`,
    schedulerName: 'default-scheduler',
    tolerations: [
      {
        key: 'node.kubernetes.io/not-ready',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      },
    ],
    priority: 0,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { app: `web-${index % 200}` } },
      },
    ],
  };
}

function container(index: number): object {
  return {
    name: 'web',
    image,
    ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }],
    env: Array.from({ length: 6 }, (_, i) => ({
      name: `SETTING_${i}`,
      value: `value-${i}-${index % 50}`,
    })),
    resources: { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '512Mi' } },
    volumeMounts: [
      {
        name: `kube-api-access-${suffix(index)}`,
        readOnly: true,
        mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
      },
    ],
    terminationMessagePath: '/dev/termination-log',
    imagePullPolicy: 'IfNotPresent',
  };
}

function status(index: number): object {
  const condition = (type: string, i: number): object => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: time(index, i === 1 || i === 2 ? 3 : 0),
  });
  return {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
    hostIP: '10.0.0.4',
    podIP: `10.${index % 250}.${index % 200}.7`,
    startTime: time(index, 0),
    containerStatuses: [
      {
        name: 'web',
        ready: true,
        restartCount: 0,
        image,
        started: true,
        state: { running: { startedAt: time(index, 3) } },
      },
    ],
    qosClass: 'Burstable',
  };
}
