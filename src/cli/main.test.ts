import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { main } from './main.ts';
import type { Terminal } from './terminal.ts';

let directory: string;
let signal = new AbortController().signal;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cli-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const terminal: Terminal = {
    print: (text) => lines.out.push(text),
    complain: (text) => lines.err.push(text),
    styled: (_, text) => text,
  };
  const code = await main(args, { terminal, signal });
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

async function file(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

const nodePool = (spec: string): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
${spec}`;

describe('karpenter validate', () => {
  test('passes what an API server would take, and skips other kinds', async () => {
    const path = await file('good.yaml', `${nodePool('')}\n---\napiVersion: v1\nkind: Pod\n`);
    expect(await run('validate', path)).toEqual({
      code: 0,
      out: `valid   nodepool.karpenter.sh/a (${path}:1)\nskipped Pod (${path}:11): not a kind of Karpenter`,
      err: '',
    });
  });

  test('prints the objects as they would be stored', async () => {
    const path = await file('defaults.yaml', nodePool(''));
    const { out } = await run('validate', '-o', 'yaml', path);
    expect(parse(out)).toMatchObject({
      spec: {
        template: { spec: { expireAfter: '720h' } },
        disruption: { consolidateAfter: '0s', budgets: [{ nodes: '10%' }] },
      },
    });
    expect(JSON.parse((await run('validate', '-o', 'json', path)).out)).toEqual([parse(out)]);
  });

  test.each([
    [
      'a rule broken',
      nodePool('  replicas: 1\n  weight: 1'),
      `'weight' is not supported on static NodePools`,
    ],
    ['an unknown field', nodePool('  wieght: 1'), 'unknown field "spec.wieght"'],
    [
      'a version never served',
      'apiVersion: karpenter.sh/v1beta1\nkind: NodePool',
      '"karpenter.sh/v1beta1": supported values: "karpenter.sh/v1"',
    ],
    ['no name', 'apiVersion: karpenter.sh/v1\nkind: NodePool', 'metadata.name: Required value'],
    ['no kind', 'apiVersion: karpenter.sh/v1', 'apiVersion and kind must be set'],
    ['no object', '- 1', 'must be an object'],
  ])('refuses %s and says where and why', async (_, text, reason) => {
    const path = await file('bad.yaml', text);
    const { code, err } = await run('validate', path);
    expect(code).toBe(1);
    expect(err).toContain(`(${path}:1)`);
    expect(err).toContain(reason);
  });

  test('reads lists item by item', async () => {
    const items = [1, 2].map((n) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p${n}` },
    }));
    const path = await file('list.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    expect((await run('validate', path)).out.split('\n').length).toBe(2);
  });

  test('a file that cannot be read or parsed is named', async () => {
    expect(await run('validate', '/nowhere.yaml')).toMatchObject({
      code: 1,
      err: expect.stringContaining('path=/nowhere.yaml'),
    });
    const path = await file('torn.yaml', 'a: [1');
    expect((await run('validate', path)).err).toContain(`place=${path}:1:6`);
  });

  test('an unknown output format is answered with the known ones', async () => {
    expect((await run('validate', '-o', 'xml', 'x')).err).toContain('supported=text, yaml, json');
  });
});

describe('karpenter crds', () => {
  test('prints five definitions as one stream', async () => {
    const { out } = await run('crds');
    const names = parseAllDocuments(out).map((document) => document.getIn(['metadata', 'name']));
    expect(names).toEqual([
      'nodepools.karpenter.sh',
      'nodeclaims.karpenter.sh',
      'aksnodeclasses.karpenter.azure.com',
      'nodeoverlays.karpenter.sh',
      'capacitybuffers.autoscaling.x-k8s.io',
    ]);
  });
});

describe('karpenter start', () => {
  test('shows what is filled in, the drift hash, and how a mistake is answered', async () => {
    const { code, out } = await run('start', '--exit');
    expect(code).toBe(0);
    expect(out).toContain(
      'Installed: NodePool, NodeClaim, AKSNodeClass, NodeOverlay, CapacityBuffer.',
    );
    expect(out).toContain('filled in   spec.osDiskSizeGB=128\n  drift hash  11637731675550486674');
    expect(out).toContain('Unsupported value: "WhenUnderutilized"');
  });

  test('stays up until it is told to stop, and says how to use it', async () => {
    signal = AbortSignal.abort();
    const { code, out } = await run('start');
    signal = new AbortController().signal;
    expect(code).toBe(0);
    expect(out).toMatch(/export KUBECONFIG=.*\n[^]*Stopping\.$/);
  });

  test('an example that is refused makes it fail; a directory without any is named', async () => {
    await rm(directory, { recursive: true });
    directory = await mkdtemp(join(tmpdir(), 'cli-'));
    expect((await run('start', '--exit', '--examples', directory)).err).toContain(
      `directory=${directory}`,
    );
    await file(
      'bad.yaml',
      'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: x}\nspec: {}',
    );
    expect(await run('start', '--exit', '--examples', directory)).toMatchObject({
      code: 1,
      err: expect.stringContaining('spec.template: Required value'),
    });
  });

  test('a port that is none is refused with the rule', async () => {
    expect(await run('start', '--port', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('whole number from 0 to 65535'),
    });
  });
});

describe('the command line', () => {
  test('help and version end well; a wrong command ends with what to do', async () => {
    expect(await run('--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('validate'),
    });
    expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+ \(source\)$/);
    expect(await run('valdate')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean validate?'),
    });
  });
});
