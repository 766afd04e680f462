// The tie between a network interface and a virtual machine. In: attach, detach, reserve. Out: the interface's own
// record of it, which hinders its deletion. After a machine failed to be created, Azure keeps its interface for it
// for a while.
import { randomUuid } from '../../../base/uuid.ts';
import { numberAt, stringAt, withValue, type JsonObject } from '../../kube/json.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { Resource } from '../store.ts';
import { isSameId } from './references.ts';

/** Measured on the real service, and what its message says. */
const reservationMs = 180_000;

export function attachNic(
  env: AzureEnvironment,
  nicId: string,
  vm: { readonly id: string; readonly isPrimary: boolean },
): void {
  change(env, nicId, {}, (body) => {
    const tied = withValue(body, ['properties', 'virtualMachine'], { id: vm.id });
    const primary = withValue(tied, ['properties', 'primary'], vm.isPrimary);
    return stringAt(body, 'properties', 'macAddress') === undefined
      ? withValue(primary, ['properties', 'macAddress'], macAddress(env))
      : primary;
  });
}

/** Free again; with a reservation, only for the same machine until it is over. */
export function detachNic(
  env: AzureEnvironment,
  nicId: string,
  reservation?: { readonly vmId: string },
): void {
  const hidden: JsonObject =
    reservation === undefined
      ? {}
      : { reservedFor: reservation.vmId, reservedUntilMs: env.clock.now() + reservationMs };
  change(env, nicId, hidden, (body) =>
    withValue(body, ['properties', 'virtualMachine'], undefined),
  );
}

export function machineOf(nic: Resource): string | undefined {
  return stringAt(nic.body, 'properties', 'virtualMachine', 'id');
}

/** Whom it is kept for, and how long still. */
export function reservationOf(
  env: AzureEnvironment,
  nic: Resource,
): { readonly vmId: string; readonly seconds: number } | undefined {
  const vmId = stringAt(nic.hidden, 'reservedFor');
  const leftMs = (numberAt(nic.hidden, 'reservedUntilMs') ?? 0) - env.clock.now();
  return vmId === undefined || leftMs <= 0
    ? undefined
    : { vmId, seconds: Math.ceil(leftMs / 1000) };
}

export function isAttachedTo(nic: Resource, vmId: string): boolean {
  return isSameId(machineOf(nic), vmId);
}

function change(
  env: AzureEnvironment,
  nicId: string,
  hidden: JsonObject,
  update: (body: JsonObject) => JsonObject,
): void {
  const nic = env.store.get(nicId);
  if (nic !== undefined) env.lifecycle.save(nic.id, nic.type, { body: update(nic.body), hidden });
}

/** From Microsoft's own range, as machines on Azure have it. */
function macAddress(env: AzureEnvironment): string {
  const digits = randomUuid(env.random).replaceAll('-', '').slice(0, 6).toUpperCase();
  return `00-0D-3A-${digits.slice(0, 2)}-${digits.slice(2, 4)}-${digits.slice(4, 6)}`;
}
