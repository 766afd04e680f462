import { describe, expect, test } from 'vitest';
import { decodeCustomData } from './decode-custom-data.ts';
import type { ClusterSettings } from './node-plan.ts';
import { scriptlessCustomData } from './scriptless.ts';
import { subnetId, testCluster, testPlan, type TestNode } from './test-node.ts';

function customDataOf(node: TestNode = {}, cluster: ClusterSettings = testCluster()): string {
  const result = scriptlessCustomData(cluster, testPlan(node));
  if (!result.ok) throw new Error(result.reason);
  return result.customData;
}

function variablesOf(node: TestNode = {}, cluster: ClusterSettings = testCluster()) {
  return decodeCustomData(customDataOf(node, cluster));
}

function only(variables: Record<string, string>, ...names: string[]) {
  return names.map((name) => variables[name]);
}

const text = (base64 = '') => Buffer.from(base64, 'base64').toString();

/** Set on every node alike; the rest of the variables is compared one by one. */
const constant: Record<string, string> = {
  VM_TYPE: 'standard',
  SERVICE_PRINCIPAL_CLIENT_ID: 'msi',
  SERVICE_PRINCIPAL_FILE_CONTENT: 'bXNp',
  LOAD_BALANCER_SKU: 'Standard',
  LOAD_BALANCER_DISABLE_OUTBOUND_SNAT: 'false',
  EXCLUDE_MASTER_FROM_STANDARD_LB: 'true',
  MAXIMUM_LOADBALANCER_RULE_COUNT: '250',
  CLOUDPROVIDER_BACKOFF: 'true',
  CLOUDPROVIDER_BACKOFF_MODE: 'v2',
  CLOUDPROVIDER_BACKOFF_RETRIES: '6',
  CLOUDPROVIDER_BACKOFF_EXPONENT: '0',
  CLOUDPROVIDER_BACKOFF_DURATION: '5',
  CLOUDPROVIDER_BACKOFF_JITTER: '0',
  CLOUDPROVIDER_RATELIMIT: 'true',
  CLOUDPROVIDER_RATELIMIT_QPS: '10',
  CLOUDPROVIDER_RATELIMIT_QPS_WRITE: '10',
  CLOUDPROVIDER_RATELIMIT_BUCKET: '100',
  CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE: '100',
  USE_MANAGED_IDENTITY_EXTENSION: 'true',
  USE_INSTANCE_METADATA: 'true',
  CONTAINER_RUNTIME: 'containerd',
  CLI_TOOL: 'ctr',
  NEEDS_CONTAINERD: 'true',
  IS_VHD: 'true',
  NEEDS_CGROUPV2: 'true',
  KUBELET_CONFIG_FILE_ENABLED: 'false',
  ENABLE_TLS_BOOTSTRAPPING: 'true',
  ENABLE_SECURE_TLS_BOOTSTRAPPING: 'false',
  ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION: 'false',
  DISABLE_SSH: 'false',
  ENABLE_IMDS_RESTRICTION: 'false',
  INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE: 'false',
  CSE_HELPERS_FILEPATH: '/opt/azure/containers/provision_source.sh',
  CSE_DISTRO_HELPERS_FILEPATH: '/opt/azure/containers/provision_source_distro.sh',
  CSE_INSTALL_FILEPATH: '/opt/azure/containers/provision_installs.sh',
  CSE_DISTRO_INSTALL_FILEPATH: '/opt/azure/containers/provision_installs_distro.sh',
  CSE_CONFIG_FILEPATH: '/opt/azure/containers/provision_configs.sh',
  CUSTOM_SEARCH_DOMAIN_FILEPATH: '/opt/azure/containers/setup-custom-search-domains.sh',
  OUTBOUND_COMMAND: 'curl -v --insecure --proxy-insecure https://mcr.microsoft.com/v2/',
  MCR_REPOSITORY_BASE: 'mcr.microsoft.com',
  CSE_TIMEOUT: '15m',
  LOCALDNS_CPU_LIMIT: '200.0%',
  LOCALDNS_MEMORY_LIMIT: '128M',
};

