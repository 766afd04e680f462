// Bodies of requests that an API server should refuse, warn about or understand, by what they try. In: nothing. Out: the
// requests; tools/record-decode-vectors.ts asks a real server for the answers, and tests compare ours with them.

export interface DecodeCase {
  readonly kind: 'ConfigMap' | 'Secret' | 'Pod' | 'Deployment' | 'Lease' | 'NodePool';
  readonly contentType: string;
  readonly validation: 'Ignore' | 'Warn' | 'Strict';
  readonly body: string;
}

const json = 'application/json';
const yaml = 'application/yaml';

function posted(
  kind: DecodeCase['kind'],
  body: unknown,
  validation: DecodeCase['validation'] = 'Warn',
): DecodeCase {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind, contentType: json, validation, body: text };
}

function podSpec(spec: unknown): DecodeCase {
  return posted('Pod', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });
}

function metadata(value: unknown): DecodeCase {
  return posted('Pod', { apiVersion: 'v1', kind: 'Pod', metadata: value });
}

const mistyped: readonly DecodeCase[] = [
  posted('Deployment', { metadata: { name: 'a' }, spec: { replicas: 'x' } }),
  podSpec('x'),
  podSpec({ restartPolicy: 3 }),
  podSpec({ containers: 'x' }),
  podSpec({ containers: [{ name: 1 }] }),
  podSpec({ containers: [{ args: ['a', 3] }] }),
  podSpec({ containers: [{ resources: { limits: 3 } }] }),
  podSpec({ containers: [{ resources: { limits: { cpu: 'zz' } } }] }),
  podSpec({ containers: [{ resources: { limits: { cpu: true } } }] }),
  podSpec({ containers: [{ resources: { limits: { cpu: '' } } }] }),
  podSpec({ containers: [{ livenessProbe: { httpGet: 'x' } }] }),
  podSpec({ containers: [{ livenessProbe: { httpGet: { port: true } } }] }),
  podSpec({ containers: [{ livenessProbe: { httpGet: { port: 1.5 } } }] }),
  podSpec({ containers: [{ livenessProbe: { httpGet: { port: 99_999_999_999 } } }] }),
  podSpec({ containers: [{ livenessProbe: { periodSeconds: 'x' } }] }),
  podSpec({ containers: [{ envFrom: [{ configMapRef: { name: 3 } }] }] }),
  podSpec({ ephemeralContainers: [{ name: 3 }] }),
  podSpec({ ephemeralContainers: [{ targetContainerName: 3 }] }),
  podSpec({ volumes: [{ emptyDir: 'x' }] }),
  podSpec({ volumes: [{ emptyDir: { medium: 3 } }] }),
  podSpec({ nodeSelector: { a: { b: 1 } } }),
  podSpec({ terminationGracePeriodSeconds: 1.5 }),
  podSpec({ priority: 3_000_000_000 }),
  podSpec({ hostNetwork: 'true' }),
  podSpec({ hostNetwork: 1 }),
  podSpec({ topologySpreadConstraints: [{ maxSkew: 'x' }] }),
  metadata(3),
  metadata({ name: 3, labels: 3 }),
  metadata({ labels: { a: 1 } }),
  metadata({ labels: 3 }),
  metadata({ ownerReferences: [{ controller: 'x' }] }),
  metadata({ creationTimestamp: 3 }),
  metadata({ creationTimestamp: {} }),
  metadata({ creationTimestamp: 'zz' }),
  metadata({ creationTimestamp: '2020-01-01' }),
  metadata({ creationTimestamp: '2020-01-01T00:00:00' }),
  metadata({ creationTimestamp: '2020-13-01T00:00:00Z' }),
  metadata({ creationTimestamp: '2020-02-30T00:00:00Z' }),
  metadata({ creationTimestamp: '2020-01-01T25:00:00Z' }),
  posted('Secret', { metadata: { name: 'a' }, data: { a: '%%%' } }),
  posted('Secret', { metadata: { name: 'a' }, data: { a: 3 } }),
  posted('Secret', { metadata: { name: 'a' }, data: { a: null } }),
  posted('Lease', { metadata: { name: 'a' }, spec: { renewTime: '2020-01-01T00:00:00Z' } }),
  posted('Lease', { metadata: { name: 'a' }, spec: { renewTime: 'q' } }),
  posted('Lease', {
    metadata: { name: 'a' },
    spec: { renewTime: '2020-01-01T00:00:00.123456+01:00' },
  }),
];

