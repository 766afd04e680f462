// NodePools of a problem. In: objects as a person writes them. Out: objects as the API server stores them and as the
// controllers have judged them: defaults filled in, and ready unless the file says otherwise.
// What the custom resource's own definition refuses is refused here, in the API server's words.
import { storageVersion } from '../../api/crd/definition.ts';
import { errorLines } from '../../api/crd/validation/field-error.ts';
import { isRecord } from '../../api/crd/validation/json-value.ts';
import { nodePoolDefinition } from '../../api/crd/node-pool.ts';
import { compileVersion } from '../../api/crd/validation/validate.ts';
import { AZURE_GROUP } from '../../api/labels.ts';
import type { Condition, Json } from '../../api/meta.ts';
import { type NodePool, nodePoolCondition } from '../../api/node-pool.ts';
import { blame, inside, type Place } from './place.ts';
import { stableUid } from './stable-uid.ts';

type JsonObject = { readonly [key: string]: Json };

/** Compiled once: it takes as long as reading a small problem. */
const schema = compileVersion(storageVersion(nodePoolDefinition));

export const defaultNodeClass = { group: AZURE_GROUP, kind: 'AKSNodeClass', name: 'default' };

export function readNodePools(
  written: readonly JsonObject[],
  place: Place,
  time: string,
): NodePool[] {
  return written.flatMap((value, i) => {
    const pool = admit(value, inside(place, i));
    return pool === undefined ? [] : [completed(pool, time)];
  });
}

function admit(written: JsonObject, place: Place): NodePool | undefined {
  const { name } = objectAt(written, 'metadata');
  if (typeof name !== 'string' || name === '') {
    blame(inside(inside(place, 'metadata'), 'name'), name, 'every NodePool needs a name; add one');
    return undefined;
  }
  const { object, errors, dropped } = schema.admit(withShortForms(written));
  for (const path of dropped) {
    place.faults.push(`${place.path}.${path}: is not a field of a NodePool; remove it`);
  }
  // The API server adds that it has not looked any further; that is no fault of its own.
  const faults = errors.filter(({ field }) => field !== '<nil>');
  for (const line of errorLines(faults)) place.faults.push(`${place.path}.${line}`);
  return dropped.length + errors.length > 0 ? undefined : (object as unknown as NodePool);
}

/** What a problem may leave out although the API server would insist on it. */
function withShortForms(pool: JsonObject): JsonObject {
  const spec = objectAt(pool, 'spec');
  const template = objectAt(spec, 'template');
  const templateSpec = objectAt(template, 'spec');
  const disruption = objectAt(spec, 'disruption');
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    ...pool,
    spec: {
      ...spec,
      disruption: { consolidateAfter: '0s', ...disruption },
      template: {
        ...template,
        spec: { nodeClassRef: defaultNodeClass, requirements: [], ...templateSpec },
      },
    },
  };
}

function completed(pool: NodePool, time: string): NodePool {
  const { metadata, status } = pool;
  const uid = metadata.uid ?? stableUid('nodepool', '', metadata.name);
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0) return { ...pool, metadata: { ...metadata, uid } };
  const types = [
    nodePoolCondition.validationSucceeded,
    nodePoolCondition.nodeClassReady,
    nodePoolCondition.ready,
  ];
  return {
    ...pool,
    metadata: { ...metadata, uid },
    status: { nodes: 0, ...status, conditions: types.map((type) => trueCondition(type, time)) },
  };
}

export function trueCondition(type: string, lastTransitionTime: string): Condition {
  return { type, status: 'True', reason: type, message: '', lastTransitionTime };
}

function objectAt(value: Json | undefined, key: string): JsonObject {
  const member = isRecord(value) ? value[key] : undefined;
  return isRecord(member) ? member : {};
}
