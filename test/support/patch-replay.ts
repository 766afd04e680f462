// Compares our patches, apply and field tracking with what a real API server did. In: the object before, a request, and
// the server's answer. Out: what differs, in words; nothing when all is the same. Fields that only the server sets
// (defaults, versions) are left aside: they are not the business of a patch.
import type { Json } from '../../src/api/meta.ts';
import { nodePoolDefinition } from '../../src/api/crd/node-pool.ts';
import { applyConfiguration } from '../../src/emulator/kube/patch/apply.ts';
import { applyJsonPatch } from '../../src/emulator/kube/patch/json-patch.ts';
import { applyMergePatch } from '../../src/emulator/kube/patch/merge-patch.ts';
import type { Outcome } from '../../src/emulator/kube/patch/refusal.ts';
import { ownableFields } from '../../src/emulator/kube/patch/reset-fields.ts';
import { applyStrategicMergePatch } from '../../src/emulator/kube/patch/strategic-merge.ts';
import { trackUpdate } from '../../src/emulator/kube/patch/track-update.ts';
import { customResourceSchema } from '../../src/emulator/kube/schema/custom-resource-schema.ts';
import { checkObject } from '../../src/emulator/kube/schema/field-validation.ts';
import type { TypeSchema } from '../../src/emulator/kube/schema/type-schema.ts';
import { TypeSchemas } from '../../src/emulator/kube/schema/type-schemas.ts';
import {
  isArray,
  isObject,
  type JsonObject,
  objectAt,
  sameJson,
  withValue,
} from '../../src/emulator/kube/json.ts';
import type { PatchRequest } from './patch-scenarios.ts';

export interface Answer {
  readonly code: number;
  /** The object, or the Status of a refusal. */
  readonly body: JsonObject;
}

export interface StoryKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly custom: boolean;
}

export class Replay {
  readonly #builtIn = new TypeSchemas();
  readonly #nodePool = customResourceSchema({
    openApi: nodePoolDefinition.versions[0]!.openApi,
    kind: { group: 'karpenter.sh', version: 'v1', kind: 'NodePool' },
    builtIn: this.#builtIn,
  });

  schemaOf(kind: StoryKind): TypeSchema {
    return kind.custom ? this.#nodePool : this.#builtIn.lookup(kind)!;
  }

  differences(step: {
    readonly kind: StoryKind;
    readonly before: JsonObject | undefined;
    readonly request: PatchRequest;
    readonly answer: Answer;
    readonly time: string;
  }): string[] {
    const { kind, before, request, answer } = step;
    const { group, version } = kind;
    const schema = this.schemaOf(kind);
    const context = {
      schema,
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind: kind.kind,
      manager: request.manager,
      subresource: request.subresource,
      time: step.time,
      ownable: ownableFields({
        ...kind,
        subresource: request.subresource,
        ...(kind.custom && { customStatus: true }),
      }),
    };
    if (request.type === 'apply') {
      const ours = applyConfiguration({
        ...context,
        live: before,
        applied: request.body as JsonObject,
        force: request.force,
      });
      return compared(ours, answer, step);
    }
    const patched = decoded(patchedObject(schema, before ?? {}, request), {
      schema,
      kind,
      custom: kind.custom,
    });
    if (!patched.ok || answer.code >= 400) return compared(patched, answer, step);
    // The server's own object is the one that was tracked: with its defaults, which the writer owns too.
    const updated = withValue(
      request.type === 'create' ? withoutAdmitted(answer.body) : answer.body,
      ['metadata', 'managedFields'],
      objectAt(patched.value, 'metadata')?.['managedFields'],
    );
    const tracked = trackUpdate({ ...context, live: before, updated });
    return [
      ...differencesOf(
        withoutManagers(patched.value),
        withoutManagers(answer.body),
        request.subresource,
      ),
      ...managerDifferences(tracked, answer.body),
    ];
  }
}

/** As every patched object is, before anything else looks at it: without nulls, unknown fields and directives. */
function decoded(
  patched: Outcome<JsonObject>,
  type: { readonly schema: TypeSchema; readonly kind: StoryKind; readonly custom: boolean },
): Outcome<JsonObject> {
  const checked = patched.ok ? checkObject({ ...type, object: patched.value }) : patched;
  return checked.ok ? { ok: true, value: checked.value.object } : checked;
}

