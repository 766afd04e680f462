// What the server fills in where a pod says nothing. In: a pod spec as written, alone or in a template. Out: the spec as
// it is stored; the same object when nothing was missing.
import type { Json } from '../../../api/meta.ts';
import {
  at,
  isObject,
  mapped,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  withDefaults,
  withValue,
  type JsonObject,
} from '../json.ts';

/** `latest` and no tag at all are pulled every time; a fixed tag or digest only when it is not there. */
function pullPolicy(image: string): string {
  const [withoutDigest = '', digest] = image.split('@');
  const tag = /:([^:/]+)$/.exec(withoutDigest)?.[1];
  if (tag === undefined) return digest === undefined ? 'Always' : 'IfNotPresent';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

const probeDefaults = {
  failureThreshold: 3,
  periodSeconds: 10,
  successThreshold: 1,
  timeoutSeconds: 1,
};

function handlerDefaults(handler: JsonObject): JsonObject {
  let filled = handler;
  const http = objectAt(handler, 'httpGet');
  if (http !== undefined) {
    filled = withValue(filled, ['httpGet'], withDefaults(http, { path: '/', scheme: 'HTTP' }));
  }
  const grpc = objectAt(handler, 'grpc');
  if (grpc !== undefined) filled = withValue(filled, ['grpc'], withDefaults(grpc, { service: '' }));
  return filled;
}

function withEach(
  object: JsonObject,
  fields: readonly string[],
  change: (value: JsonObject) => JsonObject,
): JsonObject {
  let changed = object;
  for (const field of fields) {
    const value = object[field];
    if (isObject(value)) changed = withValue(changed, [field], change(value));
  }
  return changed;
}

export function eachObject(
  object: JsonObject,
  field: string,
  change: (item: JsonObject) => JsonObject,
): JsonObject {
  const items = object[field];
  if (!Array.isArray(items)) return object;
  const list = items as readonly Json[];
  return withValue(
    object,
    [field],
    mapped(list, (item) => (isObject(item) ? change(item) : item)),
  );
}

function fieldReference(source: JsonObject): JsonObject {
  return withEach(source, ['fieldRef'], (reference) =>
    withDefaults(reference, { apiVersion: 'v1' }),
  );
}

function envDefaults(env: JsonObject): JsonObject {
  return withEach(env, ['valueFrom'], (source) =>
    withEach(fieldReference(source), ['resourceFieldRef'], (reference) =>
      withDefaults(reference, { divisor: '0' }),
    ),
  );
}

/** A limit without a request is a request for as much. */
function resourceDefaults(resources: JsonObject): JsonObject {
  const limits = objectAt(resources, 'limits');
  if (limits === undefined) return resources;
  const requests = withDefaults(objectAt(resources, 'requests') ?? {}, limits);
  return withValue(resources, ['requests'], requests);
}

function containerDefaults(container: JsonObject, copiesLimits: boolean): JsonObject {
  const image = textAt(container, 'image');
  let filled = withDefaults(container, {
    imagePullPolicy: pullPolicy(image),
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  filled = eachObject(filled, 'ports', (port) => withDefaults(port, { protocol: 'TCP' }));
  filled = eachObject(filled, 'env', envDefaults);
  filled = withEach(filled, ['livenessProbe', 'readinessProbe', 'startupProbe'], (probe) =>
    handlerDefaults(withDefaults(probe, probeDefaults)),
  );
  filled = withEach(filled, ['lifecycle'], (lifecycle) =>
    withEach(lifecycle, ['postStart', 'preStop'], handlerDefaults),
  );
  return copiesLimits ? withEach(filled, ['resources'], resourceDefaults) : filled;
}

function downwardItems(volume: JsonObject): JsonObject {
  return eachObject(volume, 'items', (item) =>
    withEach(fieldReference(item), ['resourceFieldRef'], (reference) =>
      withDefaults(reference, { divisor: '0' }),
    ),
  );
}

const fileMode = { defaultMode: 0o644 };

function projectedDefaults(volume: JsonObject): JsonObject {
  return eachObject(withDefaults(volume, fileMode), 'sources', (source) =>
    withEach(
      withEach(source, ['serviceAccountToken'], (token) =>
        withDefaults(token, { expirationSeconds: 3600 }),
      ),
      ['downwardAPI'],
      downwardItems,
    ),
  );
}

const volumeSources: Readonly<Record<string, (volume: JsonObject) => JsonObject>> = {
  configMap: (volume) => withDefaults(volume, fileMode),
  secret: (volume) => withDefaults(volume, fileMode),
  downwardAPI: (volume) => downwardItems(withDefaults(volume, fileMode)),
  projected: projectedDefaults,
  hostPath: (volume) => withDefaults(volume, { type: '' }),
  iscsi: (volume) => withDefaults(volume, { iscsiInterface: 'default' }),
  azureDisk: (volume) =>
    withDefaults(volume, {
      cachingMode: 'ReadWrite',
      fsType: 'ext4',
      kind: 'Shared',
      readOnly: false,
    }),
  ephemeral: (volume) =>
    withEach(volume, ['volumeClaimTemplate'], (template) =>
      withEach(withDefaults(template, { metadata: {} }), ['spec'], (spec) =>
        withDefaults(spec, { volumeMode: 'Filesystem' }),
      ),
    ),
};

function volumeDefaults(volume: JsonObject): JsonObject {
  let filled = volume;
  for (const [name, change] of Object.entries(volumeSources)) {
    const source = volume[name];
    if (isObject(source)) filled = withValue(filled, [name], change(source));
  }
  const hasSource = Object.keys(volume).some((field) => field !== 'name');
  return hasSource ? filled : { ...filled, emptyDir: {} };
}

/** Ports of a pod on the host's network are ports of the host. */
function hostPorts(spec: JsonObject): JsonObject {
  if (at(spec, 'hostNetwork') !== true) return spec;
  const change = (container: JsonObject): JsonObject =>
    eachObject(container, 'ports', (port) =>
      withDefaults(port, { hostPort: port['containerPort'] ?? 0 }),
    );
  return eachObject(eachObject(spec, 'containers', change), 'initContainers', change);
}

function accountNames(spec: JsonObject): JsonObject {
  const name = stringAt(spec, 'serviceAccountName') ?? stringAt(spec, 'serviceAccount');
  if (name === undefined || name === '') return spec;
  return withValue(withDefaults(spec, { serviceAccountName: name }), ['serviceAccount'], name);
}

/** `isPod` for pods themselves: templates are left without what only a pod needs. */
export function podSpecDefaults(spec: JsonObject, isPod: boolean): JsonObject {
  let filled = withDefaults(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    ...(isPod ? { enableServiceLinks: true } : {}),
  });
  filled = accountNames(filled);
  for (const field of ['containers', 'initContainers', 'ephemeralContainers']) {
    filled = eachObject(filled, field, (container) => containerDefaults(container, isPod));
  }
  filled = eachObject(filled, 'volumes', volumeDefaults);
  return hostPorts(filled);
}

/** The template of a workload. */
export function templateDefaults(object: JsonObject, path: readonly string[]): JsonObject {
  const template = objectAt(object, ...path);
  if (template === undefined) return object;
  const spec = objectAt(template, 'spec') ?? {};
  const filled = withValue(
    withDefaults(template, { metadata: {} }),
    ['spec'],
    podSpecDefaults(spec, false),
  );
  return withValue(object, path, filled);
}

export function containersOf(spec: Json | undefined): readonly JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => [
    ...objectsAt(spec, field),
  ]);
}
