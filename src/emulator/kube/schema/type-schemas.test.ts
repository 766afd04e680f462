import { describe, expect, test } from 'vitest';
import type { OpenApiSchema } from '../../../api/crd/open-api.ts';
import { customResourceSchema } from './custom-resource-schema.ts';
import type { TypeSchema } from './type-schema.ts';
import { isBuiltInKind, TypeSchemas } from './type-schemas.ts';
import { withoutUnknownFields } from './unknown-fields.ts';

const schemas = new TypeSchemas();

/** `spec.containers[].ports` from a kind. */
function at(root: TypeSchema, path: string): TypeSchema {
  let schema = root;
  for (const step of path.split('.')) {
    const list = step.endsWith('[]');
    schema = schema.member(list ? step.slice(0, -2) : step)!;
    if (list) schema = schema.items!;
  }
  return schema;
}

describe('the types of built-in kinds', () => {
  const pod = schemas.lookup({ group: '', version: 'v1', kind: 'Pod' })!;
  const deployment = schemas.lookup({ group: 'apps', version: 'v1', kind: 'Deployment' })!;

  test.each([
    ['', 'v1', 'Node'],
    ['', 'v1', 'PersistentVolumeClaim'],
    ['apps', 'v1', 'StatefulSet'],
    ['batch', 'v1', 'CronJob'],
    ['policy', 'v1', 'Eviction'],
    ['storage.k8s.io', 'v1', 'CSINode'],
    ['scheduling.k8s.io', 'v1', 'PriorityClass'],
    ['coordination.k8s.io', 'v1', 'Lease'],
    ['rbac.authorization.k8s.io', 'v1', 'ClusterRole'],
    ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition'],
    ['admissionregistration.k8s.io', 'v1', 'MutatingWebhookConfiguration'],
    ['discovery.k8s.io', 'v1', 'EndpointSlice'],
    ['events.k8s.io', 'v1', 'Event'],
    ['autoscaling', 'v1', 'Scale'],
    ['autoscaling', 'v2', 'HorizontalPodAutoscaler'],
    ['resource.k8s.io', 'v1', 'ResourceClaim'],
    ['networking.k8s.io', 'v1', 'Ingress'],
    ['node.k8s.io', 'v1', 'RuntimeClass'],
    ['certificates.k8s.io', 'v1', 'CertificateSigningRequest'],
    ['authentication.k8s.io', 'v1', 'TokenReview'],
    ['authorization.k8s.io', 'v1', 'SelfSubjectAccessReview'],
  ])('include %s/%s %s', (group, version, kind) => {
    expect(
      schemas.lookup({ group, version, kind })?.field('metadata')?.field('labels'),
    ).toMatchObject({
      type: 'object',
      sharing: 'granular',
    });
    expect(isBuiltInKind({ group, version, kind })).toBe(true);
  });

  test('know nothing of kinds that are not there', () => {
    expect(schemas.lookup({ group: '', version: 'v2', kind: 'Pod' })).toBeUndefined();
    expect(isBuiltInKind({ group: 'karpenter.sh', version: 'v1', kind: 'NodePool' })).toBe(false);
  });

  test('all types of all kinds can be read', () => {
    const seen = new Set<TypeSchema>();
    const walk = (schema: TypeSchema | undefined): void => {
      if (schema === undefined || seen.has(schema)) return;
      seen.add(schema);
      for (const field of schema.fields.values()) walk(named(field));
      walk(schema.items);
      walk(schema.values);
    };
    // A type stands behind many fields: looked at once.
    const named = (schema: TypeSchema): TypeSchema =>
      schema.name === undefined ? schema : schemas.byName(schema.name);
    for (const kind of ['Pod', 'Node', 'Service', 'Event']) {
      walk(schemas.lookup({ group: '', version: 'v1', kind }));
    }
    walk(
      schemas.lookup({
        group: 'apiextensions.k8s.io',
        version: 'v1',
        kind: 'CustomResourceDefinition',
      }),
    );
    expect(seen.size).toBeGreaterThan(500);
  });

  test.each([
    [
      'spec.containers',
      { type: 'array', sharing: 'map', mapKeys: ['name'], patchMergeKey: 'name' },
    ],
    ['spec.containers[].ports', { sharing: 'map', mapKeys: ['containerPort', 'protocol'] }],
    ['spec.containers[].ports[].protocol', { type: 'string', default: 'TCP' }],
    ['spec.containers[].args', { sharing: 'atomic' }],
    ['spec.containers[].resources.limits.cpu', { type: 'scalar', format: 'quantity' }],
    ['spec.containers[].livenessProbe.httpGet.port', { type: 'scalar', format: 'int-or-string' }],
    ['spec.containers[].imagePullPolicy', { enum: ['Always', 'IfNotPresent', 'Never'] }],
    ['spec.tolerations', { sharing: 'atomic' }],
    ['spec.nodeSelector', { type: 'object', sharing: 'atomic' }],
    ['spec.volumes', { patchStrategies: ['merge', 'retainKeys'] }],
    ['spec.imagePullSecrets[]', { sharing: 'atomic' }],
    ['metadata.finalizers', { sharing: 'set', patchStrategies: ['merge'] }],
    ['metadata.ownerReferences', { sharing: 'map', mapKeys: ['uid'] }],
    ['metadata.creationTimestamp', { type: 'scalar', format: 'date-time' }],
    ['status.conditions', { sharing: 'map', mapKeys: ['type'] }],
  ])('say how %s is shared', (path, facts) => {
    expect(at(pod, path)).toMatchObject(facts);
  });

  test('know required fields and what stands where a field is left out', () => {
    expect(at(deployment, 'spec').required).toEqual(['selector', 'template']);
    expect(at(deployment, 'spec.template').absent).toEqual({});
    expect(at(pod, 'spec.containers').absent).toBeNull();
    expect(at(pod, 'spec.containers[].name').absent).toBe('');
    expect(at(pod, 'spec.nodeName').absent).toBeUndefined();
  });

  test('know which values the items of a list may have', () => {
    const claim = schemas.lookup({ group: '', version: 'v1', kind: 'PersistentVolumeClaim' })!;
    expect(at(claim, 'spec.accessModes').enum).toBeUndefined();
    expect(at(claim, 'spec.accessModes[]').enum).toContain('ReadWriteOnce');
  });

  test('know the server’s own names of types', () => {
    expect(at(pod, 'spec.restartPolicy').go).toEqual({ type: 'v1.RestartPolicy', embedded: [] });
    expect(at(pod, 'spec.containers[].livenessProbe.exec').go).toEqual({
      type: 'v1.ExecAction',
      embedded: ['ProbeHandler'],
    });
  });

  test('make shared at a field what is atomic elsewhere', () => {
    const volume = schemas.lookup({ group: '', version: 'v1', kind: 'PersistentVolume' })!;
    const reference = at(volume, 'spec.claimRef');
    expect(reference.sharing).toBe('granular');
    expect(schemas.byName(reference.name!).sharing).toBe('atomic');
    expect(reference.field('name')?.type).toBe('string');
  });
});

