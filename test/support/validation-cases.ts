// Objects that an API server should refuse, with the fault by which each is named; some that it should take are among them. In:
// nothing. Out: requests that make them; tools/record-validation-vectors.ts asks a real server for the answers, and tests
// compare ours with them.

export interface ValidationCase {
  readonly name: string;
  readonly path: string;
  readonly object: object;
}

type Part = Readonly<Record<string, unknown>>;

const core = '/api/v1/namespaces/default';
const networks = '/apis/networking.k8s.io/v1';
const namespaced = `${networks}/namespaces/default`;
const admission = '/apis/admissionregistration.k8s.io/v1';

const ing = (name: string, spec: Part, meta: Part = {}): ValidationCase => ({
  name: `ingress: ${name}`,
  path: `${namespaced}/ingresses`,
  object: { metadata: { name: 'i', ...meta }, spec },
});
const svc = (more: Part = {}): Part => ({ service: { name: 's', port: { number: 80 }, ...more } });
const path = (one: Part): Part => ({ rules: [{ host: 'a.b', http: { paths: [one] } }] });
const ingressClass = (name: string, spec: Part): ValidationCase => ({
  name: `ingress class: ${name}`,
  path: `${networks}/ingressclasses`,
  object: { metadata: { name: 'c' }, spec },
});
const np = (name: string, spec: Part): ValidationCase => ({
  name: `network policy: ${name}`,
  path: `${namespaced}/networkpolicies`,
  object: { metadata: { name: 'n' }, spec },
});
const target = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
const hpa = (name: string, spec: Part): ValidationCase => ({
  name: `autoscaler: ${name}`,
  path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  object: { metadata: { name: 'h' }, spec: { scaleTargetRef: target, maxReplicas: 3, ...spec } },
});
const hpaV1 = (name: string, spec: Part): ValidationCase => ({
  name: `autoscaler of old: ${name}`,
  path: '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
  object: { metadata: { name: 'h' }, spec },
});
const job = (name: string, spec: Part, pod: Part = {}): ValidationCase => ({
  name: `job: ${name}`,
  path: '/apis/batch/v1/namespaces/default/jobs',
  object: {
    metadata: { name: 'j' },
    spec: {
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }], ...pod },
      },
      ...spec,
    },
  },
});
const quota = (name: string, spec: Part): ValidationCase => ({
  name: `quota: ${name}`,
  path: `${core}/resourcequotas`,
  object: { metadata: { name: 'q' }, spec },
});
const pod = (name: string, spec: Part, container: Part = {}): ValidationCase => ({
  name: `pod: ${name}`,
  path: `${core}/pods`,
  object: {
    metadata: { name: 'p' },
    spec: {
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'x', ...container }],
      ...spec,
    },
  },
});
const vol = (name: string, source: Part): ValidationCase =>
  pod(`volume ${name}`, { volumes: [{ name: 'v', ...source }] });
const c = (name: string, container: Part): ValidationCase => pod(name, {}, container);
const pr = (name: string, probe: Part, kind = 'livenessProbe'): ValidationCase =>
  c(`probe ${name}`, { [kind]: probe });
