import { describe, expect, test } from 'vitest';
import { nodePoolDefinition } from '../../../api/crd/node-pool.ts';
import type { JsonObject } from '../json.ts';
import { wireFields } from '../protobuf/wire-reader.ts';
import { customResourceSchema } from './custom-resource-schema.ts';
import { OpenApiDocuments, type ServedKind } from './open-api.ts';
import { TypeSchemas } from './type-schemas.ts';

const schemas = new TypeSchemas();
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const deployments: ServedKind = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  listKind: 'DeploymentList',
  plural: 'deployments',
  namespaced: true,
  verbs,
  subresources: [
    { name: 'status', verbs: ['get', 'patch', 'update'] },
    {
      name: 'scale',
      verbs: ['get', 'patch', 'update'],
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    },
  ],
};

const pods: ServedKind = {
  ...deployments,
  group: '',
  kind: 'Pod',
  listKind: 'PodList',
  plural: 'pods',
  subresources: [
    {
      name: 'eviction',
      verbs: ['create'],
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
    },
  ],
};

const nodePoolKind = { group: 'karpenter.sh', version: 'v1', kind: 'NodePool' };
const nodePools: ServedKind = {
  ...nodePoolKind,
  listKind: 'NodePoolList',
  plural: 'nodepools',
  namespaced: false,
  verbs,
  subresources: [],
  custom: {
    schema: customResourceSchema({
      openApi: nodePoolDefinition.versions[0]!.openApi,
      kind: nodePoolKind,
      builtIn: schemas,
    }),
  },
};

function documents(...kinds: readonly ServedKind[]) {
  const registry = { kinds: [...kinds], generation: 1 };
  return { registry, openApi: new OpenApiDocuments({ schemas, registry }) };
}

function get(openApi: OpenApiDocuments, path: string, accept = 'application/json') {
  const answer = openApi.answer({ path, accept });
  const body = String(answer.body);
  return { ...answer, body, json: body === '' ? undefined : (JSON.parse(body) as Document) };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
  readonly definitions: Readonly<Record<string, JsonObject>>;
}

/** Every type that something refers to. */
function referencesIn(text: string): string[] {
  const found = text.matchAll(/"#\/(?:components\/schemas|definitions)\/([^"]+)"/g);
  return [...new Set([...found].map(([, name = '']) => name))].toSorted();
}