describe('the type of a custom resource', () => {
  const openApi: OpenApiSchema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: { type: 'integer', format: 'int32' },
          amount: {
            anyOf: [{ type: 'integer' }, { type: 'string' }],
            'x-kubernetes-int-or-string': true,
          },
          when: { type: 'string', format: 'date-time' },
          parts: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['id'],
            items: { type: 'object', properties: { id: { type: 'string', default: 'x' } } },
          },
          list: { type: 'array', items: { type: 'string' } },
          whole: {
            type: 'object',
            'x-kubernetes-map-type': 'atomic',
            additionalProperties: { type: 'string' },
          },
          free: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { known: { type: 'string' } },
          },
          inner: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object' } },
          },
        },
      },
    },
  };
  const kind = { group: 'x.io', version: 'v1', kind: 'Thing' };
  const thing = customResourceSchema({ openApi, kind, builtIn: schemas });

  test.each([
    ['metadata.finalizers', { sharing: 'set' }],
    ['spec.size', { type: 'integer' }],
    ['spec.amount', { type: 'scalar' }],
    ['spec.when', { type: 'scalar' }],
    ['spec.parts', { sharing: 'map', mapKeys: ['id'] }],
    ['spec.parts[].id', { default: 'x' }],
    ['spec.list', { sharing: 'atomic' }],
    ['spec.whole', { sharing: 'atomic' }],
    ['spec.free.known', { type: 'string' }],
    ['spec.free.unknown.deep', { type: 'any', sharing: 'granular' }],
    ['spec.inner.metadata.labels', { sharing: 'granular' }],
    ['kind', { type: 'string' }],
  ])('has %s', (path, facts) => {
    expect(at(thing, path)).toMatchObject(facts);
  });

  test('is named as documents name it', () => {
    expect(thing.name).toBe('io.x.v1.Thing');
  });

  test('drops what it does not know, and only that', () => {
    const object = {
      metadata: { name: 'a', odd: 1 },
      spec: {
        size: 1,
        extra: { a: 1 },
        parts: [{ id: 'a', b: 1 }],
        free: { x: { y: 1 } },
        inner: { apiVersion: 'v1', spec: {}, z: 1 },
      },
    };
    expect(withoutUnknownFields(thing, object)).toEqual({
      object: {
        metadata: { name: 'a' },
        spec: {
          size: 1,
          parts: [{ id: 'a' }],
          free: { x: { y: 1 } },
          inner: { apiVersion: 'v1', spec: {} },
        },
      },
      unknown: ['metadata.odd', 'spec.extra', 'spec.inner.z', 'spec.parts[0].b'],
    });
  });
});
