// Kernel settings as both of AKS's APIs take them. In: the class's. Out: the wire's, with nothing in it that the class
// leaves open.
import type { LinuxOsConfiguration } from '../../api/aks-node-class.ts';
import { type SysctlField, sysctlNames } from './sysctl-names.ts';
import { toMegabytes, withoutUndefined } from './wire-values.ts';

export interface LinuxOsProfile {
  readonly sysctls?: Readonly<Record<string, boolean | number | string>>;
  readonly transparentHugePageEnabled?: string;
  readonly transparentHugePageDefrag?: string;
  readonly swapFileSizeMB?: number;
}

export function linuxOsProfile(linux: LinuxOsConfiguration): LinuxOsProfile {
  const { sysctls, swapFileSize } = linux;
  return withoutUndefined({
    sysctls:
      sysctls === undefined
        ? undefined
        : Object.fromEntries(
            Object.entries(sysctls).map(([field, value]) => [
              sysctlNames[field as SysctlField].wire,
              value,
            ]),
          ),
    transparentHugePageEnabled: linux.transparentHugePageEnabled,
    transparentHugePageDefrag: linux.transparentHugePageDefrag,
    swapFileSizeMB: swapFileSize === undefined ? undefined : toMegabytes(swapFileSize),
  });
}
