// Making AKS machines: each by itself, or many in one call. In: a machine's name and body. Out: nothing once the service has
// accepted it, or the error that concerns this machine.
// A batch is one PUT to its first member with the body that all share; a header names the members with what is their own.
// It is not repeated after an unclear end: members that were accepted would then be refused as existing.
import { createHash } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import { ArmError, findArmError } from '../arm/arm-error.ts';
import { type MachinePoolRef, machineRef } from '../arm/machines.ts';
import { beginPut } from '../arm/resource.ts';
import type { Arm } from '../arm/send.ts';
import type { MachineBody } from '../bootstrap/machine-body.ts';
import { Coalescer } from './coalescer.ts';

export interface NewMachine {
  readonly name: string;
  readonly body: MachineBody;
}

export type PutMachine = (machine: NewMachine, signal: AbortSignal) => Promise<void>;

/** Without it AKS refuses system nodes on spot machines. */
export const machineHeaders = { AllowSpotVMSystemNode: 'true' };

export function putSingly(arm: Arm, pool: MachinePoolRef): PutMachine {
  return async ({ name, body }, signal) => {
    await beginPut(arm, machineRef(pool, name), { body, headers: machineHeaders, signal });
  };
}

export interface BatchLimits {
  readonly idleMs: number;
  readonly maxMs: number;
  readonly maxSize: number;
}

/** A member whose caller stops waiting may still be made; the sweep finds it. */
export function putInBatches(
  arm: Arm,
  pool: MachinePoolRef,
  limits: BatchLimits & { readonly signal: AbortSignal },
): PutMachine {
  const { signal: stopping, ...window } = limits;
  const coalescer = new Coalescer<NewMachine, undefined>({
    ...window,
    clock: arm.clock,
    execute: (machines) => putBatch(arm, pool, machines, stopping),
  });
  return async (machine, signal) => {
    signal.throwIfAborted();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await Promise.race([coalescer.run(batchKey(machine.body), machine), stopped]);
    } finally {
      signal.removeEventListener('abort', stop);
      stopped.catch(() => undefined);
    }
  };
}

/** Equal for machines that one body can describe. */
export function batchKey(body: MachineBody): string {
  return createHash('sha256')
    .update(JSON.stringify(sharedBody(body)))
    .digest('hex')
    .slice(0, 16);
}

/** The service checks zones against ultra disks, so there they are part of what is shared. */
function sharedBody({ zones, properties }: MachineBody) {
  const { tags: _, ...shared } = properties;
  return { ...(shared.hardware.ultraSsdEnabled && { zones }), properties: shared };
}

async function putBatch(
  arm: Arm,
  pool: MachinePoolRef,
  machines: readonly NewMachine[],
  signal: AbortSignal,
): Promise<readonly (undefined | Error)[]> {
  const [first] = machines;
  if (first === undefined) return [];
  const { id: path, apiVersion } = machineRef(pool, first.name);
  const batchMachines = machines.map(({ name, body }) => ({
    machineName: name,
    zones: body.zones,
    tags: body.properties.tags,
  }));
  try {
    await arm.send({
      method: 'PUT',
      path,
      apiVersion,
      body: sharedBody(first.body),
      headers: { ...machineHeaders, BatchPutMachine: JSON.stringify({ batchMachines }) },
      repeat: 'refused',
      signal,
    });
    return machines.map(() => undefined);
  } catch (error) {
    return outcomesOf(error, machines);
  }
}

/** Per member where the service tells them apart; whoever it does not name was accepted. */
function outcomesOf(error: unknown, machines: readonly NewMachine[]): (undefined | Error)[] {
  const refusal = findArmError(error);
  const details = refusal && detailsOf(refusal);
  const names = new Set(machines.map(({ name }) => name));
  const isClear =
    details !== undefined && details.length > 0 && details.every(({ target }) => names.has(target));
  if (!isClear) {
    const whole = error instanceof Error ? error : new CodedError('BatchFailed', String(error));
    return machines.map(() => whole);
  }
  return machines.map(({ name }) => {
    const own = details.find(({ target }) => target === name);
    if (own === undefined) return undefined;
    const { code, message: text } = own;
    return new ArmError({ status: refusal?.status ?? 0, code, text, call: `machine ${name}` });
  });
}

/** Undefined for an error that speaks of the batch as a whole. */
function detailsOf(refusal: ArmError): ArmError['details'] | undefined {
  if (refusal.code === 'BatchMachineClientError') return refusal.details;
  if (refusal.code !== 'BatchMachineInternalServerError') return undefined;
  if (refusal.details.length > 0) return refusal.details;
  try {
    // Of its own faults the service tells inside the message.
    const inner = JSON.parse(refusal.text) as unknown;
    const list = Array.isArray(inner) ? inner : (inner as { details?: unknown }).details;
    return Array.isArray(list) ? (list as ArmError['details']) : undefined;
  } catch {
    return undefined;
  }
}
