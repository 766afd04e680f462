// What a server adds to an object of each kind: the file beside holds what was written to a real one and what it made of it.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/api/meta.ts';
import recorded from './defaults.json' with { type: 'json' };
import {
  at,
  fieldsOf,
  freshName,
  freshNamespace,
  type Fields,
  type KubeSession,
} from './session.ts';

const plurals: Readonly<Record<string, string>> = {
  Endpoints: 'endpoints',
  Ingress: 'ingresses',
  NetworkPolicy: 'networkpolicies',
  PriorityClass: 'priorityclasses',
  RuntimeClass: 'runtimeclasses',
  DeviceClass: 'deviceclasses',
  StorageClass: 'storageclasses',
};

function pluralOf(kind: string): string {
  return plurals[kind] ?? `${kind.toLowerCase()}s`;
}

/** Without what differs from one server, name or moment to the next. */
function comparable(value: Json, own: readonly (readonly [string, string])[]): Json {
  let text = JSON.stringify(value);
  for (const [from, to] of own) text = text.replaceAll(from, to);
  const plain = text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uid>')
    .replaceAll(/20\d\d-[\dT:-]+Z/g, '<time>')
    .replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access')
    .replaceAll(/10\.0\.\d+\.\d+/g, '<ip>')
    .replaceAll(/"nodePort":\d+/g, '"nodePort":30000');
  const { metadata, ...rest } = JSON.parse(plain) as Fields;
  const dropped = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields']);
  const kept = Object.entries(fieldsOf(metadata)).filter(([field]) => !dropped.has(field));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

export function describeDefaults(open: () => KubeSession): void {
  describe('what is stored of', () => {
    test.each(
      recorded.map((entry) => [entry.written.kind, entry.written.metadata.name, entry] as const),
    )('%s %s', async (kind, name, entry) => {
      const written = entry.written as unknown as Fields;
      const apiVersion = entry.written.apiVersion;
      const namespaced = at(written, 'metadata', 'namespace') !== undefined;
      const namespace = namespaced ? await freshNamespace(open()) : '';
      // Names of cluster-wide kinds are shared by all tests of a server.
      const fresh = namespaced ? name : freshName(name);
      const metadata = { name: fresh, ...(namespaced ? { namespace } : {}) };
      const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
      const path = `${root}${namespaced ? `/namespaces/${namespace}` : ''}/${pluralOf(kind)}`;
      const text = JSON.stringify({ ...written, metadata });
      const body = JSON.parse(
        namespaced ? text.replaceAll('"default"', `"${namespace}"`) : text,
      ) as Json;
      const answer = await open().send('POST', path, { body });
      expect(answer.status).toBe(201);
      const stored = await open().send('GET', `${path}/${fresh}`);
      const own = namespaced
        ? ([[`"${namespace}"`, '"default"']] as const)
        : ([[`"${fresh}"`, `"${name}"`]] as const);
      expect(comparable(stored.body, own)).toEqual(comparable(entry.stored as unknown as Json, []));
    });
  });
}
