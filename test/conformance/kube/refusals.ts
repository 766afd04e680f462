// What a server says to requests that it does not fulfil: each line was read off a real one. In: a session. Out: tests.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/api/meta.ts';
import { at, freshNamespace, verdict, type KubeSession, type Request } from './session.ts';

type Case = readonly [
  what: string,
  method: string,
  path: string,
  request: Request,
  verdict: string,
];

const json = 'application/json';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
const map = (name: string, more: { readonly [key: string]: Json } = {}): Request => ({
  body: { metadata: { name }, ...more },
});

/** `NS` stands for the namespace of the test. */
const cases: readonly Case[] = [
  ['a path that is none', 'GET', '/foo', {}, '404 404 page not found'],
  ['a group that is none', 'GET', '/apis/foo.com/v1/foos', {}, '404 404 page not found'],
  [
    'a version that is none',
    'GET',
    '/apis/apps/v2/deployments',
    {},
    '404 NotFound: the server could not find the requested resource',
  ],
  [
    'a resource that is none',
    'GET',
    'NS/foos/x',
    {},
    '404 NotFound: the server could not find the requested resource',
  ],
  [
    'a namespaced name without a namespace',
    'GET',
    '/api/v1/pods/x',
    {},
    '404 NotFound: the server could not find the requested resource',
  ],
  [
    'a name that is not there',
    'GET',
    'NS/configmaps/nope',
    {},
    '404 NotFound: configmaps "nope" not found',
  ],
  [
    'the name of a grouped kind',
    'GET',
    '/apis/storage.k8s.io/v1/storageclasses/nope',
    {},
    '404 NotFound: storageclasses.storage.k8s.io "nope" not found',
  ],
  [
    'a create at a name',
    'POST',
    'NS/configmaps/x',
    map('x'),
    '405 MethodNotAllowed: the server does not allow this method on the requested resource',
  ],
  [
    'a create without a namespace',
    'POST',
    '/api/v1/configmaps',
    map('x'),
    '405 MethodNotAllowed: the server does not allow this method on the requested resource',
  ],
  [
    'a delete of all namespaces',
    'DELETE',
    '/api/v1/namespaces',
    {},
    '405 MethodNotAllowed: the server does not allow this method on the requested resource',
  ],
  [
    'a create in no namespace at all',
    'POST',
    '/api/v1/namespaces/nope/configmaps',
    map('x'),
    '404 NotFound: namespaces "nope" not found',
  ],
  [
    'another kind',
    'POST',
    'NS/configmaps',
    { body: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'x' } } },
    '400 BadRequest: Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
  ],
  [
    'another version',
    'POST',
    'NS/configmaps',
    { body: { kind: 'ConfigMap', apiVersion: 'v2', metadata: { name: 'x' } } },
    '400 BadRequest: ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    'another namespace',
    'POST',
    'NS/configmaps',
    { body: { metadata: { name: 'x', namespace: 'other' } } },
    '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    'text that is no JSON',
    'POST',
    '/api/v1/namespaces',
    { text: '{bad', type: json },
    "400 BadRequest: the object provided is unrecognized (must be of type Namespace): couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of object key string ({bad)",
  ],
  [
    'an empty body',
    'POST',
    '/api/v1/namespaces',
    { text: '', type: json },
    "400 BadRequest: the object provided is unrecognized (must be of type Namespace): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
  ],
  [
    'a value of the wrong type',
    'POST',
    'NS/configmaps',
    map('x', { data: [1] }),
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
  ],
  [
    'an unknown field, strictly',
    'POST',
    'NS/configmaps?fieldValidation=Strict',
    { text: '{"metadata":{"name":"x"},"foo":1,"data":{"a":"b","a":"c"}}', type: json },
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo", duplicate field "data.a"',
  ],
  [
    'no name',
    'POST',
    '/api/v1/namespaces',
    { body: { metadata: {} } },
    '422 Invalid: Namespace "" is invalid: metadata.name: Required value: name or generateName is required',
  ],
  [
    'a name that is taken',
    'POST',
    '/api/v1/namespaces',
    map('default'),
    '409 AlreadyExists: namespaces "default" already exists',
  ],
  [
    'a resourceVersion on create',
    'POST',
    'NS/configmaps',
    { body: { metadata: { name: 'x', resourceVersion: '5' } } },
    '500 Failure: resourceVersion should not be set on objects to be created',
  ],
  [
    'an update of nothing',
    'PUT',
    'NS/configmaps/nope',
    map('nope'),
    '404 NotFound: configmaps "nope" not found',
  ],
  [
    'an update under another name',
    'PUT',
    'NS/configmaps/nope',
    map('other'),
    '400 BadRequest: the name of the object (other) does not match the name on the URL (nope)',
  ],
  [
    'an update of an old copy',
    'PUT',
    '/api/v1/namespaces/default',
    { body: { metadata: { name: 'default', resourceVersion: '1' } } },
    '409 Conflict: Operation cannot be fulfilled on namespaces "default": the object has been modified; please apply your changes to the latest version and try again',
  ],
  [
    'a patch of nothing',
    'PATCH',
    'NS/configmaps/nope',
    { body: {}, type: merge },
    '404 NotFound: configmaps "nope" not found',
  ],
  [
    'a patch of no known type',
    'PATCH',
    '/api/v1/namespaces/default',
    { body: {}, type: json },
    '415 UnsupportedMediaType: 415: Unsupported Media Type',
  ],
  [
    'an apply by nobody',
    'PATCH',
    '/api/v1/namespaces/default',
    { text: '{}', type: apply },
    '422 Invalid: PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  ],
  [
    'force without apply',
    'PATCH',
    '/api/v1/namespaces/default?force=true',
    { body: {}, type: merge },
    '422 Invalid: PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  ],
  [
    'a dry run of another sort',
    'POST',
    'NS/configmaps?dryRun=foo',
    map('x'),
    '422 Invalid: CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["foo"]: supported values: "All"',
  ],
  [
    'a delete of nothing',
    'DELETE',
    'NS/configmaps/nope',
    {},
    '404 NotFound: configmaps "nope" not found',
  ],
  [
    'a delete with an unknown policy',
    'DELETE',
    '/api/v1/namespaces/default?propagationPolicy=Foo',
    {},
    '422 Invalid: DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"',
  ],
  [
    'a delete of what must stay',
    'DELETE',
    '/api/v1/namespaces/default',
    {},
    '403 Forbidden: namespaces "default" is forbidden: this namespace may not be deleted',
  ],
  [
    'a limit that is no number',
    'GET',
    '/api/v1/namespaces?limit=x',
    {},
    '400 BadRequest: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  [
    'a match without a version',
    'GET',
    '/api/v1/namespaces?resourceVersionMatch=Exact',
    {},
    '422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  ],
  [
    'a label selector that is none',
    'GET',
    '/api/v1/namespaces?labelSelector=%3D%3Db',
    {},
    "400 BadRequest: found '==', expected: !, identifier, or 'end of string'",
  ],
  [
    'a set that is not closed',
    'GET',
    '/api/v1/namespaces?labelSelector=a%20in%20(b',
    {},
    "400 BadRequest: unable to parse requirement: found '', expected: ',' or ')'",
  ],
  [
    'a field that cannot be selected',
    'GET',
    '/api/v1/namespaces?fieldSelector=spec.foo%3Db',
    {},
    '400 BadRequest: field label not supported: spec.foo',
  ],
  [
    'a field of a kind that offers none',
    'GET',
    '/apis/apps/v1/deployments?fieldSelector=a%3Db',
    {},
    '400 BadRequest: "a" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  [
    'a continue token that is none',
    'GET',
    '/api/v1/namespaces?continue=abc',
    {},
    "400 BadRequest: invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value",
  ],
  [
    'options of a deletion that are no object',
    'DELETE',
    'NS/configmaps/x',
    { text: '[]', type: json },
    `400 BadRequest: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  ],
  [
    'a gathered role that says not from which',
    'POST',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    map('gathered', { aggregationRule: {} }),
    '422 Invalid: ClusterRole.rbac.authorization.k8s.io "gathered" is invalid: aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
  ],
];

export function describeRefusals(open: () => KubeSession): void {
  describe('refusals', () => {
    let namespace = '';
    beforeAll(async () => {
      namespace = await freshNamespace(open());
    });

    test.each(cases)('%s', async (...[, method, path, request, expected]) => {
      const full = path.replace(/^NS/, `/api/v1/namespaces/${namespace}`);
      const answer = await open().send(method, full, request);
      expect(verdict(answer)).toBe(expected);
    });

    test('a field that comes twice in a patch is warned of, or refused where it may not', async () => {
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      await open().send('POST', path, map('twice'));
      const patch = { text: '{"data":{"a":"1","a":"2"}}', type: merge };
      const warned = await open().send('PATCH', `${path}/twice`, patch);
      const strict = await open().send('PATCH', `${path}/twice?fieldValidation=Strict`, patch);
      expect([warned.status, warned.headers['warning'], at(warned.body, 'data', 'a')]).toEqual([
        200,
        '299 - "duplicate field \\"data.a\\""',
        '2',
      ]);
      expect(verdict(strict)).toMatch(
        /^422 Invalid:  "" is invalid: patch: Invalid value: .*: strict decoding error: duplicate field "data\.a"$/,
      );
    });

    test('unknown fields are warned of, and dropped', async () => {
      const path = `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`;
      const text = '{"metadata":{"name":"x"},"foo":1,"data":{"a":"b","a":"c"}}';
      const answer = await open().send('POST', path, { text, type: json });
      expect(answer.headers['warning']).toBe(
        '299 - "unknown field \\"foo\\"", 299 - "duplicate field \\"data.a\\""',
      );
      expect(answer.body).toMatchObject({ data: { a: 'c' } });
      expect(answer.body).not.toHaveProperty('foo');
    });
  });
}
