// What is put on a virtual machine once it runs. In: whether AKS prepares it, and whether the cloud bills for AKS. Out: the
// extensions on the machine, in order: the script first, so that billing starts with a node that works.
import { retry } from '../../base/async.ts';
import { findArmError, isArmNotFound } from '../arm/arm-error.ts';
import { settled } from '../arm/operation.ts';
import { beginPatch, beginPut, getResource, type ResourceRef } from '../arm/resource.ts';
import type { Arm } from '../arm/send.ts';
import { extensionRef, type VmExtension } from '../arm/virtual-machines.ts';

interface NamedExtension {
  readonly name: string;
  readonly body: VmExtension;
}

export const scriptExtension = 'cse-agent-karpenter';
export const billingExtension = 'computeAksLinuxBilling';

export function vmExtensions(machine: {
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Of the script, where there is one. */
  readonly command: string | undefined;
  readonly hasBilling: boolean;
}): readonly NamedExtension[] {
  const { location, tags, command, hasBilling } = machine;
  const shared = { autoUpgradeMinorVersion: true, settings: {} } as const;
  const extensions: NamedExtension[] = [];
  if (command !== undefined) {
    extensions.push({
      name: scriptExtension,
      body: {
        location,
        tags,
        properties: {
          ...shared,
          publisher: 'Microsoft.Azure.Extensions',
          type: 'CustomScript',
          typeHandlerVersion: '2.0',
          protectedSettings: { commandToExecute: command },
        },
      },
    });
  }
  if (hasBilling) {
    extensions.push({
      name: billingExtension,
      body: {
        location,
        tags,
        properties: {
          ...shared,
          publisher: 'Microsoft.AKS',
          type: 'Compute.AKS.Linux.Billing',
          typeHandlerVersion: '1.0',
        },
      },
    });
  }
  return extensions;
}

/** On a machine that has some already, only those that it lacks: a script must not run twice. */
export async function putExtensions(
  arm: Arm,
  vm: ResourceRef,
  request: {
    readonly extensions: readonly NamedExtension[];
    readonly isNew: boolean;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { extensions, isNew, signal } = request;
  for (const { name, body } of extensions) {
    const ref = extensionRef(vm, name);
    if (!isNew && (await getResource(arm, ref, signal)) !== undefined) continue;
    await whenIdle(arm, vm, signal, async () => {
      const operation = await beginPut(arm, ref, { body, signal });
      await operation.done(signal);
    });
  }
}

export async function tagExtension(
  arm: Arm,
  vm: ResourceRef,
  request: {
    readonly name: string;
    readonly tags: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { name, tags, signal } = request;
  try {
    const operation = await beginPatch(arm, extensionRef(vm, name), { body: { tags }, signal });
    await operation.done(signal);
  } catch (error) {
    // Machines made before there was billing have none.
    if (name !== billingExtension || !isArmNotFound(error)) throw error;
  }
}

export async function vmSettled(
  arm: Arm,
  { id: path, apiVersion }: ResourceRef,
  signal: AbortSignal,
): Promise<void> {
  await settled(arm, { method: 'GET', path, apiVersion, signal });
}

/** A machine that somebody else is changing, such as the disk controller, refuses everyone else meanwhile. */
async function whenIdle(
  arm: Arm,
  vm: ResourceRef,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  await retry(
    {
      clock: arm.clock,
      signal,
      attempts: 5,
      backoff: { baseMs: 5000, maxMs: 60_000 },
      shouldRetry: (error) => findArmError(error)?.code === 'Conflict',
    },
    async (attempt) => {
      if (attempt > 0) await vmSettled(arm, vm, signal);
      await work();
    },
  );
}
