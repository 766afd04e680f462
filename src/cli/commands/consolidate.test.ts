import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  instanceType,
  node,
  nodePool,
  pod,
  problem,
} from '../../../test/support/scheduling/builders.ts';
import { withDisruption } from '../../../test/support/scheduling/consolidation.ts';
import type { ConsolidationDocument } from '../../scheduling/consolidate/consolidate-document.ts';
import { main } from '../main.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'consolidate-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const code = await main(['consolidate', ...args], {
    terminal: {
      print: (text) => lines.out.push(text),
      complain: (text) => lines.err.push(text),
      styled: (_, text) => text,
    },
  });
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

async function file(content: object): Promise<string> {
  const path = join(directory, 'problem.json');
  await writeFile(path, JSON.stringify(content));
  return path;
}

async function methods(content: object, ...args: string[]) {
  const { out } = await run(await file(content), ...args);
  return (JSON.parse(out) as ConsolidationDocument).methods;
}

const weekend = [{ nodes: '0', schedule: '0 0 * * 6', duration: '48h' }, { nodes: '100%' }];
const cluster = problem({
  nodePools: [withDisruption(nodePool(), { budgets: weekend })],
  instanceTypes: [instanceType({ price: 0.25 })],
  nodes: ['empty', 'half', 'other'].map((name) => node({ name })),
  boundPods: [pod({ name: 'a', on: 'half' }), pod({ name: 'b', on: 'other' })],
});
const friday = ['--now', '2026-01-02T12:00:00Z'];
const saturday = ['--now', '2026-01-03T12:00:00Z'];

describe('karpenter consolidate', () => {
  test('prints what each way of the original would do', async () => {
    const { empty, multi, single, best } = await methods(cluster, ...friday);
    expect(empty).toEqual({
      candidates: 1,
      budget: { default: 3 },
      command: {
        reason: 'Empty',
        decision: 'delete',
        candidates: [
          {
            node: 'empty',
            nodePool: 'default',
            instanceType: 'medium',
            zone: 'z1',
            capacityType: 'on-demand',
            price: 0.25,
            disruptionCost: 1,
          },
        ],
        replacements: [],
        savings: 0.25,
        moved: [],
      },
    });
    expect(multi?.command?.moved).toEqual([{ name: 'empty', pods: ['default/a', 'default/b'] }]);
    expect(single?.command?.candidates.map((one) => one.node)).toEqual(['half']);
    expect(best).toBeUndefined();
  });

  test('combines them on request', async () => {
    const { best } = await methods(cluster, '--method', 'best', ...friday);
    const gone = best?.commands?.map(({ candidates }) => candidates.map((one) => one.node));
    expect(gone).toEqual([['empty'], ['half']]);
  });

  test('keeps the budget of the moment and says so', async () => {
    const found = await methods(cluster, '--method', 'single', '--explain', ...saturday);
    expect(found.single?.command).toBeNull();
    expect(found.single?.explanations?.['half']).toEqual({
      kind: 'budget',
      message: 'No allowed disruptions for disruption reason Underutilized due to blocking budget',
    });
  });

  test('ends with what is there when time is up', async () => {
    const found = await methods(cluster, '--method', 'single', '--time-limit', '0s', ...friday);
    expect(found.single?.command).toBeNull();
  });

  test('names every fault of a file that is no problem', async () => {
    const { code, err } = await run(await file({ nodes: [{ name: 'x' }], nonsense: 1 }));
    expect(code).toBe(1);
    expect(err).toContain('nonsense');
  });

  test.each([
    ['--method', 'fast'],
    ['--now', 'yesterday'],
  ])('refuses %s %s', async (flag, value) => {
    const { code, err } = await run(await file(cluster), flag, value);
    expect({ code, said: err.includes(value) }).toEqual({ code: 2, said: true });
  });
});
