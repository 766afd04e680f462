// The variables that the scripts on an AKS node image read. In: the cluster and what was chosen for the node. Out: name
// and value, in a fixed order. Those that say nothing are there as well, empty or false: the scripts ask for them all.
import {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  type LocalDns,
  specOf,
} from '../../api/aks-node-class.ts';
import { containerdConfig } from './containerd-config.ts';
import { azureCniUrl, cniPluginsUrl, credentialProviderUrl, kubeBinaryUrl } from './downloads.ts';
import { gpuDriverFor, needsFabricManager } from './gpu-driver.ts';
import { imageVariables } from './image-variables.ts';
import { kubeletFlags } from './kubelet-flags.ts';
import { clusterListener, localDnsCorefile } from './local-dns-corefile.ts';
import { imageNetworkPlugin, maxPodsOf } from './network-mode.ts';
import { kubeletLabels } from './node-labels.ts';
import {
  architectureOf,
  type ClusterSettings,
  type NodePlan,
  type NodeTrust,
  isArtifactStreamingOn,
  isLocalDnsEnabled,
} from './node-plan.ts';
import { allTaintsOf } from './node-taints.ts';
import { parseSubnetId } from './subnet-id.ts';
import { sysctlConfig } from './sysctl-config.ts';
import { toMegabytes } from './wire-values.ts';

export type Variables = Readonly<Record<string, string>>;

export function bootVariables(cluster: ClusterSettings, plan: NodePlan): Variables {
  const spec = specOf(plan.nodeClass);
  return {
    ...imageVariables,
    ...clusterVariables(cluster, plan),
    ...networkVariables(cluster, spec),
    ...downloadVariables(plan),
    ...runtimeVariables(spec, plan),
    ...linuxVariables(spec),
    ...localDnsVariables(cluster, plan),
    ...trustVariables(cluster.trust ?? {}),
    ...kubeletVariables(cluster, spec, plan),
  };
}

function clusterVariables(cluster: ClusterSettings, plan: NodePlan): Variables {
  return {
    ADMINUSER: cluster.adminUsername,
    TENANT_ID: cluster.tenantId,
    SUBSCRIPTION_ID: cluster.subscriptionId,
    RESOURCE_GROUP: cluster.nodeResourceGroup,
    LOCATION: cluster.location,
    KUBERNETES_VERSION: plan.kubernetesVersion,
    API_SERVER_NAME: cluster.apiServerName,
    USER_ASSIGNED_IDENTITY_ID: cluster.kubeletIdentityClientId,
    KUBE_CA_CRT: cluster.certificateAuthority,
    TLS_BOOTSTRAP_TOKEN: cluster.bootstrapToken,
    TARGET_CLOUD: cluster.cloud,
    TARGET_ENVIRONMENT: cluster.cloud,
  };
}

function networkVariables({ network }: ClusterSettings, spec: AKSNodeClassSpec): Variables {
  const subnet = parseSubnetId(spec.vnetSubnetID ?? network.subnetId);
  const clusterId = /\d{8}/.exec(network.networkSecurityGroup)?.[0] ?? '';
  return {
    SUBNET: subnet?.subnet ?? '',
    VIRTUAL_NETWORK: subnet?.virtualNetwork ?? '',
    VIRTUAL_NETWORK_RESOURCE_GROUP: subnet?.resourceGroup ?? '',
    NETWORK_SECURITY_GROUP: network.networkSecurityGroup,
    ROUTE_TABLE: `aks-agentpool-${clusterId}-routetable`,
    NETWORK_PLUGIN: imageNetworkPlugin(network),
    NETWORK_POLICY: network.policy,
  };
}

function downloadVariables(plan: NodePlan): Variables {
  const architecture = architectureOf(plan);
  return {
    KUBE_BINARY_URL: kubeBinaryUrl(plan.kubernetesVersion, architecture),
    CREDENTIAL_PROVIDER_DOWNLOAD_URL: credentialProviderUrl(plan.kubernetesVersion, architecture),
    VNET_CNI_PLUGINS_URL: azureCniUrl(architecture),
    CNI_PLUGINS_URL: cniPluginsUrl(architecture),
  };
}