const heads: readonly DecodeCase[] = [
  posted('ConfigMap', { kind: 'ConfigMap', metadata: { name: 'b' } }),
  posted('ConfigMap', { apiVersion: 'v1', metadata: { name: 'b' } }),
  posted('ConfigMap', { metadata: { name: 'b' } }),
  posted('ConfigMap', { apiVersion: 'v2', metadata: { name: 'b' } }),
  posted('ConfigMap', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b' } }),
  posted('ConfigMap', { apiVersion: 3 }),
  posted('Deployment', { kind: 'Secret', metadata: { name: 'b' } }),
  posted('Deployment', { apiVersion: 'a/b/c', kind: 'Deployment' }),
  posted('Deployment', { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' }),
  posted('Pod', { apiVersion: 'apps/v1', kind: 'Deployment' }),
  posted('Pod', { apiVersion: 'x/v1', kind: 'Foo' }),
  posted('Pod', ['a']),
  posted('Pod', '"a"'),
  posted('NodePool', {}),
  posted('NodePool', { apiVersion: 'karpenter.sh/v1' }),
  posted('NodePool', { kind: 'NodePool', metadata: { name: 'b' } }),
  posted('NodePool', { apiVersion: 'karpenter.sh/v2', kind: 'NodePool' }),
  posted('NodePool', { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim' }),
  posted('NodePool', { kind: 3 }),
];

const texts: readonly DecodeCase[] = [
  '',
  '{',
  '{"apiVersion":"v1","kind":"ConfigMap",',
  '{"apiVersion":"v1","metadata":{"name":"a",}}',
  '{"metadata":{"name":"b"}}{"a":1}',
  '{"metadata":{"name":"b"}} x',
  '{"data":{"a":"\u0001"}}',
  String.raw`{"data":{"a":"\q"}}`,
  String.raw`{"data":{"a":"\u12g4"}}`,
  '{"data":{"a":01}}',
  '{"data":{"a":-}}',
  '{"data":{"a":tru}}',
  '{"data":{"a":nul',
  '{"data":{"a" "b"}}',
  '{"data":{"a":"b" "c"}}',
  '{"data":["a" "b"]}',
  "{'a':1}",
  '@',
].map((text) => posted('ConfigMap', text));

const deployment =
  '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","foo":1},"spec":{"replicas":1,"replicas":2,' +
  '"foo":{"a":1,"a":2},"selector":{"matchLabels":{"app":"a","app":"b"}},"template":{"metadata":{"labels":{"app":"b"}},' +
  '"spec":{"containers":[{"name":"c","image":"i","bar":1},{"name":"d","image":"i","name":"e",' +
  '"ports":[{"containerPort":1,"x":2}]}]}}},"spec2":1}';

const nodePool =
  '{"apiVersion":"karpenter.sh/v1","kind":"NodePool","metadata":{"name":"a","foo":1,"labels":{"x":"1","x":"2"}},' +
  '"spec":{"zoo":1,"foo":{"a":1},"weight":1,"weight":2,"template":{"bar":1,"spec":{"nodeClassRef":' +
  '{"group":"karpenter.azure.com","kind":"AKSNodeClass","name":"default","aaa":1},"requirements":' +
  '[{"key":"a","operator":"In","values":["a"],"q":1}]}}},"spec2":1,"abc":2}';

const twice = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  name: b
  labels: {a: b, a: c}
data: {x: "1", x: "2"}
foo: 1`;

const strict: readonly DecodeCase[] = [
  ...(['Ignore', 'Warn', 'Strict'] as const).flatMap((validation) => [
    posted('Deployment', deployment, validation),
    posted('NodePool', nodePool, validation),
    { kind: 'ConfigMap' as const, contentType: yaml, validation, body: twice },
  ]),
  posted('ConfigMap', '{"Metadata":{"name":"b"},"metadata":{"name":"b"}}', 'Strict'),
  posted('ConfigMap', '{"kind":"ConfigMap","kind":"ConfigMap","metadata":{"name":"b"}}', 'Strict'),
];

const yamls: readonly DecodeCase[] = [
  '',
  '[a]',
  'metadata: {name: x}\ndata: {a: yes}',
  'metadata: {name: x}\ndata: {a: "yes", 1: "2", true: x, d: 2001-01-01, e: 1:30}',
  'metadata: {name: x}\ndata: {a: 010}',
  '---\nmetadata: {name: x}\n---\na: b',
].map((body) => ({ kind: 'ConfigMap', contentType: yaml, validation: 'Warn', body }));

const customMetadata: readonly DecodeCase[] = [
  { name: 3 },
  { name: 'a', labels: { a: 1 } },
  'a',
  { name: 'a', finalizers: 'x' },
].map((value) =>
  posted('NodePool', {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: value,
    spec: {},
  }),
);

/** Asked by POST, as a dry run. */
export const decodeCases: readonly DecodeCase[] = [
  ...mistyped,
  ...heads,
  ...texts,
  ...strict,
  ...yamls,
  ...customMetadata,
];

const jsonPatches: readonly string[] = [
  '[{"op":"add","path":"/data/q","value":"1"}]',
  '[{"op":"add","path":"data/q","value":"1"}]',
  '[{"op":"add","path":"/data/q"}]',
  '[{"op":"add","value":"1"}]',
  '[{"op":"add","path":"","value":{"data":{"z":"1"}}}]',
  '[{"op":"add","path":"/foo/zz","value":"1"}]',
  '[{"op":"add","path":"/data/q","value":"1","extra":1,"op":"add"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a"]},{"op":"add","path":"/metadata/finalizers/-","value":"x.io/b"},{"op":"add","path":"/metadata/finalizers/0","value":"x.io/0"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a"]},{"op":"add","path":"/metadata/finalizers/1","value":"x.io/b"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a"]},{"op":"add","path":"/metadata/finalizers/5","value":"x.io/b"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a"]},{"op":"add","path":"/metadata/finalizers/-1","value":"x.io/b"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a","x.io/b"]},{"op":"remove","path":"/metadata/finalizers/-1"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a","x.io/b"]},{"op":"remove","path":"/metadata/finalizers/x"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a","x.io/b"]},{"op":"remove","path":"/metadata/finalizers/7"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a","x.io/b"]},{"op":"replace","path":"/metadata/finalizers/1","value":"x.io/r"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a","x.io/b"]},{"op":"replace","path":"/metadata/finalizers/-","value":"x.io/r"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a","x.io/b"]},{"op":"move","from":"/metadata/finalizers/0","path":"/metadata/finalizers/1"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["x.io/a","x.io/b"]},{"op":"test","path":"/metadata/finalizers","value":["x.io/a","x.io/b"]}]',
  '[{"op":"add","path":"/metadata/annotations","value":{"x.io/a~b":"1"}},{"op":"test","path":"/metadata/annotations/x.io~1a~0b","value":"2"}]',
  '[{"op":"remove","path":"/data/zz"}]',
  '[{"op":"remove","path":"/foo/zz"}]',
  '[{"op":"remove","path":""}]',
  '[{"op":"replace","path":"/data/zz","value":"1"}]',
  '[{"op":"replace","path":"/data/a","value":3}]',
  '[{"op":"test","path":"/data/a","value":"2"}]',
  '[{"op":"test","path":"/data/a","value":"1"}]',
  '[{"op":"test","path":"/data/zz","value":"2"}]',
  '[{"op":"test","path":"/data/zz","value":null}]',
  '[{"op":"move","from":"/data/a","path":"/data/b"}]',
  '[{"op":"move","from":"/data/zz","path":"/data/b"}]',
  '[{"op":"copy","from":"/data/a","path":"/data/b"}]',
  '[{"op":"copy","from":"/data/zz","path":"/data/b"}]',
  '[{"op":"copy","path":"/data/b"}]',
  '[{"op":"foo","path":"/data/q","value":"1"}]',
  '[{"op":"toString","path":"/data/q","value":"1"}]',
  '[{"path":"/data/q","value":"1"}]',
  '[{"op":"add","path":3,"value":"3"}]',
  '{"op":"add"}',
  '[3]',
  '[',
  '',
  '[]',
  'null',
];

const mergePatches: readonly string[] = [
  '{"op":"add"}',
  '[]',
  '{',
  'null',
  '3',
  '{"data":{"a":3}}',
  '{"data":null,"metadata":{"labels":{"x":null,"y":"1"}}}',
  '{"foo":1,"data":{"a":"1","a":"2"},"metadata":{"bar":1}}',
  '{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"u","controller":null}]}}',
];

const strategicPatches: readonly string[] = [
  '{"data":{"a":3}}',
  '{"data":3}',
  '{"data":[]}',
  '{"metadata":{"labels":{"a":{}}}}',
  '{"metadata":{"finalizers":"x"}}',
  '[]',
  '{',
  '{"foo":3}',
  '{"foo":1,"data":{"a":"1","a":"2"},"metadata":{"bar":1}}',
  '{"data":{"$patch":"foo"}}',
  '{"data":{"$retainKeys":["b"],"a":"1"}}',
  '{"metadata":{"ownerReferences":[{"name":"x"}]}}',
];

const applied: readonly string[] = [
  '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}',
  '{"metadata":{"name":"a"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","managedFields":[]}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","managedFields":null}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":1}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":{"b":[1,"x"]}}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"bar":1}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":[]}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"immutable":"x"}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":["x.io/a","x.io/a"]}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":["x.io/a",{}]}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":"x"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","generation":"x"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","creationTimestamp":"x"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","ownerReferences":[{"name":"x"}]}}',
  '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"1"},"data":{"a":"2"}}',
  '["a"]',
  '',
];

function patches(contentType: string, bodies: readonly string[]): DecodeCase[] {
  return bodies.flatMap((body) =>
    (['Warn', 'Strict'] as const).map((validation) => ({
      kind: 'ConfigMap',
      contentType,
      validation,
      body,
    })),
  );
}

/** Asked by PATCH of a ConfigMap with the data `{"a":"1"}`, as a dry run by the manager `tester`. */
export const patchCases: readonly DecodeCase[] = [
  ...patches('application/json-patch+json', jsonPatches),
  ...patches('application/merge-patch+json', mergePatches),
  ...patches('application/strategic-merge-patch+json', strategicPatches),
  ...patches('application/apply-patch+yaml', applied),
];
