// Finding and talking to the original as a program. The program here is a stand-in that tells what it was asked.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOracle } from '../../../bench/oracle.ts';
import { pod, problem, volume } from './builders.ts';

let directory = '';

async function program(text: string): Promise<string> {
  const path = join(directory, `program-${text.length}`);
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
  return path;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oracle-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('the oracle', () => {
  test('is asked with flags as it spells them', async () => {
    const path = await program('echo "{\\"args\\": \\"$*\\"}"');
    const oracle = await findOracle({ environment: { KARPENTER_ORACLE: path } });
    const answers = [
      await oracle.generate({ kind: 'mixed', pods: 3, minUtilization: 5 }),
      await oracle.schedule(problem(), {
        repeats: 4,
        minValuesPolicy: 'BestEffort',
        maxInstanceTypes: 60,
      }),
      await oracle.consolidate(problem(), { method: 'multi', spotToSpot: true }),
    ];
    expect(answers).toEqual([
      { args: 'gen -kind=mixed -pods=3 -min-utilization=5' },
      { args: 'schedule -n 4 -min-values-policy=BestEffort -max-instance-types=60' },
      { args: 'consolidate -n 1 -method=multi -spot-to-spot=true' },
    ]);
  });

  test('is given each volume once more in each namespace that has pods', async () => {
    const oracle = await findOracle({ environment: { KARPENTER_ORACLE: await program('cat') } });
    const input = problem({
      persistentVolumes: [volume({ name: 'v' })],
      pods: [pod({ name: 'a' }), pod({ name: 'b', namespace: 'other' })],
    });
    const { persistentVolumes } = (await oracle.schedule(input)) as unknown as typeof input;
    const names = persistentVolumes?.map(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    );
    expect(names).toEqual(['undefined/v', 'default/v', 'other/v']);
  });

  test('passes on what the program complains about', async () => {
    const path = await program('echo "oracle: bad problem" >&2; exit 1');
    const oracle = await findOracle({ environment: { KARPENTER_ORACLE: path } });
    await expect(oracle.schedule(problem())).rejects.toMatchObject({
      code: 'OracleFailed',
      fields: { command: 'schedule', code: 1, said: 'oracle: bad problem' },
    });
  });

  test.each([
    [
      'the program that was named is not there',
      { KARPENTER_ORACLE: '/nowhere/oracle' },
      /names no program/,
    ],
    ['there is neither program nor source', {}, /set KARPENTER_ORACLE/],
    [
      'it cannot be built',
      { KARPENTER_ORACLE_SOURCE: '/nowhere', PATH: '' },
      /Go must be on the PATH/,
    ],
  ])('says so when %s', async (_, environment, message) => {
    const withCache = { ...environment, XDG_CACHE_HOME: directory };
    const failure = findOracle({ environment: withCache });
    await expect(failure).rejects.toMatchObject({
      code: 'NoOracle',
      message: expect.stringMatching(message),
    });
  });
});
