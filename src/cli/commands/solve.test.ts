import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import {
  hostname,
  instanceType,
  node,
  nodePool,
  pod,
  problem,
  replicas,
} from '../../../test/support/scheduling/builders.ts';
import type { ProblemJson } from '../../../test/support/scheduling/problem-json.ts';
import { readVectors } from '../../../test/support/scheduling/vectors.ts';
import { verifyPlan } from '../../../test/support/scheduling/verify-plan.ts';
import { main } from '../main.ts';
import type { SolveDocument } from '../solve-document.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'solve-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const code = await main(['solve', ...args], {
    terminal: {
      print: (text) => lines.out.push(text),
      complain: (text) => lines.err.push(text),
      styled: (_, text) => text,
    },
  });
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

async function file(content: string, name = 'problem.json'): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

async function solved(json: ProblemJson, ...args: string[]): Promise<SolveDocument> {
  const { out } = await run(await file(JSON.stringify(json)), ...args);
  return JSON.parse(out) as SolveDocument;
}

const small = instanceType({ name: 'small', cpu: '2', price: 0.1 });
const large = instanceType({ name: 'large', cpu: '8', price: 0.3 });
const instanceTypes = [small, large];
const fours = problem({ instanceTypes, pods: replicas(4, { name: 'p', cpu: '2' }) });

describe('karpenter solve', () => {
  test('prints a plan that keeps the rules, in the format of the original', async () => {
    const [vector] = readVectors('plain');
    const { stopped, unreached, ...plan } = await solved(vector!.problem);
    expect(Object.keys(plan)).toEqual(Object.keys(vector!.plan).filter((key) => key in plan));
    expect(verifyPlan(vector!.problem, plan as never)).toEqual([]);
    expect({ stopped, unreached }).toEqual({ stopped: false, unreached: [] });
  });

  test('reads YAML as well', async () => {
    const { out, code } = await run(await file(stringify(fours), 'problem.yaml'));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ totalPrice: 0.3, podErrors: {} });
  });

  test('leaves out pods that fail validation and says why', async () => {
    const pods = [pod({ name: 'a' }), pod({ name: 'b', nodeSelector: { [hostname]: 'x' } })];
    const { podErrors, newNodeClaims } = await solved(problem({ instanceTypes, pods }));
    expect(newNodeClaims.map((claim) => claim.pods)).toEqual([['default/a']]);
    expect(podErrors['default/b']).toMatch(/^ignoring pod, .*kubernetes.io\/hostname/);
  });

  test('explains what went nowhere and why nodes are of their type', async () => {
    const pods = [pod({ name: 'a', cpu: '3' }), pod({ name: 'b', cpu: '9' })];
    const { explanations, podErrors } = await solved(problem({ instanceTypes, pods }), '--explain');
    expect(podErrors['default/b']).toMatch(/^no instance type has enough resources/);
    expect(explanations).toMatchObject({
      pods: [
        { pod: 'default/b', pools: [{ nearest: { instanceType: 'large', short: { cpu: '1' } } }] },
      ],
      claims: [
        {
          firstPod: 'default/a',
          choice: { instanceType: 'large' },
          cheaper: { instanceType: 'small', short: { cpu: '1' } },
        },
      ],
    });
  });

  test('says how much could be saved at most', async () => {
    const json = problem({ instanceTypes: [small], pods: replicas(3, { name: 'p', cpu: '500m' }) });
    const { bound, gap, boundInPools, gapInPools } = await solved(json, '--bound');
    expect(bound).toBeCloseTo(0.075, 4);
    expect(gap).toBeCloseTo(0.25, 3);
    expect([boundInPools, gapInPools]).toEqual([bound, gap]);
    const withCost = await solved(json, '--bound', '--node-cost', '0.1');
    expect(withCost.bound).toBeCloseTo(0.15, 4);
    expect(withCost.gap).toBeCloseTo(0.25, 3);
  });

  test('stops at the time limit and names the pods that it did not look at', async () => {
    const { stopped, unreached, newNodeClaims } = await solved(fours, '--time-limit', '0s');
    expect({ stopped, unreached, newNodeClaims }).toEqual({
      stopped: true,
      unreached: ['default/p-0', 'default/p-1', 'default/p-2', 'default/p-3'],
      newNodeClaims: [],
    });
  });

  test('heeds the policies', async () => {
    const preferred = [[{ key: 'kubernetes.io/arch', operator: 'In' as const, values: ['arm64'] }]];
    const arm = instanceType({ name: 'arm', cpu: '2', price: 0.9, arch: 'arm64' });
    const json = problem({ instanceTypes: [small, arm], pods: [pod({ preferred })] });
    const prices = [
      (await solved(json)).totalPrice,
      (await solved(json, '--preference-policy', 'Ignore')).totalPrice,
    ];
    expect(prices).toEqual([0.9, 0.1]);
    const variety = [{ key: 'karpenter.azure.com/sku-cpu', operator: 'Exists', minValues: 2 }];
    const varied = problem({
      nodePools: [nodePool({ requirements: variety })],
      instanceTypes,
      pods: [pod({ name: 'a', cpu: '5' })],
    });
    expect(Object.keys((await solved(varied)).podErrors)).toEqual(['default/a']);
    expect((await solved(varied, '--min-values-policy', 'BestEffort')).podErrors).toEqual({});
  });

  test('prints a table for people', async () => {
    const json = problem({
      instanceTypes,
      nodes: [node({ name: 'old', instanceType: 'small' })],
      pods: [
        pod({ name: 'a', cpu: '2', memory: '1Gi' }),
        pod({ name: 'b', cpu: '4', memory: '4Gi' }),
        pod({ name: 'c', cpu: '9' }),
      ],
    });
    const { out } = await run(await file(JSON.stringify(json)), '-o', 'text', '--bound');
    expect(out.split('\n')).toEqual([
      'NODEPOOL  INSTANCE TYPE  CAPACITY   ZONES        $/H  PODS   CPU  MEMORY',
      'default   large          on-demand  z1,z2,z3  0.3000     1  50 %    25 %',
      '',
      'Existing nodes that get pods:',
      '  old: 1 pod',
      '',
      'Pods that go nowhere:',
      expect.stringMatching(
        /^ {2}default\/c: no instance type has enough resources, requirements=/,
      ),
      '',
      '1 node to make for 0.3000 per hour, using 50 % of cpu and 25 % of memory.',
      '1 pod on new nodes, 1 on existing ones, 1 nowhere.',
      expect.stringMatching(
        /^No plan costs less than 0\.\d+ per hour: at most .* % could be saved\.$/,
      ),
    ]);
  });

  test('explains in the table too', async () => {
    const pods = [
      pod({ name: 'a', cpu: '3' }),
      pod({ name: 'b', cpu: '9' }),
      pod({ name: 'c', nodeSelector: { [hostname]: 'x' } }),
    ];
    const path = await file(JSON.stringify(problem({ instanceTypes, pods })));
    const { out } = await run(path, '-o', 'text', '--explain');
    expect(out).toContain('  default/b asks for cpu 9, memory 128Mi, pods 1.');
    expect(out).toContain('large comes closest, short of cpu 1.');
    expect(out).toContain('  default/c: ignoring pod, ');
    expect(out).toContain('node of default/a: large at 0.3000; small at 0.1000 is short of cpu 1');
  });

  test('says so when there is nothing to make, or when it was stopped', async () => {
    const empty = await file(JSON.stringify(problem({ instanceTypes, pods: [] })));
    expect((await run(empty, '-o', 'text')).out).toMatch(/^No nodes to make\.\n/);
    const path = await file(JSON.stringify(fours));
    expect((await run(path, '-o', 'text', '--time-limit', '0s')).out).toMatch(
      /Stopped at the time limit; 4 pods not looked at\.$/,
    );
  });
});

