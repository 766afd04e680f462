import { describe, expect, test } from 'vitest';
import { maintenanceWindow, maintenanceWindowConfigMap } from './maintenance-window.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const keys = {
  start: 'aksManagedNodeOSUpgradeSchedule-start',
  end: 'aksManagedNodeOSUpgradeSchedule-end',
};

function announced(start: string, end: string) {
  return maintenanceWindow({ [keys.start]: start, [keys.end]: end }, nowMs);
}

describe('the maintenance window', () => {
  test.each([
    ['nothing is announced', {}],
    ['its times are empty', { [keys.start]: '', [keys.end]: '' }],
    [
      'it speaks of something else',
      { 'aksManagedAutoUpgradeSchedule-start': '2020-01-01T00:00:00Z' },
    ],
  ])('is open when %s', (_, data) => {
    expect(maintenanceWindow(data, nowMs)).toEqual({ kind: 'open' });
  });

  test.each([
    ['2026-03-01T11:59:59Z', '2026-03-01T12:00:01Z', 'open'],
    ['2026-03-01T13:00:00+02:00', '2026-03-01T13:00:00Z', 'open'],
    ['2026-03-01T12:00:00Z', '2026-03-01T13:00:00Z', 'closed'],
    ['2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z', 'closed'],
    ['2026-03-02T00:00:00Z', '2026-03-02T04:00:00Z', 'closed'],
  ])('from %s to %s is %s at noon', (start, end, kind) => {
    expect(announced(start, end).kind).toBe(kind);
  });

  test.each([
    ['2026-03-01T11:00:00Z', '', keys.end],
    ['', '2026-03-01T11:00:00Z', keys.start],
    ['tomorrow', '2026-03-01T11:00:00Z', keys.start],
    ['2026-03-01T11:00:00Z', '2026-03-01', keys.end],
    ['2026-13-01T11:00:00Z', '2026-03-01T11:00:00Z', keys.start],
  ])('from %j to %j is an error that names the key', (start, end, key) => {
    expect(announced(start, end)).toEqual({
      kind: 'invalid',
      reason: expect.stringContaining(`${key} of ConfigMap ${maintenanceWindowConfigMap}`),
    });
  });
});
