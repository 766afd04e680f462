import { expect, test } from 'vitest';
import { requestInfo } from './request-info.ts';

function read(line: string) {
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  const info = requestInfo({ method, path, query: new URLSearchParams(query) });
  if (!info.isResource) return [info.verb, info.path];
  const { verb, group, version, namespace, resource, name, subresource, fieldSelector } = info;
  const place = [resource, name, subresource, ...(fieldSelector === '' ? [] : [fieldSelector])];
  return [verb, `${group}/${version}`, namespace, place.join('|')];
}

test.each([
  ['GET /api/v1/pods', ['list', '/v1', '', 'pods||']],
  ['GET /api/v1/pods?watch=true', ['watch', '/v1', '', 'pods||']],
  ['GET /api/v1/pods?watch=0', ['list', '/v1', '', 'pods||']],
  ['GET /api/v1/pods?fieldSelector=a%3Db', ['list', '/v1', '', 'pods|||a=b']],
  [
    'DELETE /api/v1/namespaces/n/pods?fieldSelector=a%3Db',
    ['deletecollection', '/v1', 'n', 'pods|||a=b'],
  ],
  ['GET /api/v1/namespaces/n/pods/p?fieldSelector=a%3Db', ['get', '/v1', 'n', 'pods|p|']],
  ['GET /api/v1/watch/pods?fieldSelector=a%3Db', ['watch', '/v1', '', 'pods||']],
  ['GET /api/v1/watch/namespaces/n/pods', ['watch', '/v1', 'n', 'pods||']],
  ['POST /api/v1/namespaces/n/pods', ['create', '/v1', 'n', 'pods||']],
  ['GET /api/v1/namespaces/n/pods/p', ['get', '/v1', 'n', 'pods|p|']],
  ['PUT /api/v1/namespaces/n/pods/p/status', ['update', '/v1', 'n', 'pods|p|status']],
  ['DELETE /api/v1/namespaces/n/pods', ['deletecollection', '/v1', 'n', 'pods||']],
  ['DELETE /api/v1/namespaces/n', ['delete', '/v1', 'n', 'namespaces|n|']],
  ['PUT /api/v1/namespaces/n/finalize', ['update', '/v1', 'n', 'namespaces|n|finalize']],
  [
    'PATCH /apis/apps/v1/namespaces/n/deployments/d/scale',
    ['patch', 'apps/v1', 'n', 'deployments|d|scale'],
  ],
  ['GET /apis/apps/v1', ['get', '/apis/apps/v1']],
  ['GET /api/v1', ['get', '/api/v1']],
  ['GET /healthz', ['get', '/healthz']],
  ['GET /api/v1/nodes/a%2Fb', ['get', '/v1', '', 'nodes|a|b']],
  ['GET /api/v1/nodes/%zz', ['get', '/v1', '', 'nodes|%zz|']],
])('%s', (line, expected) => {
  expect(read(line)).toEqual(expected);
});
