// The life of a machine of AKS beyond its body: made of its parts one after another, and taken apart again. In: a stored machine.
// Out: parts of an undertaking. 1. A machine whose making fails stays, Failed, with the reason, until it is deleted, as in AKS.
// 2. Whatever removes a machine, nothing that it was made of is left.
import type { Json } from '../../../api/meta.ts';
import { objectAt, textAt, withValue } from '../../kube/json.ts';
import type { ArmCall } from '../arm/arm-call.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { ArmError } from '../errors.ts';
import type { Resource } from '../store.ts';
import type { Cluster } from './cluster.ts';
import type { ContainerService } from './container-service.ts';
import { aksError, passedOn } from './errors.ts';
import {
  billingExtension,
  bootOf,
  isShared,
  nicBody,
  nicIdOf,
  scriptExtension,
  vmBody,
  vmIdOf,
  type MachinePlan,
} from './machine-parts.ts';
import { checkedSize } from './pool-defaults.ts';
import { callAzure, galleryHeaders, inSequence, type ServiceCaller } from './service-calls.ts';
import type { Part } from './undertakings.ts';

export interface MachineRun {
  readonly service: ContainerService;
  readonly call: ArmCall;
  readonly cluster: Cluster;
  readonly machine: Resource;
  readonly pool: string;
}

export function making(run: MachineRun): Part {
  const { service, call, cluster, machine } = run;
  const from: ServiceCaller = { service, call, caller: cluster.caller };
  return (done) => {
    // Asked for only now: a part of what the plan needs may have been made on the way here.
    const plan = planOf(run);
    if (plan === undefined) {
      done(aksError(400, 'NodeImageNotFound', `No node image for machine '${machine.name}'.`));
      return;
    }
    const boot = bootOf(plan);
    const vm = vmIdOf(plan);
    const put = (id: string, body: Json) => () => callAzure(from, { method: 'PUT', id, body });
    const headers = isShared(plan.image) ? galleryHeaders(from) : {};
    const steps = [
      put(nicIdOf(vm), nicBody(plan)),
      () => callAzure(from, { method: 'PUT', id: vm, body: vmBody(plan, boot), headers }),
      put(`${vm}/extensions/vmssCSE`, scriptExtension(plan, boot.cse)),
      put(`${vm}/extensions/AKSLinuxBilling`, billingExtension(plan)),
    ];
    inSequence(service.env, steps, (error) =>
      done(error === undefined ? undefined : passedOn(error)),
    );
  };
}

function planOf({ service, cluster, machine, pool }: MachineRun): MachinePlan | undefined {
  const properties = objectAt(machine.body, 'properties');
  const image = service.images.find(textAt(properties, 'nodeImageVersion'), cluster.location);
  if (image === undefined) return undefined;
  const size = checkedSize(service, textAt(properties, 'hardware', 'vmSize'), cluster.location);
  const vmName = textAt(properties, 'resourceId').split('/').at(-1) ?? '';
  return { service, cluster, pool, machine: machine.body, size, image, vmName };
}

/** What a failed machine says of itself. */
export function markFailed(env: AzureEnvironment, machineId: string, error: ArmError): void {
  env.lifecycle.update(machineId, (body) =>
    withValue(body, ['properties', 'status', 'provisioningError'], error.toJson()),
  );
}

export function unmaking(run: Omit<MachineRun, 'pool'>): Part {
  const { service, call, cluster, machine } = run;
  const { env } = service;
  const vmId = textAt(machine.body, 'properties', 'resourceId');
  return (done) => {
    env.lifecycle.setState(machine.id, 'Deleting');
    const remove = () =>
      env.store.get(vmId) === undefined
        ? undefined
        : callAzure(
            { service, call, caller: cluster.caller },
            { method: 'DELETE', id: vmId, query: { forceDeletion: 'true' } },
          );
    inSequence(env, [remove], (error) => {
      if (error === undefined) env.lifecycle.remove(machine.id);
      else env.lifecycle.setState(machine.id, 'Failed');
      done(error);
    });
  };
}

/** After the machine itself is gone, for whatever reason. */
export function removeParts(env: AzureEnvironment, machine: Resource): void {
  const vmId = textAt(machine.body, 'properties', 'resourceId');
  env.lifecycle.remove(vmId);
  env.lifecycle.remove(nicIdOf(vmId));
}
