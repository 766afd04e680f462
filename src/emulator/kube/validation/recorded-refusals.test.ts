// What a real server says to faulty objects, and what ours says to the same: test/vectors/validation.json.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../api/meta.ts';
import { validationCases } from '../../../../test/support/validation-cases.ts';
import { ClusterFixture } from '../controllers/cluster-fixture.ts';
import { textAt } from '../json.ts';

interface Recorded {
  readonly name: string;
  readonly code: number;
  readonly message?: string;
  readonly stored?: unknown;
}

const { answers } = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/validation.json', import.meta.url), 'utf8'),
) as { readonly answers: readonly Recorded[] };

/** Uids differ from server to server. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID'));
}

const cluster = new ClusterFixture();
beforeAll(async () => {
  await cluster.start();
});
afterAll(() => cluster.stop());

test('every case has an answer of a real server', () => {
  expect(answers.map(({ name }) => name)).toEqual(validationCases.map(({ name }) => name));
});

test.each(validationCases)('$name', async ({ name, path, object }) => {
  const { code, message, stored } = answers.find((answer) => answer.name === name)!;
  const { status, body } = await cluster.send('POST', `${path}?dryRun=All`, object as Json);
  const isMade = status === 201;
  const said = isMade ? undefined : textAt(body, 'message');
  const kept = isMade ? (body['spec'] ?? body['webhooks']) : undefined;
  expect([status, said, comparable(kept)]).toEqual([code, message, comparable(stored)]);
});