describe('the OpenAPI documents of version 3', () => {
  const { openApi } = documents(pods, deployments, nodePools);
  const apps = get(openApi, '/openapi/v3/apis/apps/v1');

  test('are listed with an address that changes with them', () => {
    const { json, headers } = get(openApi, '/openapi/v3');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(Object.keys(json!.paths)).toEqual(['api/v1', 'apis/apps/v1', 'apis/karpenter.sh/v1']);
    const { serverRelativeURL } = json!.paths['apis/apps/v1'] as unknown as {
      serverRelativeURL: string;
    };
    expect(serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    expect(get(openApi, serverRelativeURL)).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'public, immutable' },
    });
  });

  test('define every type that they refer to, and nothing that is not used', () => {
    for (const path of ['api/v1', 'apis/apps/v1', 'apis/karpenter.sh/v1']) {
      const { body, json } = get(openApi, `/openapi/v3/${path}`);
      const types = Object.keys(json!.components.schemas);
      expect(types).toEqual(expect.arrayContaining(referencesIn(body)));
    }
  });

  test('tell the kind behind a path, its options and its patches', () => {
    const { patch } = apps.json!.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']!;
    expect(patch).toMatchObject({
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
    });
    const names = (patch!['parameters'] as readonly { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force']);
    const { content } = patch!['requestBody'] as { content: JsonObject };
    expect(Object.keys(content)).toContain('application/strategic-merge-patch+json');
  });

  test('tell that custom resources know no strategic merge', () => {
    const { json } = get(openApi, '/openapi/v3/apis/karpenter.sh/v1');
    const { patch } = json!.paths['/apis/karpenter.sh/v1/nodepools/{name}']!;
    const { content } = patch!['requestBody'] as { content: JsonObject };
    expect(Object.keys(content)).toEqual([
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
    const type = json!.components.schemas['sh.karpenter.v1.NodePool']!;
    expect(type).toMatchObject({
      description: expect.stringContaining('node'),
      'x-kubernetes-group-version-kind': [nodePoolKind],
    });
    expect(json!.components.schemas['sh.karpenter.v1.NodePoolList']).toBeDefined();
  });

  test('keep what merging clients need', () => {
    const { json } = get(openApi, '/openapi/v3/api/v1');
    const spec = json!.components.schemas['io.k8s.api.core.v1.PodSpec'] as {
      properties: JsonObject;
    };
    expect(spec.properties['containers']).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/io.k8s.api.core.v1.Container' },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    });
    expect(json!.components.schemas['io.k8s.api.core.v1.Pod']).toMatchObject({
      description: 'Containers that run together on one node.',
      'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
    });
  });

  test('describe only what is served', () => {
    const paths = Object.keys(apps.json!.paths);
    expect(paths).toEqual([
      '/apis/apps/v1/deployments',
      '/apis/apps/v1/namespaces/{namespace}/deployments',
      '/apis/apps/v1/namespaces/{namespace}/deployments/{name}',
      '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale',
      '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/status',
    ]);
    expect(get(openApi, '/openapi/v3/apis/batch/v1').status).toBe(404);
    const eviction = get(openApi, '/openapi/v3/api/v1').json!.paths[
      '/api/v1/namespaces/{namespace}/pods/{name}/eviction'
    ];
    expect(Object.keys(eviction!)).toEqual(['post', 'parameters']);
  });

  test.each([
    ['application/com.github.proto-openapi.spec.v3@v1.0+protobuf', 406],
    ['foo/bar', 406],
    ['application/json, */*', 200],
    ['application/json;q=0.5', 200],
    ['', 200],
  ])('answer %s with %d', (accept, status) => {
    expect(get(openApi, '/openapi/v3/apis/apps/v1', accept).status).toBe(status);
  });

  test('send a client with an old address to the new one, and nothing to one that is up to date', () => {
    expect(get(openApi, '/openapi/v3/apis/apps/v1?hash=OLD')).toMatchObject({
      status: 301,
      headers: {
        location: expect.stringMatching(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/),
      },
    });
    const ifNoneMatch = apps.headers['etag']!;
    const again = openApi.answer({ path: '/openapi/v3/apis/apps/v1', accept: '', ifNoneMatch });
    expect(again).toMatchObject({ status: 304, body: '' });
  });

  test('change when a definition comes, and only then', () => {
    const { registry, openApi } = documents(deployments);
    const before = get(openApi, '/openapi/v3').body;
    expect(get(openApi, '/openapi/v3').body).toBe(before);
    registry.kinds.push(nodePools);
    registry.generation++;
    const after = get(openApi, '/openapi/v3').body;
    expect(JSON.parse(after)).toMatchObject(JSON.parse(before) as JsonObject);
    expect(after).toContain('karpenter.sh');
  });
});

describe('the OpenAPI document of version 2', () => {
  const { openApi } = documents(pods, deployments, nodePools);
  const { json, body } = get(openApi, '/openapi/v2');

  test('has all kinds in one', () => {
    expect(json).toMatchObject({ swagger: '2.0', info: { title: 'Kubernetes', version: '1.35' } });
    expect(Object.keys(json!.definitions)).toEqual(expect.arrayContaining(referencesIn(body)));
    expect(json!.definitions).toHaveProperty(['sh.karpenter.v1.NodePool']);
  });

  test('uses only words that the older version has', () => {
    expect(json!.definitions['io.k8s.apimachinery.pkg.api.resource.Quantity']).toEqual({
      type: 'string',
    });
    expect(body).not.toMatch(/"(?:oneOf|anyOf|nullable|requestBody)"/);
    const { post } = json!.paths['/api/v1/namespaces/{namespace}/pods']!;
    expect(post!['parameters']).toContainEqual({
      name: 'body',
      in: 'body',
      required: true,
      schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' },
    });
  });

  test('has the same in its binary form', () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const answer = openApi.answer({ path: '/openapi/v2', accept });
    const read = (bytes: Uint8Array) =>
      [...wireFields(bytes)].map(({ number, value }) => ({
        number,
        content: value.type === 'bytes' ? value.value : new Uint8Array(),
      }));
    const top = read(answer.body as Uint8Array);
    const definitions = top.find(({ number }) => number === 9)!;
    const names = read(definitions.content).map(({ content }) => read(content)[0]!.content);
    expect(String(Buffer.from(top[0]!.content))).toBe('2.0');
    expect(names.map((name) => Buffer.from(name).toString())).toEqual(
      Object.keys(json!.definitions),
    );
  });
});
