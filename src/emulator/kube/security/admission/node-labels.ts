// Which labels a kubelet may put on its own node. In: label keys. Out: those that it may not touch, sorted.
// A node that could label itself freely could draw workloads that are not meant for it.

const restrictionNamespace = 'node-restriction.kubernetes.io';
const kubeletNamespaces = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const kubernetesNamespaces = ['kubernetes.io', 'k8s.io'];

const kubeletLabels = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);

type Labels = Readonly<Record<string, string>>;

export function forbiddenLabelChanges(labels: Labels, before: Labels): readonly string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(before)]);
  return [...keys]
    .filter((key) => labels[key] !== before[key] && !isAllowed(key))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

function isAllowed(key: string): boolean {
  const slash = key.indexOf('/');
  const namespace = slash === -1 ? '' : key.slice(0, slash);
  if (isWithin(namespace, restrictionNamespace)) return false;
  if (!kubernetesNamespaces.some((parent) => isWithin(namespace, parent))) return true;
  if (kubeletLabels.has(key)) return true;
  return kubeletNamespaces.some((parent) => isWithin(namespace, parent));
}

function isWithin(namespace: string, parent: string): boolean {
  return namespace === parent || namespace.endsWith(`.${parent}`);
}