const silent = `MOBY_VERSION HYPERKUBE_URL CUSTOM_KUBE_BINARY_URL KUBEPROXY_URL APISERVER_PUBLIC_KEY
  PRIMARY_AVAILABILITY_SET PRIMARY_SCALE_SET CONTAINERD_DOWNLOAD_URL_BASE NETWORK_MODE SGX_NODE MIG_NODE
  ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED TELEPORTD_PLUGIN_DOWNLOAD_URL TELEPORT_ENABLED CONTAINERD_VERSION
  CONTAINERD_PACKAGE_URL RUNC_VERSION RUNC_PACKAGE_URL ENABLE_HOSTS_CONFIG_AGENT SHOULD_CONFIGURE_HTTP_PROXY
  SHOULD_CONFIGURE_HTTP_PROXY_CA HTTP_PROXY_TRUSTED_CA HTTP_PROXY_URLS HTTPS_PROXY_URLS NO_PROXY_URLS
  SHOULD_CONFIGURE_CUSTOM_CA_TRUST IS_KRUSTLET GPU_NEEDS_FABRIC_MANAGER NEEDS_DOCKER_LOGIN IPV6_DUAL_STACK_ENABLED
  ENABLE_UNATTENDED_UPGRADES ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE SHOULD_CONFIG_SWAP_FILE
  SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE THP_ENABLED THP_DEFRAG CUSTOM_ENV_JSON IS_CUSTOM_CLOUD
  AZURE_PRIVATE_REGISTRY_SERVER HAS_CUSTOM_SEARCH_DOMAIN CUSTOM_SEARCH_DOMAIN_NAME CUSTOM_SEARCH_REALM_USER
  CUSTOM_SEARCH_REALM_PASSWORD DHCPV6_SERVICE_FILEPATH DHCPV6_CONFIG_FILEPATH KUBELET_CLIENT_CONTENT
  KUBELET_CLIENT_CERT_CONTENT KUBELET_CONFIG_FILE_CONTENT GPU_INSTANCE_PROFILE MESSAGE_OF_THE_DAY
  HAS_KUBELET_DISK_TYPE AZURE_ENVIRONMENT_FILEPATH IS_KATA GPU_NODE CONFIG_GPU_DRIVER_IF_NEEDED GPU_DRIVER_TYPE
  GPU_DRIVER_VERSION GPU_IMAGE_SHA ARTIFACT_STREAMING_ENABLED SHOULD_ENABLE_LOCALDNS
  LOCALDNS_GENERATED_COREFILE`.split(/\s+/);

describe('the custom data of a plain node', () => {
  test('says this and nothing else', () => {
    const variables = variablesOf();
    const {
      KUBELET_FLAGS: flags,
      KUBELET_NODE_LABELS: labels,
      CONTAINERD_CONFIG_CONTENT: containerd,
      SYSCTL_CONTENT: sysctls,
      ...rest
    } = variables;
    for (const name of silent) {
      expect(['', 'false'], name).toContain(rest[name]);
      delete rest[name];
    }
    expect(rest).toEqual({
      ...constant,
      ADMINUSER: 'azureuser',
      TENANT_ID: 'tenant-1',
      SUBSCRIPTION_ID: 'sub-1',
      RESOURCE_GROUP: 'MC_group_cluster',
      LOCATION: 'southcentralus',
      KUBERNETES_VERSION: '1.33.2',
      API_SERVER_NAME: 'cluster-1.hcp.southcentralus.azmk8s.io',
      USER_ASSIGNED_IDENTITY_ID: 'identity-1',
      KUBE_CA_CRT: 'Y2E=',
      TLS_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
      TARGET_CLOUD: 'AzurePublicCloud',
      TARGET_ENVIRONMENT: 'AzurePublicCloud',
      SUBNET: 'aks-subnet',
      VIRTUAL_NETWORK: 'aks-vnet-12345678',
      VIRTUAL_NETWORK_RESOURCE_GROUP: 'net-group',
      NETWORK_SECURITY_GROUP: 'aks-agentpool-12345678-nsg',
      ROUTE_TABLE: 'aks-agentpool-12345678-routetable',
      NETWORK_PLUGIN: 'none',
      NETWORK_POLICY: 'cilium',
      KUBE_BINARY_URL:
        'https://acs-mirror.azureedge.net/kubernetes/v1.33.2/binaries/kubernetes-node-linux-amd64.tar.gz',
      CREDENTIAL_PROVIDER_DOWNLOAD_URL:
        'https://acs-mirror.azureedge.net/cloud-provider-azure/v1.33.0/binaries/azure-acr-credential-provider-linux-amd64-v1.33.0.tar.gz',
      VNET_CNI_PLUGINS_URL:
        'https://acs-mirror.azureedge.net/azure-cni/v1.4.32/binaries/azure-vnet-cni-linux-amd64-v1.4.32.tgz',
      CNI_PLUGINS_URL:
        'https://acs-mirror.azureedge.net/cni-plugins/v1.1.1/binaries/cni-plugins-linux-amd64-v1.1.1.tgz',
      SWAP_FILE_SIZE_MB: '0',
      CUSTOM_CA_TRUST_COUNT: '0',
    });
    expect(flags?.split(' ')).toContain(
      '--register-with-taints=karpenter.sh/unregistered:NoExecute',
    );
    expect(flags?.split(' ')).toContain('--max-pods=250');
    expect(labels?.split(',')).toContain('karpenter.sh/nodepool=default');
    expect(text(containerd)).toContain('default_runtime_name = "runc"');
    expect(text(sysctls)).toContain('net.core.somaxconn=16384\n');
  });

  test('is the same, byte for byte, every time', () => {
    expect(customDataOf()).toBe(customDataOf());
  });

  test('is plain base64 of a bash script', () => {
    expect(text(customDataOf()).startsWith('#!/bin/bash\n')).toBe(true);
  });
});