function patchedObject(
  schema: TypeSchema,
  before: JsonObject,
  request: PatchRequest,
): Outcome<JsonObject> {
  const body = request.body as JsonObject;
  switch (request.type) {
    case 'merge':
      return { ok: true, value: applyMergePatch(before, body) };
    case 'strategic':
      return applyStrategicMergePatch({ object: before, patch: body, schema });
    case 'json':
      return applyJsonPatch(before, request.body);
    default:
      return { ok: true, value: body };
  }
}

function compared(
  ours: Outcome<JsonObject>,
  answer: Answer,
  step: { readonly request: PatchRequest; readonly before: JsonObject | undefined },
): string[] {
  if (answer.code >= 400) {
    if (ours.ok) return [`the server refused: ${JSON.stringify(answer.body['message'])}`];
    const theirs = {
      code: answer.code,
      message: answer.body['message'],
      causes: objectAt(answer.body, 'details')?.['causes'],
    };
    const { code, message } = ours.refusal;
    const causes = ours.refusal.causes as Json | undefined;
    if (
      code === theirs.code &&
      message === theirs.message &&
      sameJson(sortedCauses(causes), sortedCauses(theirs.causes))
    )
      return [];
    return [
      `refusals differ:\n  ours  ${JSON.stringify(ours.refusal)}\n  theirs ${JSON.stringify(theirs)}`,
    ];
  }
  if (!ours.ok) return [`we refused: ${ours.refusal.message}`];
  return [
    ...differencesOf(
      withoutManagers(ours.value),
      withoutManagers(answer.body),
      step.request.subresource,
    ),
    ...managerDifferences(ours.value, answer.body),
  ];
}

/** What admission and the address allocator add after the fields of a new object were tracked. */
const admitted: Readonly<Record<string, readonly string[]>> = {
  Node: ['taints'],
  Service: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'],
  Pod: [
    'volumes',
    'priority',
    'preemptionPolicy',
    'serviceAccount',
    'serviceAccountName',
    'tolerations',
  ],
};

function withoutAdmitted(object: JsonObject): JsonObject {
  let rest = object;
  for (const name of admitted[object['kind'] as string] ?? [])
    rest = withValue(rest, ['spec', name], undefined);
  if (object['kind'] === 'Pod') {
    const containers = (objectAt(rest, 'spec')?.['containers'] ?? []) as readonly JsonObject[];
    const plain = containers.map((container) => withValue(container, ['volumeMounts'], undefined));
    rest = withValue(rest, ['spec', 'containers'], plain);
  }
  return rest;
}

/** The server lists the managers of a conflict in no order. */
function sortedCauses(causes: Json | undefined): Json | undefined {
  return Array.isArray(causes) ? causes.map((cause) => JSON.stringify(cause)).toSorted() : causes;
}

function withoutManagers(object: JsonObject): JsonObject {
  return withValue(object, ['metadata', 'managedFields'], undefined);
}

function managerDifferences(ours: JsonObject, theirs: JsonObject): string[] {
  const left = (objectAt(ours, 'metadata')?.['managedFields'] ?? []) as readonly Json[];
  const right = (objectAt(theirs, 'metadata')?.['managedFields'] ?? []) as readonly Json[];
  const pairs = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    left[index],
    right[index],
  ]);
  return pairs
    .filter(([one, other]) => !sameJson(one, other))
    .map(
      ([one, other]) =>
        `managedFields differ:\n  ours   ${JSON.stringify(one)}\n  theirs ${JSON.stringify(other)}`,
    );
}

/** Set by the server alone, whatever was asked for. */
const serverMetadata = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'namespace',
  'managedFields',
];

function differencesOf(ours: JsonObject, theirs: JsonObject, subresource: string): string[] {
  const scope = (object: JsonObject): JsonObject => {
    let rest = object;
    for (const name of serverMetadata) rest = withValue(rest, ['metadata', name], undefined);
    // The part that the endpoint does not write is put back by the server afterwards.
    const { status, spec: _, metadata: __, ...other } = rest;
    if (subresource === 'status') return { ...other, status: status ?? {} };
    const { status: ___, ...main } = rest;
    return main;
  };
  return [...unexplained(scope(ours), scope(theirs), '')];
}

