// Settings of a node class that its nodes would not get. In: the class's spec and the way nodes are made. Out: for each
// such setting what would happen to it and what to do, for a condition to show; empty when every node gets everything.
// All three ways carry every field of the API; what is caught here are values that the API server lets through and that
// a kubelet refuses to start with, or that do not fit the units of AKS's APIs.
import type { AKSNodeClassSpec, KubeletConfiguration } from '../../api/aks-node-class.ts';
import { tryParseDuration } from '../../model/duration.ts';
import { quantityValue, tryParseQuantity } from '../../model/quantity.ts';
import { imageReleaseOf } from '../image/image-family.ts';
import { toMegabytes, toPodMaxPids } from './wire-values.ts';

export type BootstrapPath = 'scriptless' | 'service' | 'machine';

export interface UnsupportedField {
  readonly field: string;
  /** Rejected: no node would come up, or without the setting. Altered: nodes get something close to it. */
  readonly effect: 'rejected' | 'altered';
  readonly message: string;
}

type Check = (spec: AKSNodeClassSpec, path: BootstrapPath) => readonly UnsupportedField[];

export function unsupportedFields(
  spec: AKSNodeClassSpec,
  path: BootstrapPath,
): readonly UnsupportedField[] {
  return checks.flatMap((check) => check(spec, path));
}

const checks: readonly Check[] = [
  ({ kubelet }) => (kubelet === undefined ? [] : quotaPeriodFaults(kubelet)),
  ({ kubelet }) => (kubelet?.allowedUnsafeSysctls ?? []).flatMap(sysctlFaults),
  ({ kubelet }, path) =>
    kubelet === undefined
      ? []
      : sizeFaults({
          field: 'kubelet.containerLogMaxSize',
          text: kubelet.containerLogMaxSize,
          inMegabytes: path !== 'scriptless',
        }),
  ({ linuxOSConfig }) =>
    linuxOSConfig?.swapFileSize === undefined
      ? []
      : sizeFaults({
          field: 'linuxOSConfig.swapFileSize',
          text: linuxOSConfig.swapFileSize,
          inMegabytes: true,
        }),
  ({ kubelet }, path) =>
    kubelet?.podPidsLimit === undefined || path === 'scriptless'
      ? []
      : pidsFaults(kubelet.podPidsLimit),
  localDnsFaults,
];

function quotaPeriodFaults({ cpuCFSQuotaPeriod }: KubeletConfiguration): UnsupportedField[] {
  const period = tryParseDuration(cpuCFSQuotaPeriod);
  const isUsable =
    period.ok &&
    (period.nanoseconds === 0n ||
      (period.nanoseconds >= 1_000_000n && period.nanoseconds <= 1_000_000_000n));
  if (isUsable) return [];
  const field = 'kubelet.cpuCFSQuotaPeriod';
  return [
    rejected(field, `is ${cpuCFSQuotaPeriod}, but must be between 1ms and 1s, such as 100ms`),
  ];
}

const sysctlPattern =
  /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*(?:[a-z0-9][-_a-z0-9]*)?[a-z0-9*]$/;
/** What the kernel keeps apart for each pod; a kubelet allows nothing else. */
const namespaced =
  /^(?:kernel[./](?:sem|shm(?:all|max|mni|_rmid_forced)?|msg(?:max|mnb|mni)?)\*?$|net[./]|fs[./]mqueue[./])/;

function sysctlFaults(sysctl: string): UnsupportedField[] {
  if (sysctlPattern.test(sysctl) && namespaced.test(sysctl)) return [];
  return [
    rejected(
      'kubelet.allowedUnsafeSysctls',
      `has ${JSON.stringify(sysctl)}, but must name sysctls under net, fs.mqueue, kernel.shm or kernel.msg, or kernel.sem; a * may be at the end`,
    ),
  ];
}

function sizeFaults(size: {
  readonly field: string;
  readonly text: string;
  readonly inMegabytes: boolean;
}): UnsupportedField[] {
  const { field, text } = size;
  const quantity = tryParseQuantity(text);
  const megabytes = toMegabytes(text);
  if (!quantity.ok || megabytes === undefined) {
    return [rejected(field, `is ${text}, which Kubernetes cannot read; write Ki in place of K`)];
  }
  if (!size.inMegabytes) return [];
  if (megabytes === 0) {
    return [rejected(field, `is ${text}, but AKS takes whole megabytes; set 1Mi or more`)];
  }
  if (quantityValue(quantity.quantity) === BigInt(megabytes) * 1_048_576n) return [];
  return [altered(field, `is ${text}; AKS takes whole megabytes, so nodes get ${megabytes}Mi`)];
}

function pidsFaults(limit: number): UnsupportedField[] {
  const sent = toPodMaxPids(limit);
  if (sent === limit) return [];
  return [altered('kubelet.podPidsLimit', `is ${limit}; the nearest that AKS takes is ${sent}`)];
}

function localDnsFaults(spec: AKSNodeClassSpec): UnsupportedField[] {
  // Preferred gives way by itself.
  if (spec.localDNS?.mode !== 'Required') return [];
  // The release does not depend on the version where it is this one.
  if (imageReleaseOf(spec, '') !== 'Ubuntu2004') return [];
  return [
    rejected(
      'localDNS.mode',
      'is Required, but images with FIPS and without Trusted Launch are of Ubuntu 20.04, which has no DNS cache; use AzureLinux, turn on Trusted Launch, or set Disabled',
    ),
  ];
}

function rejected(field: string, fault: string): UnsupportedField {
  return { field, effect: 'rejected', message: `spec.${field} ${fault}` };
}

function altered(field: string, fault: string): UnsupportedField {
  return { field, effect: 'altered', message: `spec.${field} ${fault}` };
}