/** A GPU without our driver is no GPU node: the image would configure a runtime that is not there. */
function runtimeVariables(spec: AKSNodeClassSpec, plan: NodePlan): Variables {
  const { name } = plan.instanceType;
  const driver = gpuDriverFor(name, spec.gpu?.mode !== 'None');
  const artifactStreaming = isArtifactStreamingOn(plan);
  const containerd = containerdConfig({ nvidia: driver !== undefined, artifactStreaming });
  return {
    CONTAINERD_CONFIG_CONTENT: base64(containerd),
    ARTIFACT_STREAMING_ENABLED: String(artifactStreaming),
    GPU_NODE: String(driver !== undefined),
    CONFIG_GPU_DRIVER_IF_NEEDED: String(driver !== undefined),
    GPU_NEEDS_FABRIC_MANAGER: String(driver !== undefined && needsFabricManager(name)),
    GPU_DRIVER_TYPE: driver?.type ?? '',
    GPU_DRIVER_VERSION: driver?.version ?? '',
    GPU_IMAGE_SHA: driver?.imageSuffix ?? '',
  };
}

function linuxVariables({ linuxOSConfig: linux = {} }: AKSNodeClassSpec): Variables {
  const swapMegabytes =
    linux.swapFileSize === undefined ? 0 : (toMegabytes(linux.swapFileSize) ?? 0);
  const { transparentHugePageEnabled = '', transparentHugePageDefrag = '' } = linux;
  const hasHugePages = transparentHugePageEnabled !== '' || transparentHugePageDefrag !== '';
  return {
    SYSCTL_CONTENT: base64(sysctlConfig(linux.sysctls)),
    SHOULD_CONFIG_SWAP_FILE: String(swapMegabytes > 0),
    SWAP_FILE_SIZE_MB: String(swapMegabytes),
    SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE: String(hasHugePages),
    THP_ENABLED: transparentHugePageEnabled,
    THP_DEFRAG: transparentHugePageDefrag,
  };
}

function localDnsVariables({ network }: ClusterSettings, { nodeClass }: NodePlan): Variables {
  const localDns = activeLocalDns(nodeClass);
  if (localDns === undefined) return {};
  return {
    SHOULD_ENABLE_LOCALDNS: 'true',
    LOCALDNS_GENERATED_COREFILE: base64(localDnsCorefile(localDns, network.dnsServiceIp)),
  };
}

function activeLocalDns(nodeClass: AKSNodeClass): LocalDns | undefined {
  return isLocalDnsEnabled(nodeClass) ? specOf(nodeClass).localDNS : undefined;
}

function trustVariables({ customCaCertificates = [], httpProxy }: NodeTrust): Variables {
  const certificates = customCaCertificates.map((text, i) => [`CUSTOM_CA_CERT_${i}`, text]);
  return {
    SHOULD_CONFIGURE_CUSTOM_CA_TRUST: String(certificates.length > 0),
    CUSTOM_CA_TRUST_COUNT: String(certificates.length),
    ...Object.fromEntries(certificates),
    ...(httpProxy !== undefined && proxyVariables(httpProxy)),
  };
}

function proxyVariables(proxy: NonNullable<NodeTrust['httpProxy']>): Variables {
  const exported = {
    NO_PROXY: proxy.noProxy.join(),
    HTTPS_PROXY: proxy.httpsUrl,
    http_proxy: proxy.httpUrl,
  };
  return {
    SHOULD_CONFIGURE_HTTP_PROXY: 'true',
    SHOULD_CONFIGURE_HTTP_PROXY_CA: String(proxy.trustedCa !== ''),
    HTTP_PROXY_TRUSTED_CA: proxy.trustedCa,
    HTTP_PROXY_URLS: proxy.httpUrl,
    HTTPS_PROXY_URLS: proxy.httpsUrl,
    NO_PROXY_URLS: proxy.noProxy.join(),
    // Run by the scripts before they try whether the node gets out.
    PROXY_VARS: Object.entries(exported)
      .map(([name, value]) => `export ${name}="${value}";`)
      .join(' '),
  };
}

function kubeletVariables(
  cluster: ClusterSettings,
  spec: AKSNodeClassSpec,
  plan: NodePlan,
): Variables {
  const hasLocalDns = activeLocalDns(plan.nodeClass) !== undefined;
  const flags = kubeletFlags({
    kubernetesVersion: plan.kubernetesVersion,
    taints: allTaintsOf(plan.nodeClaim),
    maxPods: maxPodsOf(spec, cluster.network),
    // Pods ask the cache on their node, and the cache asks the cluster.
    clusterDns: hasLocalDns ? clusterListener : cluster.network.dnsServiceIp,
    overhead: plan.instanceType.overhead,
    kubelet: spec.kubelet,
  });
  const labels = Object.entries(kubeletLabels(cluster, plan)).map(
    ([key, value]) => `${key}=${value}`,
  );
  return { KUBELET_FLAGS: flags, KUBELET_NODE_LABELS: labels.join() };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