const wh = (name: string, hook: Part, kind = 'Validating'): ValidationCase => ({
  name: `${kind} webhook: ${name}`,
  path: `${admission}/${kind.toLowerCase()}webhookconfigurations`,
  object: { metadata: { name: 'w' }, webhooks: [hook] },
});
const podRule = {
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['pods'],
  operations: ['CREATE'],
};
const okw = {
  name: 'a.b.c',
  clientConfig: { url: 'https://x.y/z' },
  rules: [podRule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const vap = (name: string, spec: Part): ValidationCase => ({
  name: `admission policy: ${name}`,
  path: `${admission}/validatingadmissionpolicies`,
  object: { metadata: { name: 'w' }, spec },
});
const binding = (name: string, spec: Part): ValidationCase => ({
  name: `admission policy binding: ${name}`,
  path: `${admission}/validatingadmissionpolicybindings`,
  object: { metadata: { name: 'b' }, spec },
});
const okv = {
  matchConstraints: { resourceRules: [podRule] },
  validations: [{ expression: 'true' }],
};
const claim = (name: string, spec: Part): ValidationCase => ({
  name: `device claim: ${name}`,
  path: '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims',
  object: { metadata: { name: 'w' }, spec },
});
const faulty = [
  { name: 'A', exactly: {} },
  { name: 'b' },
  { name: 'b', exactly: { deviceClassName: 'c', allocationMode: 'Odd', selectors: [{}] } },
];

export const validationCases: readonly ValidationCase[] = [
  ing('empty', {}),
  ing('ok', { defaultBackend: svc() }),
  ing('bad name', { defaultBackend: svc({ name: 'S_' }) }),
  ing('both ports', { defaultBackend: svc({ port: { number: 80, name: 'x' } }) }),
  ing('no port', { defaultBackend: svc({ port: {} }) }),
  ing('bad port', { defaultBackend: svc({ port: { number: 70000 } }) }),
  ing('bad port name', { defaultBackend: svc({ port: { name: 'A--' } }) }),
  ing('no name', { defaultBackend: { service: { port: { number: 1 } } } }),
  ing('nothing', { defaultBackend: {} }),
  ing('both', { defaultBackend: { ...svc(), resource: { kind: 'a', name: 'b' } } }),
  ing('resource', { defaultBackend: { resource: { kind: '', name: 'a/b', apiGroup: 'A' } } }),
  ing('no pathtype', path({ path: '/', backend: svc() })),
  ing('rel path', path({ path: 'x', pathType: 'Prefix', backend: svc() })),
  ing('seq', path({ path: '/a//b/./c/../%2f/..', pathType: 'Exact', backend: svc() })),
  ing('impl', path({ path: 'x', pathType: 'ImplementationSpecific', backend: svc() })),
  ing('impl empty', path({ pathType: 'ImplementationSpecific', backend: svc() })),
  ing('unknown type', path({ path: '/', pathType: 'Odd', backend: svc() })),
  ing('no paths', { rules: [{ http: { paths: [] } }] }),
  ing('hosts', { rules: [{ host: '1.2.3.4' }, { host: '*.x' }, { host: '*x' }, { host: 'A.b' }] }),
  ing('tls', { defaultBackend: svc(), tls: [{ hosts: ['*', 'A'], secretName: 'A_' }] }),
  ing('class', { defaultBackend: svc(), ingressClassName: 'A_' }),
  ing(
    'class annotation',
    { defaultBackend: svc(), ingressClassName: 'a' },
    { annotations: { 'kubernetes.io/ingress.class': 'b' } },
  ),
  ingressClass('ok', { controller: 'a.b/c', parameters: { kind: 'K', name: 'n' } }),
  ingressClass('bad', { controller: 'abc', parameters: { kind: 'K', name: 'n', scope: 'Odd' } }),
  ingressClass('bad2', {
    controller: 'A/b c',
    parameters: { kind: '', name: '', scope: 'Namespace' },
  }),
  ingressClass('bad3', { parameters: { kind: 'a', name: 'b', scope: 'Cluster', namespace: 'x' } }),
  np('ok', { podSelector: {} }),
  np('selector', { podSelector: { matchLabels: { '-': 'a' } } }),
  np('types', { podSelector: {}, policyTypes: ['Odd', 'Ingress', 'Egress'] }),
  np('type', { podSelector: {}, policyTypes: ['Odd'] }),
  np('ports', {
    podSelector: {},
    ingress: [
      {
        ports: [
          { protocol: 'X', port: 0 },
          { port: 'A--' },
          { port: 5, endPort: 3 },
          { endPort: 3 },
          { port: 'a', endPort: 70000 },
          { port: 5, endPort: 70000 },
        ],
      },
    ],
  }),
  np('peers', {
    podSelector: {},
    egress: [
      {
        to: [
          {},
          { ipBlock: { cidr: 'x' } },
          { ipBlock: {} },
          {
            ipBlock: {
              cidr: '10.0.0.0/8',
              except: ['10.1.0.0/16', '11.0.0.0/16', '10.0.0.0/8', 'z'],
            },
          },
          { podSelector: {}, ipBlock: { cidr: '::/0' } },
        ],
      },
    ],
  }),
  np('cidr6', {
    podSelector: {},
    egress: [
      { to: [{ ipBlock: { cidr: '2001:db8::/32', except: ['2001:db8:1::/48', '10.0.0.0/9'] } }] },
    ],
  }),
  np('cidr odd', {
    podSelector: {},
    egress: [
      {
        to: [
          { ipBlock: { cidr: '10.0.0.5/8' } },
          { ipBlock: { cidr: '10.0.0.0/33' } },
          { ipBlock: { cidr: '010.0.0.0/8' } },
        ],
      },
    ],
  }),
  hpa('ok', {}),
  hpa('min0', { minReplicas: 0 }),
  hpa('min>max', { minReplicas: 5 }),
  hpa('max0', { maxReplicas: 0 }),
  hpa('ref', { scaleTargetRef: { kind: '', name: 'a/b', apiVersion: 'a/b/c' } }),
  hpa('ref2', { scaleTargetRef: { kind: 'a%', name: '..' } }),
  hpa('metric none', { metrics: [{}] }),
  hpa('metric unknown', { metrics: [{ type: 'Odd' }] }),
  hpa('metric missing', { metrics: [{ type: 'Pods' }] }),
  hpa('metric two', {
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } },
        pods: { metric: { name: 'a' }, target: { type: 'AverageValue', averageValue: '1' } },
      },
    ],
  }),
  hpa('resource empty', { metrics: [{ type: 'Resource', resource: {} }] }),
  hpa('resource both', {
    metrics: [
      {
        type: 'Resource',
        resource: {
          name: 'cpu',
          target: { type: 'Odd', averageUtilization: 0, averageValue: '-1' },
        },
      },
    ],
  }),
  hpa('containerresource', {
    metrics: [{ type: 'ContainerResource', containerResource: { container: 'A' } }],
  }),
  hpa('object', {
    metrics: [
      { type: 'Object', object: { describedObject: {}, metric: {}, target: { type: 'Value' } } },
    ],
  }),
  hpa('external', {
    metrics: [
      {
        type: 'External',
        external: {
          metric: { name: 'a/b' },
          target: { type: 'Value', value: '0', averageValue: '1' },
        },
      },
    ],
  }),
  hpa('pods', {
    metrics: [
      { type: 'Pods', pods: { metric: { name: 'x' }, target: { type: 'Value', value: '1' } } },
    ],
  }),
  hpa('behavior', { behavior: { scaleUp: { stabilizationWindowSeconds: 5 } } }),
  hpa('behavior bad', {
    behavior: {
      scaleDown: {
        stabilizationWindowSeconds: -1,
        selectPolicy: 'Odd',
        policies: [
          { type: 'x', value: 0, periodSeconds: 0 },
          { type: 'Pods', value: 1, periodSeconds: 1801 },
        ],
      },
      scaleUp: { stabilizationWindowSeconds: 3601 },
    },
  }),
  hpaV1('faulty', {
    scaleTargetRef: { kind: '', name: 'd' },
    maxReplicas: 0,
    targetCPUUtilizationPercentage: 0,
  }),
  hpaV1('ok', { scaleTargetRef: { kind: 'D', name: 'd' }, maxReplicas: 2 }),
  job('policy rules', {
    podFailurePolicy: {
      rules: [
        {},
        { action: 'Odd', onExitCodes: { operator: '', values: [] } },
        {
          action: 'FailIndex',
          onExitCodes: { operator: 'In', values: [0, 3, 2, 2], containerName: 'z' },
        },
        {
          action: 'Count',
          onPodConditions: [{ type: 'a b', status: 'X' }],
          onExitCodes: { operator: 'X', values: [1] },
        },
      ],
    },
  }),
  job(
    'policy restart',
    { podFailurePolicy: { rules: [{ action: 'Count', onPodConditions: [{ type: 'A' }] }] } },
    { restartPolicy: 'OnFailure' },
  ),
  job('policy replacement', {
    podReplacementPolicy: 'TerminatingOrFailed',
    podFailurePolicy: { rules: [{ action: 'Count', onPodConditions: [{ type: 'A' }] }] },
  }),
  job('replacement', { podReplacementPolicy: 'Odd' }),
  job('perindex nonindexed', { backoffLimitPerIndex: 1, maxFailedIndexes: 1 }),
  job('maxfailed', { maxFailedIndexes: 3, completions: 2, completionMode: 'Indexed' }),
  job('mode', { completionMode: 'Odd' }),
  job('indexed no completions', { completionMode: 'Indexed', parallelism: 2 }),
  job('managed', { managedBy: 'a' }),
  job('managed2', { managedBy: 'A/b c' }),
  job('managed3', { managedBy: 'a.b/' + 'x'.repeat(70) }),
  job('managed4', { managedBy: '' }),
  job('success', {
    completionMode: 'Indexed',
    completions: 3,
    successPolicy: {
      rules: [
        {},
        { succeededIndexes: '0-1-2' },
        { succeededIndexes: 'x' },
        { succeededIndexes: '5' },
        { succeededIndexes: '1,0' },
        { succeededIndexes: '2-1' },
        { succeededIndexes: '0-5' },
        { succeededIndexes: '0,1', succeededCount: 3 },
        { succeededCount: -1 },
        { succeededCount: 4 },
      ],
    },
  }),
  job('success none', { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [] } }),
  job('ok policy', {
    backoffLimitPerIndex: 1,
    completionMode: 'Indexed',
    completions: 2,
    podFailurePolicy: { rules: [{ action: 'FailIndex', onPodConditions: [{ type: 'A' }] }] },
  }),
  job('negatives', {
    parallelism: -1,
    completions: -1,
    activeDeadlineSeconds: -1,
    backoffLimit: -1,
    ttlSecondsAfterFinished: -1,
  }),
  quota('scope unknown', { hard: { pods: '1' }, scopes: ['Odd'] }),
  quota('scope conflict', { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] }),
  quota('scope resource', { hard: { services: '1', cpu: '1' }, scopes: ['BestEffort'] }),
  quota('selector', {
    hard: { pods: '1' },
    scopeSelector: {
      matchExpressions: [
        { scopeName: 'PriorityClass', operator: 'In' },
        { scopeName: 'BestEffort', operator: 'In', values: ['a'] },
        { scopeName: 'X', operator: 'Odd' },
        { scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] },
      ],
    },
  }),
  quota('cross', { hard: { pods: '1' }, scopes: ['CrossNamespacePodAffinity'] }),

  pod('security windows', {
    securityContext: { windowsOptions: { gmsaCredentialSpecName: 'A_', runAsUserName: '' } },
  }),
  pod('security ids', {
    securityContext: { runAsUser: -1, runAsGroup: -1, fsGroup: -1, supplementalGroups: [-1] },
  }),
  pod('security policy', {
    securityContext: { fsGroupChangePolicy: 'Odd', supplementalGroupsPolicy: 'Odd' },
  }),
  pod('security seccomp', { securityContext: { seccompProfile: { type: 'Odd' } } }),
  pod('security seccomp2', { securityContext: { seccompProfile: { type: 'Localhost' } } }),
  pod('security seccomp4', {
    securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: '/a/../b' } },
  }),
  pod('security apparmor', { securityContext: { appArmorProfile: { type: 'Odd' } } }),
  pod('security apparmor2', { securityContext: { appArmorProfile: { type: 'Localhost' } } }),
  pod('security apparmor3', {
    securityContext: { appArmorProfile: { type: 'Unconfined', localhostProfile: 'x' } },
  }),
  pod('security sysctls', {
    securityContext: {
      sysctls: [
        { name: '', value: '1' },
        { name: 'A B', value: '1' },
        { name: 'kernel.shm_rmid_forced', value: '1' },
        { name: 'kernel.shm_rmid_forced', value: '1' },
        { name: 'net/ipv4.x', value: '1' },
      ],
    },
  }),
  pod('security host users', { hostUsers: false, hostNetwork: true }),
  pod('security hostpid', { hostPID: true, shareProcessNamespace: true }),
  c('container security ids', { securityContext: { runAsUser: -1, runAsGroup: -1 } }),
  c('container security procmount', { securityContext: { procMount: 'Odd' } }),
  c('container security procmount2', { securityContext: { procMount: 'Unmasked' } }),

  c('container security seccomp', { securityContext: { seccompProfile: { type: 'Odd' } } }),
  c('container security apparmor', { securityContext: { appArmorProfile: { type: 'Odd' } } }),
  c('container security windows', {
    securityContext: { windowsOptions: { runAsUserName: 'a\\b\\c' } },
  }),
  pr('none', {}),
  pr('two', { exec: { command: ['x'] }, httpGet: { port: 80 } }),
  pr('http', { httpGet: { path: '', port: 0, scheme: 'x' } }),
  pr('http hdr', { httpGet: { port: 80, httpHeaders: [{ name: 'a b', value: 'x' }] } }),
  pr('tcp', { tcpSocket: { port: 'A--' } }),
  pr('exec', { exec: {} }),
  pr('grpc', { grpc: { port: 0 } }),
  pr('neg', {
    exec: { command: ['x'] },
    initialDelaySeconds: -1,
    timeoutSeconds: -1,
    periodSeconds: -1,
    successThreshold: -1,
    failureThreshold: -1,
    terminationGracePeriodSeconds: -1,
  }),
  pr('success', { exec: { command: ['x'] }, successThreshold: 2 }),
  pr('startup success', { exec: { command: ['x'] }, successThreshold: 2 }, 'startupProbe'),
  pr('ready ok', { exec: { command: ['x'] }, successThreshold: 2 }, 'readinessProbe'),
  pr(
    'ready grace',
    { exec: { command: ['x'] }, terminationGracePeriodSeconds: 5 },
    'readinessProbe',
  ),
  c('life none', { lifecycle: { postStart: {} } }),
  c('life two', { lifecycle: { preStop: { exec: { command: ['x'] }, sleep: { seconds: 1 } } } }),
  c('life sleep', { lifecycle: { preStop: { sleep: { seconds: -1 } } } }),
  c('life sleep long', { lifecycle: { preStop: { sleep: { seconds: 100 } } } }),
  c('life http', { lifecycle: { postStart: { httpGet: { port: 0 } } } }),
  c('life tcp', { lifecycle: { preStop: { tcpSocket: { port: 0 } } } }),
  c('life exec', { lifecycle: { preStop: { exec: {} } } }),
  pod('init probe', {
    initContainers: [
      {
        name: 'i',
        image: 'x',
        livenessProbe: { exec: { command: ['x'] } },
        readinessProbe: { exec: { command: ['x'] } },
        startupProbe: { exec: { command: ['x'] } },
        lifecycle: { preStop: { exec: { command: ['x'] } } },
      },
    ],
  }),
  pod('init restart', { initContainers: [{ name: 'i', image: 'x', restartPolicy: 'Odd' }] }),
  c('restart', { restartPolicy: 'Odd' }),
  c('restart always', { restartPolicy: 'Always' }),
  c('rules', {
    restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
  }),
  c('resize', { resizePolicy: [{ resourceName: 'x', restartPolicy: 'y' }] }),
  c('devices', { volumeDevices: [{ name: 'x', devicePath: '../a' }] }),
  c('env from', { envFrom: [{ prefix: '=', configMapRef: { name: '' } }, {}] }),
  c('term', { terminationMessagePolicy: 'Odd', imagePullPolicy: 'Odd' }),
  c('termpath', { terminationMessagePath: 'x' }),
  vol('none', {}),
  vol('two', { emptyDir: {}, hostPath: { path: '/x' } }),
  vol('emptydir', { emptyDir: { sizeLimit: '-1', medium: 'Odd' } }),
  vol('hostpath', { hostPath: { path: '', type: 'Odd' } }),
  vol('hostpath2', { hostPath: { path: '/a/../b' } }),
  vol('gce', { gcePersistentDisk: { pdName: '', partition: 300 } }),
  vol('aws', { awsElasticBlockStore: { volumeID: '', partition: 300 } }),
  vol('git', { gitRepo: { repository: '', directory: '/x' } }),
  vol('git2', { gitRepo: { repository: 'x', directory: '../x' } }),
  vol('secret', {
    secret: {
      defaultMode: 1000,
      items: [
        { key: '', path: '' },
        { key: 'a', path: '/x' },
        { key: 'a', path: '../x', mode: -1 },
      ],
    },
  }),
  vol('secret ok', { secret: { secretName: 'x' } }),
  vol('configmap', { configMap: { defaultMode: -1, items: [{ key: 'a', path: '..x' }] } }),
  vol('nfs', { nfs: { server: '', path: 'x' } }),
  vol('iscsi', { iscsi: { targetPortal: '', iqn: 'x', lun: 300 } }),
  vol('iscsi2', {
    iscsi: {
      targetPortal: 'a',
      iqn: 'iqn.2001-04.com.example:storage.kube.sys1.xyz',
      lun: 0,
      chapAuthDiscovery: true,
    },
  }),
  vol('gluster', { glusterfs: { endpoints: '', path: '' } }),
  vol('pvc', { persistentVolumeClaim: { claimName: '' } }),
  vol('rbd', { rbd: { monitors: [], image: '' } }),
  vol('flex', { flexVolume: { driver: '' } }),
  vol('cinder', { cinder: { volumeID: '' } }),
  vol('ceph', { cephfs: { monitors: [] } }),
  vol('flocker', { flocker: {} }),
  vol('flocker2', { flocker: { datasetName: 'a/b', datasetUUID: 'x' } }),
  vol('downward', {
    downwardAPI: {
      items: [
        { path: '', fieldRef: { fieldPath: 'x' } },
        { path: 'a' },
        {
          path: 'b',
          fieldRef: { fieldPath: 'metadata.name' },
          resourceFieldRef: { resource: 'x' },
        },
      ],
    },
  }),
  vol('downward ok', {
    downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.labels' } }] },
  }),
  vol('fc', { fc: {} }),
  vol('fc2', { fc: { targetWWNs: ['a'], lun: 300, wwids: ['b'] } }),
  vol('azurefile', { azureFile: { secretName: '', shareName: '' } }),
  vol('azuredisk', { azureDisk: { diskName: '', diskURI: '', kind: 'Odd' } }),
  vol('azuredisk2', {
    azureDisk: { diskName: 'a', diskURI: 'https://x', kind: 'Managed', cachingMode: 'Odd' },
  }),
  vol('vsphere', { vsphereVolume: { volumePath: '' } }),
  vol('quobyte', { quobyte: { registry: '', volume: '' } }),
  vol('photon', { photonPersistentDisk: { pdID: '' } }),
  vol('portworx', { portworxVolume: { volumeID: '' } }),
  vol('scaleio', { scaleIO: { gateway: '', system: '', volumeName: '', secretRef: null } }),
  vol('storageos', { storageos: { volumeName: '' } }),
  vol('csi', { csi: { driver: '' } }),
  vol('csi2', { csi: { driver: 'A_', nodePublishSecretRef: { name: '' } } }),
  vol('ephemeral', { ephemeral: {} }),
  vol('ephemeral2', {
    ephemeral: {
      volumeClaimTemplate: { metadata: { name: 'x' }, spec: { accessModes: [], resources: {} } },
    },
  }),
  vol('image', { image: { reference: '', pullPolicy: 'Odd' } }),
  vol('projected', {
    projected: {
      sources: [
        {},
        { secret: { name: '' } },
        { serviceAccountToken: { path: '', expirationSeconds: 1 } },
        { configMap: { name: 'a', items: [{ key: 'a', path: 'x' }] }, secret: { name: 'b' } },
        { clusterTrustBundle: { path: '' } },
      ],
      defaultMode: 9999,
    },
  }),
  vol('projected dup', {
    projected: {
      sources: [
        { secret: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
        { configMap: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
      ],
    },
  }),
  pod('vol names', {
    volumes: [
      { name: 'A', emptyDir: {} },
      { name: 'v', emptyDir: {} },
      { name: 'v', emptyDir: {} },
    ],
  }),
  wh('ok', okw),
  wh('ok', { ...okw, reinvocationPolicy: 'Odd' }, 'Mutating'),
  wh('name', { ...okw, name: 'x' }),
  wh('none', { name: 'a.b.c' }),
  wh('url', { ...okw, clientConfig: { url: 'http://x' } }),
  wh('url2', { ...okw, clientConfig: { url: 'https://u:p@x?y#z' } }),
  wh('both', {
    ...okw,
    clientConfig: { url: 'https://x', service: { name: 'a', namespace: 'b' } },
  }),
  wh('service', {
    ...okw,
    clientConfig: { service: { name: '', namespace: '', path: 'x', port: 0 } },
  }),
  wh('rules', {
    ...okw,
    rules: [
      { apiGroups: [], apiVersions: [], resources: [], operations: [] },
      {
        apiGroups: ['*', 'a'],
        apiVersions: ['*', 'a'],
        resources: ['*', 'pods', 'a/b'],
        operations: ['*', 'CREATE', 'Odd'],
        scope: 'Odd',
      },
    ],
  }),
  wh('enums', {
    ...okw,
    failurePolicy: 'Odd',
    matchPolicy: 'Odd',
    sideEffects: 'Some',
    timeoutSeconds: 31,
    admissionReviewVersions: ['v2'],
  }),
  wh('versions', { ...okw, admissionReviewVersions: ['a b', 'v1', 'v1'] }),
  wh('conditions', {
    ...okw,
    matchConditions: [
      { name: '', expression: '' },
      { name: 'a', expression: 'true' },
      { name: 'a', expression: 'true' },
    ],
  }),
  wh('selector', {
    ...okw,
    namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Odd' }] },
  }),
  vap('ok', okv),
  vap('empty', {}),
  vap('none', { matchConstraints: okv.matchConstraints }),
  vap('expr', {
    ...okv,
    validations: [{ expression: '' }, { expression: 'true', reason: 'Odd', message: 'a\nb' }],
  }),
  vap('rules', { ...okv, matchConstraints: { resourceRules: [{}] } }),
  vap('kind', { ...okv, paramKind: { apiVersion: '', kind: '' } }),
  vap('policy', { ...okv, failurePolicy: 'Odd' }),
  vap('audit', { ...okv, auditAnnotations: [{ key: '', valueExpression: '' }] }),
  vap('vars', {
    ...okv,
    variables: [
      { name: 'a-b', expression: 'true' },
      { name: '', expression: '' },
    ],
  }),
  binding('empty', {}),
  binding('odd', {
    policyName: 'p',
    validationActions: ['Deny', 'Warn', 'Odd', 'Deny'],
    paramRef: {},
  }),
  claim('ok', { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } }),
  claim('faulty', { devices: { requests: faulty } }),
];
