// Virtual machines: what can be asked of one. In: requests on a machine. Out: its state, and operations that change
// it. What a new machine must be like is in vm/; this file is the table of what there is.
import { textAt, withValue, type JsonObject } from '../../kube/json.ts';
import { ok, noContent, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { managedType } from '../arm/managed-type.ts';
import { pageReply } from '../arm/paging.ts';
import type { LinkedAccess } from '../authorization/access.ts';
import type { Resource } from '../store.ts';
import type { Compute } from './compute.ts';
import { entityNotFound, markedForDeletion, operationNotAllowed } from './errors.ts';
import { extensionsOf } from './extensions.ts';
import { regionOf } from './usages.ts';
import type { PowerState, VmChangeKind } from './vm-events.ts';
import { allocate, placementOf } from './vm/allocation.ts';
import { instanceView } from './vm/instance-view.ts';
import { identityIds } from './vm/identity.ts';
import { machineFrom, setPowerState, virtualMachineType } from './vm/machine.ts';
import { planVm, planVmPatch } from './vm/plan.ts';
import { releaseVm } from './vm/release.ts';
import { readVm } from './vm/request.ts';

const nameRule = {
  pattern: /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9_])?$/,
  rule: 'The name of a Linux virtual machine has 1 to 64 characters: letters, digits, underscores, periods and hyphens; it neither begins with an underscore nor ends with a period or a hyphen.',
};

export function virtualMachines(compute: Compute): ResourceType[] {
  const { env } = compute;
  const base = managedType(env, {
    type: virtualMachineType,
    name: nameRule,
    whenBusy: 'preempt',
    links: ({ body }) => links(body),
    plan: (write) => planVm(compute, write),
    whenGoing: (name) => markedForDeletion(name),
    patch: (write) => planVmPatch(compute, write),
    removalLatencyMs: (call) => removalLatencyMs(compute, call),
    removed: (vm) => releaseVm(compute, vm),
    show: (vm, call) => show(compute, vm, call),
    actions: {
      start: power(compute, {
        from: ['stopped', 'deallocated', 'running'],
        to: 'running',
        tells: 'running',
      }),
      restart: power(compute, { from: ['running'], to: 'running', tells: 'restarted' }),
      reimage: power(compute, {
        from: ['running', 'stopped', 'deallocated'],
        to: 'running',
        tells: 'reimaged',
      }),
      redeploy: power(compute, { from: ['running'], to: 'running', tells: 'restarted' }),
      powerOff: power(compute, {
        from: ['running', 'stopped', 'starting'],
        to: 'stopped',
        tells: 'stopped',
      }),
      deallocate: power(compute, {
        from: ['running', 'stopped', 'deallocated', 'starting'],
        to: 'deallocated',
        tells: 'deallocated',
      }),
      simulateEviction: (vm) => simulateEviction(compute, vm),
    },
  });
  return [base, instanceViews(compute), byLocation(compute)];
}

/** GET …/instanceView looks like a collection below the machine. */
function instanceViews({ env }: Compute): ResourceType {
  return {
    type: `${virtualMachineType}/instanceView`,
    list: (call) => {
      const vm = env.store.get(call.id);
      if (vm === undefined) throw entityNotFound();
      return ok(instanceView(env, vm));
    },
  };
}

/** What a machine is made of takes rights, too: its interfaces, its identities. */
function links(body: JsonObject): LinkedAccess[] {
  const request = readVm(body);
  return [
    ...request.nics.map(({ id }) => ({
      action: 'Microsoft.Network/networkInterfaces/join/action',
      scope: id,
    })),
    ...identityIds(request.identity).map((scope) => ({
      action: 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action',
      scope,
    })),
  ];
}

/** The provider skips the graceful shutdown when it is told to. */
function removalLatencyMs({ env }: Compute, call: ArmCall): number | undefined {
  if (call.query.get('forceDeletion') !== 'true') return undefined;
  return Math.round(env.latency.draw(call.operation) / 2);
}

function show(compute: Compute, vm: Resource, call: ArmCall): JsonObject {
  const extensions = extensionsOf(compute, vm);
  // In a list extensions are named and no more; `az vm list -d` stumbles over anything else.
  const isList = call.path.names.length < call.path.types.length;
  const resources = isList ? extensions.map(({ id }) => ({ id: id ?? null })) : extensions;
  const body = resources.length === 0 ? vm.body : { ...vm.body, resources };
  const wantsView =
    /instanceView/i.test(call.query.get('$expand') ?? '') ||
    call.query.get('statusOnly') === 'true';
  return wantsView
    ? withValue(body, ['properties', 'instanceView'], instanceView(compute.env, vm))
    : body;
}

function power(
  compute: Compute,
  change: {
    readonly from: readonly PowerState[];
    readonly to: PowerState;
    readonly tells: VmChangeKind;
  },
): (vm: Resource, call: ArmCall) => ArmReply {
  return (vm, call) => {
    const { env } = compute;
    if (isGoing(vm)) throw markedForDeletion(vm.name);
    const current = machineFrom(env, vm).powerState;
    if (!change.from.includes(current)) {
      throw operationNotAllowed(
        `The operation requires the VM to be running (or set to run). Power state of VM '${vm.name}' is '${current}'.`,
      );
    }
    const started = env.lifecycle.begin(call, vm, {
      location: textAt(vm.body, 'location'),
      run: () => {
        if (change.to === 'deallocated') compute.capacity.release(vm.id);
        else if (current === 'deallocated') allocateAgain(compute, vm);
        const changed = setPowerState(env, vm.id, change.to);
        if (changed !== undefined) {
          compute.events.emit({ kind: change.tells, vm: machineFrom(env, changed) });
        }
        return undefined;
      },
    });
    return { status: 202, headers: started.headers };
  };
}

/** A machine that was deallocated has no place any more; there may be none when it is to start. */
function allocateAgain(compute: Compute, vm: Resource): void {
  const place = { id: vm.id, location: textAt(vm.body, 'location') };
  allocate(compute, placementOf(place, readVm(vm.body)));
}

function simulateEviction(compute: Compute, vm: Resource): ArmReply {
  if (readVm(vm.body).priority !== 'Spot') {
    throw operationNotAllowed(
      `The Simulate Eviction operation is not allowed on VM '${vm.name}' because it is not an Azure Spot virtual machine.`,
    );
  }
  compute.evictions.begin(vm.id);
  return noContent;
}

/** All of a subscription in one region. */
function byLocation(compute: Compute): ResourceType {
  const { env } = compute;
  return {
    type: 'Microsoft.Compute/locations/virtualMachines',
    list: (call) => {
      const region = regionOf(env, call);
      const items = env.store
        .list(virtualMachineType, `/subscriptions/${call.path.subscriptionId}`)
        .filter((vm) => textAt(vm.body, 'location') === region)
        .map(({ id, key, name, type, body }) => ({ key, json: { ...body, id, name, type } }));
      return pageReply(call, items, env.pageSize);
    },
  };
}

function isGoing(vm: Resource): boolean {
  return textAt(vm.body, 'properties', 'provisioningState') === 'Deleting';
}
