import { describe, expect, test } from 'vitest';
import { deployments, nodes, pods } from '../../api/resource-type.ts';
import { collectionPath, keyOf, namespacedPath, objectPath, queryText, refOf } from './paths.ts';

describe('paths on the API server', () => {
  test.each([
    [collectionPath(pods), '/api/v1/pods'],
    [collectionPath(pods, 'kube-system'), '/api/v1/namespaces/kube-system/pods'],
    [collectionPath(nodes, 'ignored'), '/api/v1/nodes'],
    [
      objectPath(deployments, { name: 'web', namespace: 'a' }, 'scale'),
      '/apis/apps/v1/namespaces/a/deployments/web/scale',
    ],
    [objectPath(nodes, { name: 'aks-1' }), '/api/v1/nodes/aks-1'],
    // A name with a slash must not reach another resource.
    [objectPath(nodes, { name: 'a/b' }), '/api/v1/nodes/a%2Fb'],
  ])('%s', (path, expected) => {
    expect(path).toBe(expected);
  });

  test('refuses to address an object without its name, which would address all of them', () => {
    expect(() => objectPath(nodes, { name: '' })).toThrow(
      expect.objectContaining({ code: 'IncompleteReference' }),
    );
  });

  test('refuses to address a namespaced object without its namespace', () => {
    expect(() => objectPath(pods, { name: 'a' })).toThrow(
      expect.objectContaining({ fields: expect.objectContaining({ field: 'namespace' }) }),
    );
    expect(() => namespacedPath(pods, {})).toThrow();
    expect(namespacedPath(nodes, {})).toBe('/api/v1/nodes');
  });

  test('writes only the parameters that are given, encoded', () => {
    expect(queryText({ labelSelector: 'a=b,c in (d)', limit: 5, continue: undefined })).toBe(
      '?labelSelector=a%3Db%2Cc+in+%28d%29&limit=5',
    );
    expect(queryText({})).toBe('');
  });

  test.each([{ name: 'a' }, { namespace: 'n', name: 'a' }])('%o survives being a key', (ref) => {
    expect(refOf(keyOf(ref))).toEqual(ref);
  });
});
