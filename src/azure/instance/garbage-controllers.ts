// The loops that take away what nobody owns. In: the back-ends and who owns what. Out: controllers, which only the leader runs:
// two that sweep at once would delete what the other just found.
import type { NodeClaim } from '../../api/node-claim.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ControllerSpec } from '../../kube/controller/controller.ts';
import { singleton } from '../../kube/controller/singleton.ts';
import type { GroupRef } from '../arm/resource.ts';
import type { Arm } from '../arm/send.ts';
import type { Instances } from './instance.ts';
import { sweepInstances, sweepInterfaces } from './sweeps.ts';

export interface GarbageOptions {
  readonly arm: Arm;
  readonly nodeGroup: GroupRef;
  readonly vms: Instances;
  /** Undefined when AKS machines are none of this controller's business. */
  readonly machines?: Instances | undefined;
  nodeClaims(): readonly NodeClaim[];
  /** The node of a machine that is gone; none is as good. */
  deleteNode(providerId: string, signal: AbortSignal): Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

const minuteMs = 60 * 1000;
const instancesEveryMs = 2 * minuteMs;
const interfacesEveryMs = 5 * minuteMs;
const timeoutMs = 15 * minuteMs;

export function garbageControllers(options: GarbageOptions): ControllerSpec[] {
  return [
    singleton({
      name: 'instance.garbagecollection',
      timeoutMs,
      needsLeadership: true,
      async reconcile({ signal }) {
        for (const instances of [options.vms, options.machines]) {
          if (instances !== undefined) await sweep(options, instances, signal);
        }
        return { requeueAfterMs: instancesEveryMs };
      },
    }),
    singleton({
      name: 'networkinterface.garbagecollection',
      timeoutMs,
      needsLeadership: true,
      async reconcile({ signal }) {
        const { arm, nodeGroup, vms, log } = options;
        await sweepInterfaces({
          arm,
          nodeGroup,
          vmNames: async (signal) => (await vms.list(signal)).map(({ name }) => name),
          nodeClaimNames: () => options.nodeClaims().map(({ metadata }) => metadata.name),
          log,
          signal,
        });
        return { requeueAfterMs: interfacesEveryMs };
      },
    }),
  ];
}

async function sweep(
  options: GarbageOptions,
  instances: Instances,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = options;
  const owned = (): ReadonlySet<string> =>
    new Set(options.nodeClaims().flatMap(({ status }) => status?.providerID ?? []));
  const gone = await sweepInstances({ instances, owned, clock, signal });
  for (const { name, providerId } of gone) {
    log.info('garbage collected instance', { instance: name });
    await options.deleteNode(providerId, signal);
  }
}
