// Every field of every kind, written out once more: a field that is added, lost, loosened or tightened has
// to be so in both places. `!` after the type: required. Patterns that are long or shared are
// named below the tables.
import { expect, test } from 'vitest';
import { definitions } from './definitions.ts';
import { fieldTable } from './field-table.ts';

// path | type | default | constraints
const expected: Readonly<Record<string, string>> = {
  NodePool: String.raw`
    spec.template | object! |  |
    spec.template.metadata | object |  |
    spec.template.metadata.labels | map |  | at most 100 entries; replaced as a whole
    spec.template.metadata.labels{} | string |  | at most 63 characters; matches @labelValue
    spec.template.metadata.annotations | map |  |
    spec.template.metadata.annotations{} | string |  |
    spec.template.spec | object! |  |
    spec.template.spec.nodeClassRef | object! |  |
    spec.template.spec.nodeClassRef.group | string! |  | matches ^[^/]*$
    spec.template.spec.nodeClassRef.kind | string! |  |
    spec.template.spec.nodeClassRef.name | string! |  |
    spec.template.spec.requirements | list! |  | at most 100 items; replaced as a whole
    spec.template.spec.requirements[] | object |  |
    spec.template.spec.requirements[].key | string! |  | at most 316 characters; matches @qualifiedName
    spec.template.spec.requirements[].operator | string! |  | one of Gte, Lte, In, NotIn, Exists, DoesNotExist, Gt, Lt
    spec.template.spec.requirements[].values | list |  | replaced as a whole
    spec.template.spec.requirements[].values[] | string |  |
    spec.template.spec.requirements[].minValues | integer |  | 1 to 50
    spec.template.spec.taints | list |  | replaced as a whole
    spec.template.spec.taints[] | object |  |
    spec.template.spec.taints[].key | string! |  | at least 1 character; matches @qualifiedName
    spec.template.spec.taints[].value | string |  | matches @qualifiedName
    spec.template.spec.taints[].effect | string! |  | one of NoSchedule, PreferNoSchedule, NoExecute
    spec.template.spec.taints[].timeAdded | string (date-time) |  |
    spec.template.spec.startupTaints | list |  | replaced as a whole
    spec.template.spec.startupTaints[] | object |  |
    spec.template.spec.startupTaints[].key | string! |  | at least 1 character; matches @qualifiedName
    spec.template.spec.startupTaints[].value | string |  | matches @qualifiedName
    spec.template.spec.startupTaints[].effect | string! |  | one of NoSchedule, PreferNoSchedule, NoExecute
    spec.template.spec.startupTaints[].timeAdded | string (date-time) |  |
    spec.template.spec.expireAfter | string | "720h" | matches @durationOrNever
    spec.template.spec.terminationGracePeriod | string |  | matches @duration
    spec.disruption | object | {"consolidateAfter":"0s"} |
    spec.disruption.consolidateAfter | string! |  | matches @durationOrNever
    spec.disruption.consolidationPolicy | string | "WhenEmptyOrUnderutilized" | one of WhenEmpty, WhenEmptyOrUnderutilized, Balanced
    spec.disruption.budgets | list | [{"nodes":"10%"}] | at most 50 items; replaced as a whole
    spec.disruption.budgets[] | object |  |
    spec.disruption.budgets[].nodes | string! | "10%" | matches ^((100|[0-9]{1,2})%|[0-9]+)$
    spec.disruption.budgets[].reasons | list |  | at most 50 items; no element twice
    spec.disruption.budgets[].reasons[] | string |  | one of Underutilized, Empty, Drifted
    spec.disruption.budgets[].schedule | string |  | matches @schedule
    spec.disruption.budgets[].duration | string |  | matches ^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$
    spec.limits | map |  |
    spec.limits{} | quantity |  |
    spec.weight | integer (int32) |  | 1 to 100
    spec.replicas | integer (int64) |  | at least 0
    status.resources | map |  |
    status.resources{} | quantity |  |
    status.nodes | integer (int64) | 0 |
    status.nodeClassObservedGeneration | integer (int64) |  |
    status.conditions | list |  | unique by type
    status.conditions[] | object |  |
    status.conditions[].type | string! |  | at most 316 characters; matches @conditionType
    status.conditions[].status | string! |  | one of True, False, Unknown
    status.conditions[].observedGeneration | integer (int64) |  | at least 0
    status.conditions[].lastTransitionTime | string (date-time)! |  |
    status.conditions[].reason | string! |  | 1 to 1024 characters; matches @reason
    status.conditions[].message | string! |  | at most 32768 characters
  `,
  NodeClaim: String.raw`
    spec.nodeClassRef | object! |  |
    spec.nodeClassRef.group | string! |  | matches ^[^/]*$
    spec.nodeClassRef.kind | string! |  |
    spec.nodeClassRef.name | string! |  |
    spec.requirements | list! |  | at most 100 items; replaced as a whole
    spec.requirements[] | object |  |
    spec.requirements[].key | string! |  | at most 316 characters; matches @qualifiedName
    spec.requirements[].operator | string! |  | one of Gte, Lte, In, NotIn, Exists, DoesNotExist, Gt, Lt
    spec.requirements[].values | list |  | replaced as a whole
    spec.requirements[].values[] | string |  |
    spec.requirements[].minValues | integer |  | 1 to 50
    spec.taints | list |  | replaced as a whole
    spec.taints[] | object |  |
    spec.taints[].key | string! |  | at least 1 character; matches @qualifiedName
    spec.taints[].value | string |  | matches @qualifiedName
    spec.taints[].effect | string! |  | one of NoSchedule, PreferNoSchedule, NoExecute
    spec.taints[].timeAdded | string (date-time) |  |
    spec.startupTaints | list |  | replaced as a whole
    spec.startupTaints[] | object |  |
    spec.startupTaints[].key | string! |  | at least 1 character; matches @qualifiedName
    spec.startupTaints[].value | string |  | matches @qualifiedName
    spec.startupTaints[].effect | string! |  | one of NoSchedule, PreferNoSchedule, NoExecute
    spec.startupTaints[].timeAdded | string (date-time) |  |
    spec.resources | object |  |
    spec.resources.requests | map |  |
    spec.resources.requests{} | quantity |  |
    spec.expireAfter | string | "720h" | matches @durationOrNever
    spec.terminationGracePeriod | string |  | matches @duration
    status.nodeName | string |  |
    status.providerID | string |  |
    status.imageID | string |  |
    status.capacity | map |  |
    status.capacity{} | quantity |  |
    status.allocatable | map |  |
    status.allocatable{} | quantity |  |
    status.lastPodEventTime | string (date-time) |  |
    status.conditions | list |  | unique by type
    status.conditions[] | object |  |
    status.conditions[].type | string! |  | at most 316 characters; matches @conditionType
    status.conditions[].status | string! |  | one of True, False, Unknown
    status.conditions[].observedGeneration | integer (int64) |  | at least 0
    status.conditions[].lastTransitionTime | string (date-time)! |  |
    status.conditions[].reason | string |  | at most 1024 characters; matches @lenientReason
    status.conditions[].message | string |  | at most 32768 characters
  `,
  AKSNodeClass: String.raw`
    spec.vnetSubnetID | string |  | matches @subnet
    spec.osDiskSizeGB | integer (int32) | 128 | 30 to 2048
    spec.imageFamily | string | "Ubuntu" | one of Ubuntu, Ubuntu2204, Ubuntu2404, AzureLinux
    spec.fipsMode | string |  | one of FIPS, Disabled
    spec.tags | map |  |
    spec.tags{} | string |  |
    spec.maxPods | integer (int32) |  | 10 to 250
    spec.kubelet | object |  |
    spec.kubelet.cpuManagerPolicy | string | "none" | one of none, static
    spec.kubelet.cpuCFSQuota | boolean | true |
    spec.kubelet.cpuCFSQuotaPeriod | string | "100ms" |
    spec.kubelet.imageGCHighThresholdPercent | integer (int32) |  | 0 to 100
    spec.kubelet.imageGCLowThresholdPercent | integer (int32) |  | 0 to 100
    spec.kubelet.topologyManagerPolicy | string | "none" | one of restricted, best-effort, none, single-numa-node
    spec.kubelet.allowedUnsafeSysctls | list |  |
    spec.kubelet.allowedUnsafeSysctls[] | string |  |
    spec.kubelet.containerLogMaxSize | string | "50Mi" | matches @size
    spec.kubelet.containerLogMaxFiles | integer (int32) | 5 | at least 2
    spec.kubelet.podPidsLimit | integer (int64) |  |
    spec.kubelet.failSwapOn | boolean |  |
    spec.security | object |  |
    spec.security.encryptionAtHost | boolean |  |
    spec.security.trustedLaunch | object |  |
    spec.security.trustedLaunch.secureBoot | boolean |  |
    spec.security.trustedLaunch.vtpm | boolean |  |
    spec.localDNS | object |  |
    spec.localDNS.mode | string! |  | one of Preferred, Required, Disabled
    spec.localDNS.vnetDNSOverrides | list! |  | at most 100 items; unique by zone
    spec.localDNS.vnetDNSOverrides[] | object |  |
    spec.localDNS.vnetDNSOverrides[].zone | string! |  | 1 to 254 characters; matches @zone
    spec.localDNS.vnetDNSOverrides[].queryLogging | string! |  | one of Error, Log
    spec.localDNS.vnetDNSOverrides[].protocol | string! |  | one of PreferUDP, ForceTCP
    spec.localDNS.vnetDNSOverrides[].forwardDestination | string! |  | one of ClusterCoreDNS, VnetDNS
    spec.localDNS.vnetDNSOverrides[].forwardPolicy | string! |  | one of Sequential, RoundRobin, Random
    spec.localDNS.vnetDNSOverrides[].maxConcurrent | integer (int32)! |  | at least 0
    spec.localDNS.vnetDNSOverrides[].cacheDuration | string! |  | matches @duration
    spec.localDNS.vnetDNSOverrides[].serveStaleDuration | string! |  | matches @duration
    spec.localDNS.vnetDNSOverrides[].serveStale | string! |  | one of Verify, Immediate, Disable
    spec.localDNS.kubeDNSOverrides | list! |  | at most 100 items; unique by zone
    spec.localDNS.kubeDNSOverrides[] | object |  |
    spec.localDNS.kubeDNSOverrides[].zone | string! |  | 1 to 254 characters; matches @zone
    spec.localDNS.kubeDNSOverrides[].queryLogging | string! |  | one of Error, Log
    spec.localDNS.kubeDNSOverrides[].protocol | string! |  | one of PreferUDP, ForceTCP
    spec.localDNS.kubeDNSOverrides[].forwardDestination | string! |  | one of ClusterCoreDNS, VnetDNS
    spec.localDNS.kubeDNSOverrides[].forwardPolicy | string! |  | one of Sequential, RoundRobin, Random
    spec.localDNS.kubeDNSOverrides[].maxConcurrent | integer (int32)! |  | at least 0
    spec.localDNS.kubeDNSOverrides[].cacheDuration | string! |  | matches @duration
    spec.localDNS.kubeDNSOverrides[].serveStaleDuration | string! |  | matches @duration
    spec.localDNS.kubeDNSOverrides[].serveStale | string! |  | one of Verify, Immediate, Disable
    spec.gpu | object |  |
    spec.gpu.mode | string | "Driver" | one of Driver, None
    spec.artifactStreaming | object |  |
    spec.artifactStreaming.enabled | boolean |  |
    spec.linuxOSConfig | object |  |
    spec.linuxOSConfig.swapFileSize | string |  | matches @size
    spec.linuxOSConfig.sysctls | object |  |
    spec.linuxOSConfig.sysctls.fsAioMaxNr | integer (int32) |  | 65536 to 6553500
    spec.linuxOSConfig.sysctls.fsFileMax | integer (int32) |  | 8192 to 12000500
    spec.linuxOSConfig.sysctls.fsInotifyMaxUserWatches | integer (int32) |  | 781250 to 2097152
    spec.linuxOSConfig.sysctls.fsNrOpen | integer (int32) |  | 8192 to 20000500
    spec.linuxOSConfig.sysctls.kernelThreadsMax | integer (int32) |  | 20 to 513785
    spec.linuxOSConfig.sysctls.netCoreNetdevMaxBacklog | integer (int32) |  | 1000 to 3240000
    spec.linuxOSConfig.sysctls.netCoreOptmemMax | integer (int32) |  | 20480 to 4194304
    spec.linuxOSConfig.sysctls.netCoreRmemDefault | integer (int32) |  | 212992 to 134217728
    spec.linuxOSConfig.sysctls.netCoreRmemMax | integer (int32) |  | 212992 to 134217728
    spec.linuxOSConfig.sysctls.netCoreSomaxconn | integer (int32) |  | 4096 to 3240000
    spec.linuxOSConfig.sysctls.netCoreWmemDefault | integer (int32) |  | 212992 to 134217728
    spec.linuxOSConfig.sysctls.netCoreWmemMax | integer (int32) |  | 212992 to 134217728
    spec.linuxOSConfig.sysctls.netIPv4IPLocalPortRange | string |  | matches ^\d+ \d+$
    spec.linuxOSConfig.sysctls.netIPv4NeighDefaultGcThresh1 | integer (int32) |  | 128 to 80000
    spec.linuxOSConfig.sysctls.netIPv4NeighDefaultGcThresh2 | integer (int32) |  | 512 to 90000
    spec.linuxOSConfig.sysctls.netIPv4NeighDefaultGcThresh3 | integer (int32) |  | 1024 to 100000
    spec.linuxOSConfig.sysctls.netIPv4TCPFinTimeout | integer (int32) |  | 5 to 120
    spec.linuxOSConfig.sysctls.netIPv4TCPKeepaliveProbes | integer (int32) |  | 1 to 15
    spec.linuxOSConfig.sysctls.netIPv4TCPKeepaliveTime | integer (int32) |  | 30 to 432000
    spec.linuxOSConfig.sysctls.netIPv4TCPMaxSynBacklog | integer (int32) |  | 128 to 3240000
    spec.linuxOSConfig.sysctls.netIPv4TCPMaxTwBuckets | integer (int32) |  | 8000 to 1440000
    spec.linuxOSConfig.sysctls.netIPv4TCPTwReuse | boolean |  |
    spec.linuxOSConfig.sysctls.netIPv4TCPKeepaliveIntvl | integer (int32) |  | 10 to 90
    spec.linuxOSConfig.sysctls.netNetfilterNfConntrackBuckets | integer (int32) |  | 65536 to 524288
    spec.linuxOSConfig.sysctls.netNetfilterNfConntrackMax | integer (int32) |  | 131072 to 2097152
    spec.linuxOSConfig.sysctls.vmMaxMapCount | integer (int32) |  | 65530 to 262144
    spec.linuxOSConfig.sysctls.vmSwappiness | integer (int32) |  | 0 to 100
    spec.linuxOSConfig.sysctls.vmVfsCachePressure | integer (int32) |  | 0 to 100
    spec.linuxOSConfig.transparentHugePageDefrag | string |  | one of always, defer, defer+madvise, madvise, never
    spec.linuxOSConfig.transparentHugePageEnabled | string |  | one of always, madvise, never
    status.images | list |  |
    status.images[] | object |  |
    status.images[].id | string! |  |
    status.images[].requirements | list! |  |
    status.images[].requirements[] | object |  |
    status.images[].requirements[].key | string! |  |
    status.images[].requirements[].operator | string! |  |
    status.images[].requirements[].values | list |  | replaced as a whole
    status.images[].requirements[].values[] | string |  |
    status.kubernetesVersion | string |  |
    status.localDNSState | string |  | one of Enabled, Disabled
    status.conditions | list |  |
    status.conditions[] | object |  |
    status.conditions[].type | string! |  | at most 316 characters; matches @conditionType
    status.conditions[].status | string! |  | one of True, False, Unknown
    status.conditions[].observedGeneration | integer (int64) |  | at least 0
    status.conditions[].lastTransitionTime | string (date-time)! |  |
    status.conditions[].reason | string! |  | 1 to 1024 characters; matches @reason
    status.conditions[].message | string! |  | at most 32768 characters
  `,
  NodeOverlay: String.raw`
    spec.requirements | list! |  | at most 100 items; replaced as a whole
    spec.requirements[] | object |  |
    spec.requirements[].key | string! |  | at most 316 characters; matches @qualifiedName
    spec.requirements[].operator | string! |  | one of Gte, Lte, In, NotIn, Exists, DoesNotExist, Gt, Lt
    spec.requirements[].values | list |  | replaced as a whole
    spec.requirements[].values[] | string |  |
    spec.price | string |  | matches ^\d+(\.\d+)?$
    spec.priceAdjustment | string |  | matches @adjustment
    spec.capacity | map |  |
    spec.capacity{} | quantity |  |
    spec.weight | integer (int32) |  | 1 to 10000
    status.conditions | list |  | unique by type
    status.conditions[] | object |  |
    status.conditions[].type | string! |  | at most 316 characters; matches @conditionType
    status.conditions[].status | string! |  | one of True, False, Unknown
    status.conditions[].observedGeneration | integer (int64) |  | at least 0
    status.conditions[].lastTransitionTime | string (date-time)! |  |
    status.conditions[].reason | string! |  | 1 to 1024 characters; matches @reason
    status.conditions[].message | string! |  | at most 32768 characters
  `,
  CapacityBuffer: String.raw`
    spec.provisioningStrategy | string | "buffer.x-k8s.io/active-capacity" |
    spec.podTemplateRef | object |  |
    spec.podTemplateRef.name | string! |  | at least 1 character
    spec.scalableRef | object |  |
    spec.scalableRef.apiGroup | string |  |
    spec.scalableRef.kind | string! |  | at least 1 character
    spec.scalableRef.name | string! |  | at least 1 character
    spec.replicas | integer (int32) |  | at least 0
    spec.percentage | integer (int32) |  | at least 0
    spec.limits | map |  |
    spec.limits{} | quantity |  |
    status.podTemplateRef | object |  |
    status.podTemplateRef.name | string! |  | at least 1 character
    status.podTemplateGeneration | integer (int64) |  |
    status.replicas | integer (int32) |  |
    status.provisioningStrategy | string |  |
    status.conditions | list |  | unique by type
    status.conditions[] | object |  |
    status.conditions[].type | string! |  | at most 316 characters; matches @conditionType
    status.conditions[].status | string! |  | one of True, False, Unknown
    status.conditions[].observedGeneration | integer (int64) |  | at least 0
    status.conditions[].lastTransitionTime | string (date-time)! |  |
    status.conditions[].reason | string! |  | 1 to 1024 characters; matches @reason
    status.conditions[].message | string! |  | at most 32768 characters
  `,
};