describe('karpenter solve, called wrongly', () => {
  test('names every fault of the document with its path', async () => {
    const path = await file('{"pods": [{"metadata": {}}], "nodes": 3}');
    const { code, err, out } = await run(path);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.split('\n').every((line) => line.startsWith(`${path}: `))).toBe(true);
    expect(err).toContain('pods[0].metadata');
    expect(err).toContain('nodes: 3: ');
  });

  test('a file that is not JSON, or not there, is named', async () => {
    const torn = await file('{"pods": [');
    expect(await run(torn)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`path=${torn}`),
    });
    expect(await run('/nowhere.json')).toMatchObject({
      code: 1,
      err: expect.stringContaining('path=/nowhere.json'),
    });
  });

  test.each([
    [['--time-limit', 'soon'], 'such as 10s'],
    [['--time-limit', '-1s'], 'such as 10s'],
    [['--node-cost', 'much'], 'such as 0.01'],
    [['--pack-rounds', '-1'], 'whole number'],
    [['--output', 'xml'], 'Allowed choices are json, text'],
    [['--preference-policy', 'Maybe'], 'Allowed choices are Respect, Ignore'],
  ])('answers %j with what to write instead', async (args, rule) => {
    const { code, err } = await run('x.json', ...args);
    expect(code).toBe(2);
    expect(err).toContain(rule);
  });
});