/** Strategies of a kind drop these when another field no longer asks for them. */
const dropped = new Set(['sessionAffinityConfig', 'externalTrafficPolicy']);

/** What is in one and not the other; members that only the server has may be defaults. */
function* unexplained(
  ours: Json | undefined,
  theirs: Json | undefined,
  path: string,
): Generator<string> {
  if (isObject(ours) && isObject(theirs)) {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      if (isExplained(name, ours[name], theirs[name])) continue;
      yield* unexplained(ours[name], theirs[name], `${path}.${name}`);
    }
  } else if (isArray(ours) && isArray(theirs) && ours.length === theirs.length) {
    for (const [index, item] of ours.entries()) {
      yield* unexplained(item, theirs[index], `${path}[${index}]`);
    }
  } else if (!isSameForServer(ours, theirs)) {
    yield `${path}: ours ${JSON.stringify(ours)} theirs ${JSON.stringify(theirs)}`;
  }
}

function isExplained(name: string, ours: Json | undefined, theirs: Json | undefined): boolean {
  if (theirs === undefined) return dropped.has(name);
  return ours === undefined && isDefault(name, theirs);
}

/** Types of the server cannot tell these from nothing. */
function isSameForServer(ours: Json | undefined, theirs: Json | undefined): boolean {
  if (sameJson(ours, theirs)) return true;
  const isNothing = (value: Json | undefined): boolean =>
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (typeof value === 'object' && Object.keys(value).length === 0);
  return isNothing(ours) && isNothing(theirs);
}

const defaults: Readonly<Record<string, readonly Json[] | 'any'>> = {
  terminationMessagePath: ['/dev/termination-log'],
  terminationMessagePolicy: ['File'],
  imagePullPolicy: ['IfNotPresent', 'Always'],
  protocol: ['TCP'],
  restartPolicy: ['Always'],
  terminationGracePeriodSeconds: [30],
  dnsPolicy: ['ClusterFirst'],
  schedulerName: ['default-scheduler'],
  defaultMode: [420],
  replicas: [1],
  revisionHistoryLimit: [10],
  progressDeadlineSeconds: [600],
  maxSurge: ['25%'],
  maxUnavailable: ['25%'],
  type: ['RollingUpdate', 'ClusterIP', ''],
  sessionAffinity: ['None'],
  internalTrafficPolicy: ['Cluster'],
  timeoutSeconds: [10800],
  expireAfter: ['720h'],
  consolidationPolicy: ['WhenEmptyOrUnderutilized'],
  consolidateAfter: ['0s'],
  nodes: ['10%', 0],
  requests: 'any',
  memory: 'any',
  allocatable: 'any',
  taints: 'any',
  spec: 'any',
  clusterIP: 'any',
  clusterIPs: 'any',
  ipFamilies: 'any',
  ipFamilyPolicy: 'any',
  targetPort: 'any',
  sessionAffinityConfig: 'any',
  externalTrafficPolicy: 'any',
  strategy: 'any',
  rollingUpdate: 'any',
  disruption: 'any',
  budgets: 'any',
  securityContext: 'any',
  serviceAccountName: 'any',
  serviceAccount: 'any',
  enableServiceLinks: 'any',
  preemptionPolicy: 'any',
  priority: 'any',
  tolerations: 'any',
  volumes: 'any',
  volumeMounts: 'any',
  status: 'any',
  observedGeneration: 'any',
  lastProbeTime: 'any',
  lastTransitionTime: 'any',
  lastHeartbeatTime: 'any',
  lastUpdateTime: 'any',
  daemonEndpoints: 'any',
  nodeInfo: 'any',
  qosClass: 'any',
  phase: 'any',
  'kubernetes.io/metadata.name': 'any',
  resources: [{}],
};

function isDefault(name: string, value: Json): boolean {
  const known = defaults[name];
  return known === 'any' || known?.some((one) => sameJson(one, value)) === true;
}
