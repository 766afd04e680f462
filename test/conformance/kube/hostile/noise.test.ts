// Good objects with one value replaced by noise, thrown at the emulated server: whatever it answers, nothing in it breaks,
// nothing is left of a dry run, and the answer is never a fault of its own.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../../src/api/meta.ts';
import { createLogger } from '../../../../src/base/log.ts';
import { seededRandom } from '../../../../src/base/random.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import { startKubeCluster, type KubeCluster } from '../../../../src/emulator/kube/cluster.ts';
import { emulatorSession } from '../emulator-session.ts';
import { at, type KubeSession, type Request } from '../session.ts';
import { everything, setStage } from './stage.ts';
import { stagedObjects, widgetDefinition } from './staged-objects.ts';
import { filled, json, merge, type Names } from './row.ts';

const faults: string[] = [];
let cluster: KubeCluster;
let session: KubeSession;
let names: Names;

beforeAll(async () => {
  const clock = new VirtualClock();
  cluster = await startKubeCluster({
    clock,
    random: seededRandom(1),
    log: createLogger({
      level: 'error',
      output: { write: (line: string) => void faults.push(line) },
      clock,
    }),
    listen: false,
    controllers: false,
    scheduler: false,
  });
  session = emulatorSession(cluster);
  names = await setStage(session);
});

afterAll(() => cluster.stop());

/** Where each value of an object stands. */
function pathsOf(value: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]));
  return [path, ...below];
}

function replaced(value: Json, [key, ...rest]: readonly string[], noise: Json): Json {
  if (key === undefined) return noise;
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item, index) =>
      String(index) === key ? replaced(item, rest, noise) : item,
    );
  }
  const fields = value as { readonly [name: string]: Json };
  return { ...fields, [key]: replaced(fields[key] ?? null, rest, noise) };
}

const targets: readonly (readonly [path: string, object: Json])[] = [
  ...stagedObjects({ ns: '{ns}', group: 'g.example.com', node: 'node', csr: 'request' }),
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    widgetDefinition('noise.example.com'),
  ],
  [
    '/apis/{group}/v1/namespaces/{ns}/widgets',
    {
      apiVersion: '{group}/v1',
      kind: 'Widget',
      metadata: { name: 'noise', labels: { a: 'b' }, finalizers: ['a.b/c'] },
      spec: { size: 1, color: 'red', tags: ['a'], parts: [{ name: 'a', count: 1 }] },
    },
  ],
];

interface Thrown {
  readonly path: string;
  readonly object: Json;
  readonly at: readonly string[];
  readonly noise: Json;
  readonly how: string;
}

const noises: fc.Arbitrary<Json> = fc.oneof(
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as Json),
  fc.constantFrom('', 'a b', '-1', 'x'.repeat(300)),
);

const noisy: fc.Arbitrary<Thrown> = fc.constantFrom(...targets).chain(([path, object]) =>
  fc.record({
    path: fc.constant(path),
    object: fc.constant<Json>(object),
    at: fc.constantFrom(...pathsOf(object)),
    noise: noises,
    how: fc.constantFrom('POST', 'PATCH', 'cut'),
  }),
);

function requestOf({ path, object, at: place, noise, how }: Thrown): {
  readonly method: string;
  readonly target: string;
  readonly request: Request;
} {
  const text = filled(JSON.stringify(replaced(object, place, noise)), names);
  const name = at(object, 'metadata', 'name') as string;
  return how === 'PATCH'
    ? { method: 'PATCH', target: `${path}/${name}`, request: { text, type: merge } }
    : { method: 'POST', target: path, request: { text: cut(text, how), type: json } };
}

function cut(text: string, how: string): string {
  return how === 'cut' ? text.slice(0, -3) : text;
}

test('noise in an object is no fault of the server', async () => {
  const before = await everything(session, names);
  await fc.assert(
    fc.asyncProperty(noisy, async (thrown) => {
      const { method, target, request } = requestOf(thrown);
      const path = `${filled(target, names)}?dryRun=All`;
      const { status } = await session.send(method, path, request);
      expect([faults, status < 500]).toEqual([[], true]);
    }),
    { numRuns: 400 },
  );
  expect(await everything(session, names)).toEqual(before);
});
