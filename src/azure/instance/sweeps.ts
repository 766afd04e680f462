// What nobody owns goes. In: what exists in Azure and who owns it. Out: the names of what was taken away.
// 1. Owners are read after the list: a machine is never older than its claim, so that one that is listed and has no claim
//    then has lost it.
// 2. Resource Graph lags behind: nothing is deleted that is not looked at once more.
// 3. A machine younger than the grace period is left alone: its claim may not be on record yet.
import { mapLimit } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { asError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { isNodeClaimNotFound } from '../../cloud/errors.ts';
import { networkInterfaceRef, networkInterfaceType } from '../arm/network-interfaces.ts';
import { beginDelete, getResource, type GroupRef } from '../arm/resource.ts';
import type { Arm } from '../arm/send.ts';
import { listOwn } from './graph-list.ts';
import type { Instance, Instances } from './instance.ts';
import { vmNameOfClaim } from './vm-instances.ts';

const graceMs = 5 * 60 * 1000;
const limit = 100;

export async function sweepInstances(options: {
  readonly instances: Instances;
  /** Provider ids of all NodeClaims; read after the machines were listed. */
  owned(): ReadonlySet<string>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<readonly Instance[]> {
  const { instances, clock, signal } = options;
  const listed = await instances.list(signal);
  const owned = options.owned();
  const orphans = listed.filter(
    ({ providerId, createdMs = clock.now(), state }) =>
      state !== 'deleting' && !owned.has(providerId) && clock.now() - createdMs > graceMs,
  );
  const gone = await mapLimit(orphans, { limit, signal }, async ({ name }) => {
    try {
      await instances.delete(name, signal);
      return true;
    } catch (error) {
      if (isNodeClaimNotFound(error)) return false;
      throw error;
    }
  });
  return orphans.filter((_, i) => gone[i]);
}

/** Azure keeps the interface of a failed machine for three minutes; whoever is refused tries again with the next sweep. */
export async function sweepInterfaces(options: {
  readonly arm: Arm;
  readonly nodeGroup: GroupRef;
  /** Names of machines that are there. */
  vmNames(signal: AbortSignal): Promise<Iterable<string>>;
  nodeClaimNames(): Iterable<string>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): Promise<readonly string[]> {
  const { arm, nodeGroup, log, signal } = options;
  const type = networkInterfaceType;
  const listed = await listOwn<{ readonly name?: string }>(arm, nodeGroup, { type, signal });
  const wanted = new Set([
    ...(await options.vmNames(signal)),
    ...[...options.nodeClaimNames()].map(vmNameOfClaim),
  ]);
  const orphans = listed
    .map(({ name = '' }) => name.toLowerCase())
    .filter((name) => name !== '' && !wanted.has(name));
  const gone = await mapLimit(orphans, { limit, signal }, async (name) => {
    const ref = networkInterfaceRef(nodeGroup, name);
    try {
      if ((await getResource(arm, ref, signal)) === undefined) return false;
      const operation = await beginDelete(arm, ref, { signal });
      await operation.done(signal);
      log.info('garbage collected network interface', { nicName: name });
      return true;
    } catch (error) {
      signal.throwIfAborted();
      log.error('cannot delete network interface', { nicName: name, error: asError(error) });
      return false;
    }
  });
  return orphans.filter((_, i) => gone[i]);
}