const patterns: Readonly<Record<string, string>> = {
  qualifiedName:
    '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$',
  labelValue: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$',
  conditionType:
    '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  reason: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
  lenientReason: '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$',
  duration: '^([0-9]+(s|m|h))+$',
  durationOrNever: '^(([0-9]+(s|m|h))+|Never)$',
  size: '^\\d+(E|P|T|G|M|K|Ei|Pi|Ti|Gi|Mi|Ki)$',
  zone: '^(\\.|[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*\\.?)$',
  subnet:
    '(?i)^\\/subscriptions\\/[^\\/]+\\/resourceGroups\\/[a-zA-Z0-9_\\-().]{0,89}[a-zA-Z0-9_\\-()]\\/providers\\/Microsoft\\.Network\\/virtualNetworks\\/[^\\/]+\\/subnets\\/[^\\/]+$',
  schedule:
    '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$',
  adjustment:
    '^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$',
};

function written(kind: string): readonly string[] {
  return (expected[kind] ?? '')
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/@(\w+)/, (_, name: string) => patterns[name] ?? name));
}

test.each(definitions)('the fields of $kind are the ones written down', ({ kind, versions }) => {
  for (const { openApi } of versions) {
    const rows = ['spec', 'status'].flatMap((part) =>
      fieldTable(openApi.properties?.[part] ?? {}, part),
    );
    const lines = rows.map((row) => {
      const type = row.required ? `${row.type}!` : row.type;
      return [row.path, type, row.fallback, row.constraints.join('; ')].join(' | ').trimEnd();
    });
    expect(lines).toEqual(written(kind));
  }
});

test('every field says what it is for', () => {
  const silent = definitions.flatMap(({ kind, versions }) =>
    versions.flatMap(({ openApi }) =>
      ['spec', 'status']
        .flatMap((part) => fieldTable(openApi.properties?.[part] ?? {}, part))
        .filter((row) => row.description === '' && /\.\w+$/.test(row.path))
        .map((row) => `${kind} ${row.path}`),
    ),
  );
  expect(silent).toEqual([]);
});
