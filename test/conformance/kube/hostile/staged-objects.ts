// The objects of the stage on which hostile requests are played. In: its names. Out: where each object goes, and itself.
import type { Json } from '../../../../src/api/meta.ts';
import type { Fields } from '../session.ts';

export const podSpec: Fields = { containers: [{ name: 'main', image: 'image' }] };

export const deploymentSpec: Fields = {
  replicas: 1,
  selector: { matchLabels: { app: 'web' } },
  template: { metadata: { labels: { app: 'web' } }, spec: podSpec },
};

export const widgetSchema: Fields = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 0, maximum: 9 },
        color: { type: 'string', enum: ['red', 'green'] },
        label: { type: 'string', maxLength: 5, pattern: '^[a-z]*$' },
        when: { type: 'string', format: 'date-time' },
        tags: { type: 'array', maxItems: 2, items: { type: 'string' } },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, count: { type: 'integer' } },
          },
        },
      },
      'x-kubernetes-validations': [
        { rule: 'self.size != 7', message: 'seven is taken' },
        { rule: '!has(oldSelf.color) || has(self.color)', message: 'color stays' },
      ],
    },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
  },
};

export function widgetDefinition(group: string): Json {
  return {
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      names: { kind: 'Widget', plural: 'widgets' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
          },
          schema: { openAPIV3Schema: widgetSchema },
        },
        {
          name: 'v0',
          served: false,
          storage: false,
          schema: { openAPIV3Schema: widgetSchema },
        },
      ],
    },
  };
}

const pod = (name: string, spec: Fields = podSpec): Json => ({
  metadata: { name, labels: { app: 'guarded' } },
  spec,
});

export function stagedObjects(names: {
  readonly ns: string;
  readonly group: string;
  readonly node: string;
  readonly csr: string;
}): readonly (readonly [path: string, object: Json])[] {
  const { ns, node } = names;
  const core = `/api/v1/namespaces/${ns}`;
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}`;
  return [
    ['/api/v1/nodes', { metadata: { name: node } }],
    [`${core}/configmaps`, { metadata: { name: 'settings' }, data: { a: 'b' } }],
    [`${core}/configmaps`, { metadata: { name: 'frozen' }, immutable: true, data: { a: 'b' } }],
    [`${core}/secrets`, { metadata: { name: 'secret' }, stringData: { a: 'b' } }],
    [`${core}/serviceaccounts`, { metadata: { name: 'limited' } }],
    [`${core}/services`, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } }],
    [
      `${core}/persistentvolumeclaims`,
      {
        metadata: { name: 'claim' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
    [`${core}/pods`, pod('pending')],
    [`${core}/pods`, pod('running')],
    [`${core}/pods`, pod('done')],
    [
      `${core}/pods`,
      pod('pair', {
        containers: [
          { name: 'one', image: 'image' },
          { name: 'two', image: 'image' },
        ],
      }),
    ],
    [
      `/apis/apps/v1/namespaces/${ns}/deployments`,
      { metadata: { name: 'web' }, spec: deploymentSpec },
    ],
    [
      `/apis/batch/v1/namespaces/${ns}/jobs`,
      {
        metadata: { name: 'job' },
        spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } },
      },
    ],
    [
      `/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets`,
      {
        metadata: { name: 'budget' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
      },
    ],
    [
      `${rbac}/roles`,
      {
        metadata: { name: 'limited' },
        rules: [
          {
            apiGroups: ['', 'rbac.authorization.k8s.io'],
            resources: ['configmaps', 'roles', 'rolebindings'],
            verbs: ['get', 'list', 'create', 'update'],
          },
        ],
      },
    ],
    [
      `${rbac}/rolebindings`,
      {
        metadata: { name: 'limited' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'limited' },
        subjects: [{ kind: 'ServiceAccount', name: 'limited', namespace: ns }],
      },
    ],
  ];
}
