// What makes a machine a node of a cluster: custom data with its first credentials, and the command of its script extension
// with everything else, as variables that the scripts of the image read. In: the cluster and the node. Out: both texts.
// Values are quoted for bash, so that a label or a taint is never a command.
import { reservedCpuMillis, reservedMemoryMib } from './reserved.ts';

export interface BootCluster {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly nodeResourceGroup: string;
  readonly location: string;
  /** Host, with a port where it is not 443. */
  readonly apiServer: string;
  /** PEM; empty when it is not known. */
  readonly caCertificate: string;
  readonly dnsServiceIp: string;
  readonly kubeletClientId: string;
  readonly networkPlugin: string;
}

export interface BootNode {
  readonly kubernetesVersion: string;
  readonly subnetId: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `key=value:effect` */
  readonly taints: readonly string[];
  readonly maxPods: number;
  readonly vCpus: number;
  readonly memoryGib: number;
}

export interface NodeBoot {
  /** Base64. */
  readonly customData: string;
  readonly cse: string;
}

const start = '/usr/bin/nohup /bin/bash -c "/bin/bash /opt/azure/containers/provision_start.sh"';

export function nodeBoot(cluster: BootCluster, node: BootNode, token: string): NodeBoot {
  const variables = Object.entries(variablesOf(cluster, node, token));
  const assignments = variables.map(([name, value]) => `${name}=${quoted(value)}`);
  return {
    customData: Buffer.from(cloudConfig(cluster, token)).toString('base64'),
    cse: `${assignments.join(' ')} ${start}`,
  };
}

function variablesOf(
  cluster: BootCluster,
  node: BootNode,
  token: string,
): Readonly<Record<string, string>> {
  const labels = Object.entries(node.labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    ADMINUSER: 'azureuser',
    TENANT_ID: cluster.tenantId,
    SUBSCRIPTION_ID: cluster.subscriptionId,
    RESOURCE_GROUP: cluster.nodeResourceGroup,
    LOCATION: cluster.location,
    VM_TYPE: 'standard',
    SUBNET: node.subnetId.split('/').at(-1) ?? '',
    VIRTUAL_NETWORK: node.subnetId.split('/').at(-3) ?? '',
    NETWORK_PLUGIN: cluster.networkPlugin,
    USER_ASSIGNED_IDENTITY_ID: cluster.kubeletClientId,
    KUBERNETES_VERSION: node.kubernetesVersion,
    API_SERVER_NAME: cluster.apiServer,
    KUBE_CA_CRT: Buffer.from(cluster.caCertificate).toString('base64'),
    TLS_BOOTSTRAP_TOKEN: token,
    KUBELET_FLAGS: kubeletFlags(cluster, node),
    KUBELET_NODE_LABELS: labels.map(([name, value]) => `${name}=${value}`).join(','),
  };
}

function kubeletFlags(cluster: BootCluster, node: BootNode): string {
  const flags = {
    '--cloud-provider': 'external',
    '--cluster-dns': cluster.dnsServiceIp,
    '--cluster-domain': 'cluster.local',
    '--eviction-hard': 'memory.available<100Mi,nodefs.available<10%,nodefs.inodesFree<5%',
    '--kube-reserved': `cpu=${reservedCpuMillis(node.vCpus)}m,memory=${reservedMemoryMib(node)}Mi`,
    '--max-pods': String(node.maxPods),
    '--node-status-update-frequency': '10s',
    ...(node.taints.length === 0 ? {} : { '--register-with-taints': node.taints.join(',') }),
    '--rotate-certificates': 'true',
  };
  return Object.entries(flags)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

function cloudConfig({ apiServer }: BootCluster, token: string): string {
  return `#cloud-config
write_files:
- path: /var/lib/kubelet/bootstrap-kubeconfig
  permissions: "0644"
  owner: root
  content: |
    apiVersion: v1
    kind: Config
    clusters:
    - name: localcluster
      cluster:
        certificate-authority: /etc/kubernetes/certs/ca.crt
        server: https://${apiServer}
    users:
    - name: kubelet-bootstrap
      user:
        token: "${token}"
    contexts:
    - name: bootstrap-context
      context:
        cluster: localcluster
        user: kubelet-bootstrap
    current-context: bootstrap-context
`;
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["$\\`]/g, String.raw`\$&`)}"`;
}