describe('the custom data of a node', () => {
  test('knows the system user that the machine has', () => {
    expect(variablesOf({}, testCluster({ adminUsername: 'admin' }))['ADMINUSER']).toBe('admin');
  });

  test('knows the subnet of its class', () => {
    const vnetSubnetID = subnetId.replace('aks-subnet', 'other').replace('net-group', 'own');
    const variables = variablesOf({ spec: { vnetSubnetID } });
    expect(only(variables, 'SUBNET', 'VIRTUAL_NETWORK_RESOURCE_GROUP')).toEqual(['other', 'own']);
  });

  test("uses the cluster's DNS and the pods of its network", () => {
    const network = { dnsServiceIp: '10.20.0.10', pluginMode: '', dataplane: 'azure' } as const;
    const variables = variablesOf({}, testCluster({ network }));
    expect(variables['NETWORK_PLUGIN']).toBe('azure');
    expect(variables['KUBELET_FLAGS']).toContain('--cluster-dns=10.20.0.10 ');
    expect(variables['KUBELET_FLAGS']).toContain('--max-pods=30 ');
  });

  test('installs the driver of its GPUs', () => {
    const variables = variablesOf({
      size: 'Standard_NC24ads_A100_v4',
      gpu: 'A100',
    });
    const names = [
      'GPU_NODE',
      'CONFIG_GPU_DRIVER_IF_NEEDED',
      'GPU_DRIVER_TYPE',
      'GPU_DRIVER_VERSION',
      'GPU_IMAGE_SHA',
    ];
    expect(only(variables, ...names)).toEqual([
      'true',
      'true',
      'cuda-lts',
      '580.159.04',
      '20260629214430',
    ]);
    expect(text(variables['CONTAINERD_CONFIG_CONTENT'])).toContain('nvidia-container-runtime');
  });

  test('sets up the switches between eight GPUs, unless the driver is left to others', () => {
    const node = { size: 'Standard_ND96isr_H100_v5', gpu: 'H100' };
    const none = { ...node, spec: { gpu: { mode: 'None' } } } as const;
    const name = 'GPU_NEEDS_FABRIC_MANAGER';
    expect([variablesOf(node)[name], variablesOf(none)[name]]).toEqual(['true', 'false']);
  });

  test('is that of a node without GPUs when the driver is left to others', () => {
    const variables = variablesOf({
      size: 'Standard_NC24ads_A100_v4',
      gpu: 'A100',
      spec: { gpu: { mode: 'None' } },
    });
    expect(only(variables, 'GPU_NODE', 'CONFIG_GPU_DRIVER_IF_NEEDED', 'GPU_DRIVER_TYPE')).toEqual([
      'false',
      'false',
      '',
    ]);
    expect(text(variables['CONTAINERD_CONFIG_CONTENT'])).not.toContain('nvidia');
  });

  test('downloads for its architecture', () => {
    const variables = variablesOf({
      size: 'Standard_D4ps_v5',
      architecture: 'arm64' as const,
    });
    const urls = only(
      variables,
      'KUBE_BINARY_URL',
      'CREDENTIAL_PROVIDER_DOWNLOAD_URL',
      'VNET_CNI_PLUGINS_URL',
      'CNI_PLUGINS_URL',
    );
    expect(urls.map((url) => url?.includes('-arm64'))).toEqual([true, true, true, true]);
  });

  test('sets up swap and huge pages', () => {
    const linuxOSConfig = {
      swapFileSize: '2Gi',
      transparentHugePageEnabled: 'madvise',
      transparentHugePageDefrag: 'never',
      sysctls: { vmSwappiness: 10 },
    } as const;
    const variables = variablesOf({ spec: { linuxOSConfig } });
    expect(
      only(
        variables,
        'SHOULD_CONFIG_SWAP_FILE',
        'SWAP_FILE_SIZE_MB',
        'SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE',
        'THP_ENABLED',
        'THP_DEFRAG',
      ),
    ).toEqual(['true', '2048', 'true', 'madvise', 'never']);
    expect(text(variables['SYSCTL_CONTENT'])).toContain('vm.swappiness=10\n');
  });

  const root = {
    zone: '.',
    queryLogging: 'Error',
    protocol: 'PreferUDP',
    forwardDestination: 'VnetDNS',
    forwardPolicy: 'Sequential',
    maxConcurrent: 1000,
    cacheDuration: '1h',
    serveStaleDuration: '1h',
    serveStale: 'Verify',
  } as const;
  const cluster = { ...root, zone: 'cluster.local', forwardDestination: 'ClusterCoreDNS' } as const;
  const zones = [root, cluster];
  const localDNS = { mode: 'Preferred', vnetDNSOverrides: zones, kubeDNSOverrides: zones } as const;

  test('brings a DNS cache, through which pods ask', () => {
    const variables = variablesOf({ spec: { localDNS }, status: { localDNSState: 'Enabled' } });
    expect(variables['SHOULD_ENABLE_LOCALDNS']).toBe('true');
    expect(text(variables['LOCALDNS_GENERATED_COREFILE'])).toContain('forward . 10.0.0.10');
    expect(variables['KUBELET_FLAGS']).toContain('--cluster-dns=169.254.10.11 ');
  });

  test('brings none as long as the class has not decided on it', () => {
    const variables = variablesOf({ spec: { localDNS }, status: { localDNSState: 'Disabled' } });
    expect(only(variables, 'SHOULD_ENABLE_LOCALDNS', 'LOCALDNS_GENERATED_COREFILE')).toEqual([
      'false',
      '',
    ]);
    expect(variables['KUBELET_FLAGS']).toContain('--cluster-dns=10.0.0.10 ');
  });

  test('fits with a hundred zones in each list', () => {
    const many = [
      ...zones,
      ...Array.from({ length: 98 }, (_, i) => ({ ...root, zone: `z${i}.example.com` })),
    ];
    const spec = {
      localDNS: { mode: 'Required', vnetDNSOverrides: many, kubeDNSOverrides: many },
    } as const;
    const node = { spec, status: { localDNSState: 'Enabled' } } as const;
    expect(Buffer.from(customDataOf(node), 'base64').length).toBeLessThan(65_536);
    expect(text(variablesOf(node)['LOCALDNS_GENERATED_COREFILE'])).toContain('z97.example.com:53');
  });

  test('streams images', () => {
    const variables = variablesOf({ spec: { artifactStreaming: { enabled: true } } });
    expect(variables['ARTIFACT_STREAMING_ENABLED']).toBe('true');
    expect(text(variables['CONTAINERD_CONFIG_CONTENT'])).toContain('overlaybd');
  });

  test('trusts what the cluster trusts and goes through its proxy', () => {
    const trust = {
      customCaCertificates: ['Y2VydDE=', 'Y2VydDI='],
      httpProxy: {
        httpUrl: 'http://proxy:8080',
        httpsUrl: 'https://proxy:8443',
        noProxy: ['localhost', '10.0.0.0/8'],
        trustedCa: 'Y2E=',
      },
    };
    expect(variablesOf({}, testCluster({ trust }))).toMatchObject({
      SHOULD_CONFIGURE_CUSTOM_CA_TRUST: 'true',
      CUSTOM_CA_TRUST_COUNT: '2',
      CUSTOM_CA_CERT_0: 'Y2VydDE=',
      CUSTOM_CA_CERT_1: 'Y2VydDI=',
      SHOULD_CONFIGURE_HTTP_PROXY: 'true',
      SHOULD_CONFIGURE_HTTP_PROXY_CA: 'true',
      HTTP_PROXY_TRUSTED_CA: 'Y2E=',
      HTTP_PROXY_URLS: 'http://proxy:8080',
      HTTPS_PROXY_URLS: 'https://proxy:8443',
      NO_PROXY_URLS: 'localhost,10.0.0.0/8',
      PROXY_VARS:
        'export NO_PROXY="localhost,10.0.0.0/8"; export HTTPS_PROXY="https://proxy:8443"; export http_proxy="http://proxy:8080";',
    });
  });

  test.each(['AzureChinaCloud', 'AzureUSGovernmentCloud'])('names its cloud, %s', (cloud) => {
    const variables = variablesOf({}, testCluster({ cloud }));
    expect(only(variables, 'TARGET_CLOUD', 'TARGET_ENVIRONMENT')).toEqual([cloud, cloud]);
  });

  test('does not exist for a cloud that images do not know', () => {
    expect(scriptlessCustomData(testCluster({ cloud: 'MyStack' }), testPlan())).toEqual({
      ok: false,
      reason: expect.stringContaining('MyStack'),
    });
  });
});
