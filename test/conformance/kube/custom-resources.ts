// Kinds that a definition adds: served at once, held to their schema, and gone with it. In: a session. Out: tests.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  at,
  freshName,
  freshNamespace,
  until,
  verdict,
  type Answer,
  type Fields,
  type KubeSession,
} from './session.ts';

const merge = 'application/merge-patch+json';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function definition(group: string): Fields {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `foos.${group}` },
    spec: {
      group,
      names: { kind: 'Foo', plural: 'foos', shortNames: ['fo'], categories: ['all'] },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
          additionalPrinterColumns: [
            { name: 'Size', type: 'integer', jsonPath: '.spec.replicas' },
            {
              name: 'Ready',
              type: 'string',
              jsonPath: '.status.conditions[?(@.type=="Ready")].status',
            },
          ],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: { replicas: { type: 'integer', default: 3 }, a: { type: 'string' } },
                  'x-kubernetes-validations': [
                    { rule: 'self.replicas < 10', message: 'too many' },
                    { rule: '!has(oldSelf.a) || self.a == oldSelf.a', message: 'a is immutable' },
                  ],
                },
                status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          },
        },
        {
          name: 'v1beta1',
          served: true,
          storage: false,
          deprecated: true,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  };
}

export function describeCustomResources(open: () => KubeSession): void {
  describe('custom resources', () => {
    let group = '';
    let path = '';
    const create = (name: string, spec: Fields, more: Fields = {}): Promise<Answer> =>
      open().send('POST', path, {
        body: { apiVersion: `${group}/v1`, kind: 'Foo', metadata: { name }, spec, ...more },
      });

    beforeAll(async () => {
      group = `${freshName('g')}.example.com`;
      await open().send('POST', definitions, { body: definition(group) });
      path = `/apis/${group}/v1/namespaces/${await freshNamespace(open())}/foos`;
    });

    test('a definition is accepted and established', async () => {
      // It is served a moment before it says that it is.
      const path = `${definitions}/foos.${group}`;
      let { body } = await open().send('GET', path);
      for (let tries = 0; tries < 100 && !JSON.stringify(body).includes('InitialNames'); tries++) {
        await open().pause(50);
        ({ body } = await open().send('GET', path));
      }
      expect(at(body, 'status')).toMatchObject({
        acceptedNames: { kind: 'Foo', listKind: 'FooList', plural: 'foos', singular: 'foo' },
        conditions: [
          { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts' },
          { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
        ],
        storedVersions: ['v1'],
      });
    });

    test('its kind is found by discovery', async () => {
      const { body } = await open().send('GET', `/apis/${group}/v1`);
      const resources = at(body, 'resources') as readonly Fields[];
      expect(resources.map((resource) => resource['name'])).toEqual([
        'foos',
        'foos/status',
        'foos/scale',
      ]);
    });

    test('defaults are filled in, unknown fields and a status of the writer dropped', async () => {
      const { body, headers } = await create('defaults', { a: 'x', zz: 1 }, { status: { x: 1 } });
      expect(at(body, 'spec')).toEqual({ a: 'x', replicas: 3 });
      expect(body).not.toHaveProperty('status');
      expect(headers['warning']).toBe('299 - "unknown field \\"spec.zz\\""');
    });

    test('rules refuse in their own words, also about what was before', async () => {
      expect(verdict(await create('many', { replicas: 12 }))).toBe(
        `422 Invalid: Foo.${group} "many" is invalid: spec: Invalid value: too many`,
      );
      await create('fixed', { a: 'x' });
      const changed = await open().send('PATCH', `${path}/fixed`, {
        body: { spec: { a: 'y' } },
        type: merge,
      });
      expect(verdict(changed)).toBe(
        `422 Invalid: Foo.${group} "fixed" is invalid: spec: Invalid value: a is immutable`,
      );
    });

    test('generation counts changes of the spec, not of status or labels', async () => {
      await create('counted', {});
      const patch = async (target: string, body: Fields): Promise<unknown> => {
        const answer = await open().send('PATCH', target, { body, type: merge });
        return at(answer.body, 'metadata', 'generation');
      };
      const one = `${path}/counted`;
      const seen = [
        await patch(one, { metadata: { labels: { a: 'b' } } }),
        await patch(`${one}/status`, { status: { replicas: 1 }, spec: { replicas: 9 } }),
        await patch(one, { spec: { replicas: 4 }, status: { replicas: 7 } }),
      ];
      const { body } = await open().send('GET', one);
      expect([seen, at(body, 'spec', 'replicas'), at(body, 'status', 'replicas')]).toEqual([
        [1, 1, 2],
        4,
        1,
      ]);
    });

    test('scale is read and written by its paths', async () => {
      await create('scaled', { replicas: 2 });
      const body = { spec: { replicas: 5 } };
      const scaled = await open().send('PATCH', `${path}/scaled/scale`, { body, type: merge });
      expect(scaled.body).toMatchObject({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        spec: { replicas: 5 },
      });
      const { body: object } = await open().send('GET', `${path}/scaled`);
      expect(at(object, 'spec', 'replicas')).toBe(5);
    });

    test('another version shows the same object, and warns when it is on its way out', async () => {
      await create('versions', {});
      const other = await open().send('GET', `${path.replace('/v1/', '/v1beta1/')}/versions`);
      expect(at(other.body, 'apiVersion')).toBe(`${group}/v1beta1`);
      expect(other.headers['warning']).toBe(
        `299 - "${group}/v1beta1 Foo is deprecated; use ${group}/v1 Foo"`,
      );
    });

    test('columns are read by their paths', async () => {
      await create('shown', {});
      const body = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
      await open().send('PATCH', `${path}/shown/status`, { body, type: merge });
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      const { body: table } = await open().send('GET', `${path}/shown`, { accept });
      expect(at((at(table, 'rows') as readonly Fields[])[0], 'cells')).toEqual([
        'shown',
        3,
        'True',
      ]);
    });

    test('strategic merge is not spoken', async () => {
      const type = 'application/strategic-merge-patch+json';
      await create('patched', {});
      expect((await open().send('PATCH', `${path}/patched`, { body: {}, type })).status).toBe(415);
    });

    test('a definition that goes takes its objects along, and those that hold out hold it', async () => {
      const own = `${freshName('g')}.example.com`;
      await open().send('POST', definitions, { body: definition(own) });
      const foos = `/apis/${own}/v1/namespaces/${await freshNamespace(open())}/foos`;
      const body = {
        apiVersion: `${own}/v1`,
        kind: 'Foo',
        metadata: { name: 'x', finalizers: ['a.b/c'] },
        spec: {},
      };
      await open().send('POST', foos, { body });
      await open().send('DELETE', `${definitions}/foos.${own}`);
      const held = await open().send('GET', `${definitions}/foos.${own}`);
      expect(at(held.body, 'metadata', 'finalizers')).toEqual([
        'customresourcecleanup.apiextensions.k8s.io',
      ]);
      const late = await open().send('POST', foos, { body: { ...body, metadata: { name: 'y' } } });
      expect(verdict(late)).toBe(
        `403 Forbidden: foos.${own} "y" is forbidden: create not allowed while custom resource definition is terminating`,
      );
      await open().send('PATCH', `${foos}/x`, {
        body: { metadata: { finalizers: null } },
        type: merge,
      });
      expect((await until(open(), `${definitions}/foos.${own}`, 404)).status).toBe(404);
      expect(verdict(await until(open(), foos, 404))).toBe('404 404 page not found');
    });
  });
}
