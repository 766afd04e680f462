// `spec.kubelet` of an AKSNodeClass. Defaults appear only when the user writes the object at all.
import { array, boolean, integer, object, optional, string } from './schema.ts';

/** A whole number with a unit: `50Mi`, `2G`. */
export const sizePattern = '^\\d+(E|P|T|G|M|K|Ei|Pi|Ti|Gi|Mi|Ki)$';

function percent(description: string) {
  return optional(integer({ description, format: 'int32', minimum: 0, maximum: 100 }));
}

export const kubelet = object(
  {
    cpuManagerPolicy: string({
      description: 'Whether pods of the Guaranteed class may have whole CPUs to themselves.',
      default: 'none',
      enum: ['none', 'static'],
    }),
    cpuCFSQuota: boolean({
      description: 'Whether CPU limits of containers are enforced.',
      default: true,
    }),
    cpuCFSQuotaPeriod: string({
      description: 'The period over which CPU limits are enforced, between 1ms and 1s.',
      default: '100ms',
    }),
    imageGCHighThresholdPercent: percent(
      'Disk usage that starts the removal of unused images. Must be above imageGCLowThresholdPercent.',
    ),
    imageGCLowThresholdPercent: percent('Disk usage at which the removal of unused images stops.'),
    topologyManagerPolicy: string({
      description: 'How strictly the resources of a pod have to come from the same NUMA node.',
      default: 'none',
      enum: ['restricted', 'best-effort', 'none', 'single-numa-node'],
    }),
    allowedUnsafeSysctls: optional(
      array(string(), {
        description: 'Unsafe sysctls, or patterns ending in *, that pods may set.',
      }),
    ),
    containerLogMaxSize: string({
      description: 'Size at which a container log is rotated, such as 50Mi.',
      default: '50Mi',
      pattern: sizePattern,
    }),
    containerLogMaxFiles: integer({
      description: 'How many log files a container may have.',
      default: 5,
      format: 'int32',
      minimum: 2,
    }),
    podPidsLimit: optional(
      integer({
        description: 'How many processes a pod may have; -1 for no limit.',
        format: 'int64',
      }),
    ),
    failSwapOn: optional(
      boolean({
        description:
          'Whether kubelet refuses to start on a node with swap. Must be false for linuxOSConfig.swapFileSize.',
      }),
    ),
  },
  {
    description: 'Settings of the kubelet on the nodes.',
    rules: [
      {
        rule: 'has(self.imageGCHighThresholdPercent) && has(self.imageGCLowThresholdPercent) ? self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent : true',
        message: 'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent',
      },
    ],
  },
);
