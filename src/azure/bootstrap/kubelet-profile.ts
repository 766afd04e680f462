// The kubelet's settings as both of AKS's APIs take them. In: the class's. Out: the wire's, with nothing in it that the
// class leaves open.
import type { KubeletConfiguration } from '../../api/aks-node-class.ts';
import { formatDuration, parseDuration } from '../../model/duration.ts';
import { toMegabytes, toPodMaxPids, withoutUndefined } from './wire-values.ts';

export interface KubeletProfile {
  readonly cpuManagerPolicy?: string;
  readonly cpuCfsQuota?: boolean;
  readonly cpuCfsQuotaPeriod?: string;
  readonly imageGcHighThreshold?: number;
  readonly imageGcLowThreshold?: number;
  readonly topologyManagerPolicy?: string;
  readonly allowedUnsafeSysctls?: readonly string[];
  readonly failSwapOn?: boolean;
  readonly containerLogMaxSizeMB?: number;
  readonly containerLogMaxFiles?: number;
  readonly podMaxPids?: number;
}

export function kubeletProfile(kubelet: KubeletConfiguration): KubeletProfile {
  const { cpuCFSQuotaPeriod, podPidsLimit, allowedUnsafeSysctls = [] } = kubelet;
  const period = parseDuration(cpuCFSQuotaPeriod);
  return withoutUndefined({
    cpuManagerPolicy: kubelet.cpuManagerPolicy,
    cpuCfsQuota: kubelet.cpuCFSQuota,
    cpuCfsQuotaPeriod: period === 0n ? undefined : formatDuration(period),
    imageGcHighThreshold: kubelet.imageGCHighThresholdPercent,
    imageGcLowThreshold: kubelet.imageGCLowThresholdPercent,
    topologyManagerPolicy: kubelet.topologyManagerPolicy,
    allowedUnsafeSysctls: allowedUnsafeSysctls.length === 0 ? undefined : allowedUnsafeSysctls,
    failSwapOn: kubelet.failSwapOn,
    containerLogMaxSizeMB: toMegabytes(kubelet.containerLogMaxSize),
    containerLogMaxFiles: kubelet.containerLogMaxFiles,
    podMaxPids: podPidsLimit === undefined ? undefined : toPodMaxPids(podPidsLimit),
  });
}
