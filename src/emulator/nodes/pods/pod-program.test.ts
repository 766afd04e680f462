import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kube/json.ts';
import { initProgramOf, programOf } from './pod-program.ts';

const taskMs = 30_000;

function pod(annotations: Record<string, string> = {}, restartPolicy = 'Always'): JsonObject {
  const named = Object.entries(annotations).map(([name, value]) => [
    `emulator.karpenter.sh/${name}`,
    value,
  ]);
  return { metadata: { annotations: Object.fromEntries(named) }, spec: { restartPolicy } };
}

const forever = { runsForMs: undefined, exitCode: 0, readyAfterMs: 0, stopsInMs: undefined };

describe('a program', () => {
  test('runs until it is stopped when nothing else is said', () => {
    expect(programOf(pod(), {}, taskMs)).toEqual(forever);
  });

  test.each(['Never', 'OnFailure'])(
    'of a pod that ends (%s) takes as long as tasks take',
    (policy) => {
      expect(programOf(pod({}, policy), {}, taskMs).runsForMs).toBe(taskMs);
    },
  );

  test('does what the annotations of its pod say', () => {
    const said = {
      'runs-for': '1m30s',
      'exit-code': '3',
      'ready-after': '500ms',
      'stops-in': '1h',
    };
    expect(programOf(pod(said), {}, taskMs)).toEqual({
      runsForMs: 90_000,
      exitCode: 3,
      readyAfterMs: 500,
      stopsInMs: 3_600_000,
    });
  });

  test.each<[string, JsonObject, number | undefined, number]>([
    ['sleep', { command: ['sleep', '5'] }, 5000, 0],
    ['sleep with a unit', { command: ['sleep'], args: ['2m'] }, 120_000, 0],
    ['sleep without end', { command: ['sleep', 'infinity'] }, undefined, 0],
    ['true', { command: ['true'] }, 0, 0],
    ['false', { command: ['false'] }, 0, 1],
    ['a shell', { command: ['/bin/sh', '-c', 'echo hi; sleep 3 && exit 7'] }, 3000, 7],
    ['a shell with arguments', { command: ['bash', '-c'], args: ['sleep 1'] }, 1000, 0],
    ['an unknown program', { command: ['nginx'] }, undefined, 0],
    ['a shell with an unknown program', { command: ['sh', '-c', 'sleep 1; nginx'] }, undefined, 0],
  ])('is known by its command: %s', (_, container, runsForMs, exitCode) => {
    const program = programOf(pod(), container, taskMs);
    expect([program.runsForMs, program.exitCode]).toEqual([runsForMs, exitCode]);
  });

  test('ignores annotations that make no sense', () => {
    expect(programOf(pod({ 'runs-for': 'long', 'exit-code': 'bad' }), {}, taskMs)).toEqual(forever);
  });

  test('is ready when its probe has succeeded as often as it must', () => {
    const readinessProbe = { initialDelaySeconds: 5, periodSeconds: 3, successThreshold: 3 };
    expect(programOf(pod(), { readinessProbe }, taskMs).readyAfterMs).toBe(11_000);
  });

  test('that initializes ends at once unless its command says otherwise', () => {
    const times = [{}, { command: ['sleep', '4'] }].map((one) => initProgramOf(one).runsForMs);
    expect(times).toEqual([0, 4000]);
  });
});
