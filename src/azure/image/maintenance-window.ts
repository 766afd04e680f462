// Whether node images may move now. In: the data of the ConfigMap in which AKS announces its next maintenance window,
// and the time. Out: open, closed, or what is wrong with the data.
// Nothing announced means that nobody minds: the window is open. Half an announcement is an error, never a guess.

export const maintenanceWindowConfigMap = 'upcoming-maintenance-window';

export type MaintenanceWindow =
  | { readonly kind: 'open' }
  | { readonly kind: 'closed'; readonly startMs: number; readonly endMs: number }
  | { readonly kind: 'invalid'; readonly reason: string };

const startKey = 'aksManagedNodeOSUpgradeSchedule-start';
const endKey = 'aksManagedNodeOSUpgradeSchedule-end';
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** `data` is empty when there is no ConfigMap, or no namespace in which it could be. */
export function maintenanceWindow(
  data: Readonly<Record<string, string>>,
  nowMs: number,
): MaintenanceWindow {
  const { [startKey]: start = '', [endKey]: end = '' } = data;
  if (start === '' && end === '') return { kind: 'open' };
  const startMs = parseTime(start);
  if (startMs === undefined) return invalid(startKey, start);
  const endMs = parseTime(end);
  if (endMs === undefined) return invalid(endKey, end);
  return startMs < nowMs && nowMs < endMs ? { kind: 'open' } : { kind: 'closed', startMs, endMs };
}

function invalid(key: string, text: string): MaintenanceWindow {
  return {
    kind: 'invalid',
    reason: `${key} of ConfigMap ${maintenanceWindowConfigMap} is ${JSON.stringify(text)}; it must be a time such as 2026-01-31T22:00:00Z, given for start and end or for neither`,
  };
}

function parseTime(text: string): number | undefined {
  const timeMs = rfc3339.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
