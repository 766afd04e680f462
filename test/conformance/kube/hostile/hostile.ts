// Hostile and malformed requests, by theme: each is refused in the words of a real server and leaves nothing behind, and
// after all of them the server serves as before. In: a session. Out: tests.
import { beforeAll, describe, expect, test } from 'vitest';
import { verdict, type KubeSession } from '../session.ts';
import { accessRows } from './access.ts';
import { bodyRows } from './bodies.ts';
import { customRows } from './custom.ts';
import { definitionRows } from './definitions.ts';
import { fieldRows } from './fields.ts';
import { identityRows } from './identity.ts';
import { optionRows } from './options.ts';
import { patchRows } from './patches.ts';
import { pathRows } from './paths.ts';
import { podFieldRows } from './pod-fields.ts';
import { filled, filledRequest, pattern, type Names, type Row } from './row.ts';
import { everything, setStage } from './stage.ts';
import { subresourceRows } from './subresources.ts';

const themes: Readonly<Record<string, readonly Row[]>> = {
  bodies: bodyRows,
  paths: pathRows,
  options: optionRows,
  identity: identityRows,
  pods: podFieldRows,
  fields: fieldRows,
  patches: patchRows,
  subresources: subresourceRows,
  definitions: definitionRows,
  'custom resources': customRows,
  access: accessRows,
};

export function describeHostile(open: () => KubeSession): void {
  describe('hostile', () => {
    let names: Names = {};
    let before: readonly string[] = [];

    beforeAll(async () => {
      names = await setStage(open());
      before = await everything(open(), names);
    });

    describe.each(Object.entries(themes))('%s', (_, rows) => {
      test.each(rows)('%s', async (...[, call, request, expected]) => {
        const [method = '', path = ''] = filled(call, names).split(/ (.*)/s);
        const answer = await open().send(method, path, filledRequest(request, names));
        expect(verdict(answer)).toMatch(pattern(expected, names));
      });

      // Not after every row: on a real server that would be two thirds of the time.
      test('leave everything as it was', async () => {
        expect(await everything(open(), names)).toEqual(before);
      });
    });

    test('after all that a good request is served', async () => {
      const body = { metadata: { name: 'good' }, data: { a: 'b' } };
      const path = `/api/v1/namespaces/${names['ns']}/configmaps`;
      expect((await open().send('POST', path, { body })).status).toBe(201);
      expect((await open().send('GET', `${path}/good`)).body).toMatchObject({ data: { a: 'b' } });
    });
  });
}
