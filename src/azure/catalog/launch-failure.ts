// What a refused launch means for later ones. In: Azure's error code and text, and what was tried. Out: the offerings
// that are not worth trying for a while, and the error that the loops understand; nothing for an error of another kind.
// The first row that matches counts. One table serves virtual machines and AKS machines, at once and later: they
// speak of the same causes in the same codes.
// A refusal in zones never closes the regional placement, nor the other way round: Azure places the two differently.
import { capacityType } from '../../api/labels.ts';
import { CreateError, insufficientCapacity } from '../../cloud/errors.ts';
import { type CapacityType, capacityTypes } from './quote.ts';
import { defaultRefusalMs, type UnavailableOfferings } from './unavailable-offerings.ts';
import type { VmSize } from './vm-size.ts';
import { placementScopeOf } from './zones.ts';

export interface LaunchAttempt {
  readonly size: VmSize;
  readonly zone: string;
  readonly capacityType: CapacityType;
}

export interface LaunchRefusal {
  readonly error: Error;
  /** The subscription's limits were met: its usage figures are out of date. */
  readonly quotaReached: boolean;
}

interface Failure {
  readonly code: string;
  readonly text: string;
}

interface Row {
  readonly code: string;
  readonly text?: string;
  /** Absent: no other offering would help either. */
  readonly reason?: string;
  readonly quota?: true;
  readonly zones: 'attempted' | 'scope' | 'all' | 'region';
  readonly types: 'attempted' | 'both' | 'spot';
  ttlMs(attempt: LaunchAttempt, failure: Failure): number;
  message(attempt: LaunchAttempt): string;
}

const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const moreQuota = 'https://learn.microsoft.com/en-us/azure/quotas/quickstart-increase-quota-portal';

const rows: readonly Row[] = [
  {
    code: 'OperationNotAllowed',
    text: 'LowPriorityCores',
    reason: 'SubscriptionQuotaReached',
    quota: true,
    zones: 'region',
    types: 'spot',
    ttlMs: () => hourMs,
    message: () =>
      `the subscription has used up its spot vCPUs in the region; ask for more: ${moreQuota}`,
  },
  {
    code: 'OperationNotAllowed',
    text: 'Family Cores quota',
    reason: 'SubscriptionQuotaReached',
    quota: true,
    zones: 'all',
    types: 'attempted',
    // Nothing was granted, so nothing will be given back.
    ttlMs: (_, { text }) => (text.includes('Current Limit: 0') ? hourMs : 10 * minuteMs),
    message: ({ size, capacityType }) =>
      `the subscription has no ${capacityType} vCPUs left for ${size.name}; other sizes are tried`,
  },
  {
    code: 'SkuNotAvailable',
    reason: 'SKUNotAvailable',
    zones: 'scope',
    types: 'attempted',
    ttlMs: (attempt) => (attempt.capacityType === capacityType.spot ? hourMs : 23 * hourMs),
    message: ({ size, zone, capacityType }) =>
      `${size.name} cannot be had in zone ${zone} with capacity type ${capacityType}: https://aka.ms/azureskunotavailable`,
  },
  {
    code: 'ZonalAllocationFailed',
    reason: 'ZonalAllocationFailure',
    zones: 'attempted',
    types: 'both',
    ttlMs: () => hourMs,
    message: ({ zone }) => `zone ${zone} has no room; other zones are tried`,
  },
  {
    code: 'AllocationFailed',
    reason: 'AllocationFailure',
    zones: 'scope',
    types: 'both',
    ttlMs: () => hourMs,
    message: ({ size }) => `there is no room for ${size.name}; other sizes are tried`,
  },
  {
    code: 'OverconstrainedZonalAllocationRequest',
    reason: 'OverconstrainedZonalAllocationFailure',
    zones: 'attempted',
    types: 'attempted',
    ttlMs: () => hourMs,
    message: ({ size, zone, capacityType }) =>
      `zone ${zone} has no room for ${size.name} with capacity type ${capacityType}; other offerings are tried`,
  },
  {
    code: 'OverconstrainedAllocationRequest',
    reason: 'OverconstrainedAllocationFailure',
    zones: 'scope',
    types: 'attempted',
    ttlMs: () => hourMs,
    message: ({ size, capacityType }) =>
      `there is no room for ${size.name} with capacity type ${capacityType}; other offerings are tried`,
  },
  {
    code: 'OperationNotAllowed',
    text: 'exceeding approved Total Regional Cores quota',
    quota: true,
    zones: 'region',
    types: 'attempted',
    ttlMs: () => defaultRefusalMs,
    message: ({ capacityType }) =>
      `the subscription has used up its ${capacityType} vCPUs in the region; ask for more: ${moreQuota}`,
  },
  ...[
    { code: 'VMSizeNotSupported' },
    { code: 'BadRequest', text: 'is not supported for subscription' },
  ].map((match): Row => ({
    ...match,
    reason: 'SKUNotAvailable',
    zones: 'all',
    types: 'both',
    ttlMs: () => 23 * hourMs,
    message: ({ size }) => `${size.name} is not supported for the subscription in the region`,
  })),
];

/** Remembers what was refused. Undefined when the failure says nothing about offerings. */
export function learnFromFailure(options: {
  readonly failure: Failure;
  readonly attempt: LaunchAttempt;
  readonly unavailable: UnavailableOfferings;
}): LaunchRefusal | undefined {
  const { failure, attempt, unavailable } = options;
  const row = rows.find(
    ({ code, text = '' }) => code === failure.code && failure.text.includes(text),
  );
  if (row === undefined) return undefined;
  refuse(row, { unavailable, attempt, ttlMs: row.ttlMs(attempt, failure) });
  return { error: errorOf(row, attempt), quotaReached: row.quota === true };
}

function refuse(
  row: Row,
  options: {
    readonly unavailable: UnavailableOfferings;
    readonly attempt: LaunchAttempt;
    readonly ttlMs: number;
  },
): void {
  const { unavailable, attempt, ttlMs } = options;
  const { size } = attempt;
  for (const type of refusedTypes(row, attempt)) {
    if (row.zones === 'region') {
      // Spot is used up as a whole; a total of the region may still have room for something smaller.
      const fromVcpus = row.types === 'spot' ? 0 : size.vcpus;
      unavailable.refuseRegion({ capacityType: type, fromVcpus, ttlMs });
      continue;
    }
    for (const zone of refusedZones(row, attempt)) {
      unavailable.refuse({ size, zone, capacityType: type, ttlMs });
    }
  }
}

function refusedTypes({ types }: Row, attempt: LaunchAttempt): readonly CapacityType[] {
  if (types === 'both') return capacityTypes;
  return [types === 'spot' ? capacityType.spot : attempt.capacityType];
}

function refusedZones({ zones }: Row, { size, zone }: LaunchAttempt): readonly string[] {
  if (zones === 'attempted') return [zone];
  const all = size.zones.map((place) => place.zone);
  if (zones === 'all') return all;
  return all.filter((other) => placementScopeOf(other) === placementScopeOf(zone));
}

function errorOf(row: Row, attempt: LaunchAttempt): Error {
  const message = row.message(attempt);
  const { zone, capacityType } = attempt;
  const fields = { instanceType: attempt.size.name, zone, capacityType };
  const cause = new Error(message);
  if (row.reason === undefined) return insufficientCapacity({ cause, fields });
  return new CreateError({ reason: row.reason, message }, { cause, fields });
}
