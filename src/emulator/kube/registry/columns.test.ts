import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../object.ts';
import { selectorText, shortDuration } from './columns.ts';
import { podColumns } from './pod-columns.ts';
import { compareVersions } from './registry.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [0, '0s'],
  [-1000, '0s'],
  [-5000, '<invalid>'],
  [119_000, '119s'],
  [2 * minute, '2m'],
  [9 * minute + 5000, '9m5s'],
  [10 * minute + 5000, '10m'],
  [3 * hour, '3h'],
  [3 * hour + 7 * minute, '3h7m'],
  [9 * hour + 7 * minute, '9h'],
  [47 * hour, '47h'],
  [2 * day + hour, '2d1h'],
  [8 * day, '8d'],
  [800 * day, '2y70d'],
  [9 * 365 * day, '9y'],
])('%d ms reads %s', (ms, text) => {
  expect(shortDuration(ms)).toBe(text);
});

test('a selector reads as on a command line', () => {
  const selector = {
    matchLabels: { b: '2', a: '1' },
    matchExpressions: [
      { key: 'c', operator: 'In', values: ['y', 'x'] },
      { key: 'd', operator: 'DoesNotExist' },
    ],
  };
  expect(selectorText(selector)).toBe('a=1,b=2,c in (x,y),!d');
});

describe('the state of a pod', () => {
  const state = (status: object, more: object = {}): unknown[] => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', ...more },
      spec: { containers: [{ name: 'a' }, { name: 'b' }], initContainers: [{ name: 'i' }] },
      status,
    } as unknown as ApiObject;
    return podColumns
      .slice(1, 4)
      .map((column) => column.cell(pod, Date.parse('2026-01-01T01:00:00Z')));
  };
  const running = { ready: true, restartCount: 0, state: { running: {} } };
  const done = { name: 'i', restartCount: 0, state: { terminated: { exitCode: 0 } } };

  test.each([
    ['just made', { phase: 'Pending' }, ['0/2', 'Pending', '0']],
    [
      'running',
      { phase: 'Running', initContainerStatuses: [done], containerStatuses: [running, running] },
      ['2/2', 'Running', '0'],
    ],
    [
      'waiting for its first container',
      {
        phase: 'Pending',
        initContainerStatuses: [{ name: 'i', restartCount: 0, state: { running: {} } }],
      },
      ['0/2', 'Init:0/1', '0'],
    ],
    [
      'failing to begin',
      {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'i', restartCount: 2, state: { terminated: { exitCode: 3 } } },
        ],
      },
      ['0/2', 'Init:ExitCode:3', '2'],
    ],
    [
      'crashing',
      {
        phase: 'Running',
        containerStatuses: [
          running,
          {
            ready: false,
            restartCount: 4,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { finishedAt: '2026-01-01T00:57:00Z' } },
          },
        ],
      },
      ['1/2', 'CrashLoopBackOff', '4 (3m ago)'],
    ],
    [
      'finished',
      {
        phase: 'Succeeded',
        containerStatuses: [
          {
            ready: false,
            restartCount: 0,
            state: { terminated: { reason: 'Completed', exitCode: 0 } },
          },
        ],
      },
      ['0/2', 'Completed', '0'],
    ],
    ['evicted', { phase: 'Failed', reason: 'Evicted' }, ['0/2', 'Evicted', '0']],
    [
      'gated',
      { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] },
      ['0/2', 'SchedulingGated', '0'],
    ],
  ])('%s', (_, status, expected) => {
    expect(state(status)).toEqual(expected);
  });

  test('on its way out', () => {
    const status = { phase: 'Running', containerStatuses: [running, running] };
    expect(state(status, { deletionTimestamp: '2026-01-01T00:00:00Z' })[1]).toBe('Terminating');
  });
});

test('versions are ordered from the most stable to the least', () => {
  const versions = ['v1alpha1', 'foo', 'v1', 'v2beta1', 'v2', 'v1beta2', 'bar', 'v1beta1'];
  expect(versions.toSorted(compareVersions)).toEqual([
    'v2',
    'v1',
    'v2beta1',
    'v1beta2',
    'v1beta1',
    'v1alpha1',
    'bar',
    'foo',
  ]);
});
