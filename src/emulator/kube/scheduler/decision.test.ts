// Decisions against what the real scheduler decided about the same objects.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../object.ts';
import { ClusterState } from './cluster-state.ts';
import { decide } from './decision.ts';
import { decideVolumes } from './filters/volume-binding.ts';
import { isRefusal } from './feasibility.ts';
import { Nominations } from './nominations.ts';
import {
  budgetOf,
  claimOf,
  csiNodeOf,
  nodeOf,
  podOf,
  volumeClassOf,
  volumeOf,
  type Budget,
  type SchedulingPod,
} from './objects.ts';
import { Placer } from './placement.ts';

interface Vector {
  readonly name: string;
  readonly objects: readonly ApiObject[];
  readonly pod: ApiObject;
  readonly expected: {
    readonly node?: string;
    readonly message?: string;
    readonly nominated?: string;
    readonly victims?: readonly string[];
    readonly selected?: Readonly<Record<string, string>>;
    readonly reserved?: Readonly<Record<string, string>>;
  };
}

const groups = ['node-rules', 'resources', 'spread', 'pod-affinity', 'volumes', 'preemption'];

function vectorsOf(group: string): readonly Vector[] {
  const file = new URL(`../../../../test/vectors/kube-scheduler/${group}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Vector[];
}

function load(objects: readonly ApiObject[]): { state: ClusterState; budgets: Budget[] } {
  const state = new ClusterState();
  const budgets: Budget[] = [];
  const loaders: Record<string, (object: ApiObject) => void> = {
    Node: (object) => state.setNode(nodeOf(object)),
    Namespace: (object) => state.setNamespace(object.metadata.name, object.metadata.labels ?? {}),
    PersistentVolumeClaim: (object) => state.storage.claims.put(undefined, claimOf(object)),
    PersistentVolume: (object) => state.storage.volumes.put(undefined, volumeOf(object)),
    StorageClass: (object) => state.storage.classes.put(undefined, volumeClassOf(object)),
    CSINode: (object) => state.storage.csiNodes.put(undefined, csiNodeOf(object)),
    PodDisruptionBudget: (object) => budgets.push(budgetOf(object)),
    Pod: (object) => {
      const pod = podOf(object);
      if (pod.status?.phase !== 'Succeeded') state.place(pod, pod.spec.nodeName ?? '');
    },
  };
  for (const object of objects) loaders[object.kind]?.(object);
  return { state, budgets };
}

function outcome(vector: Vector): Vector['expected'] {
  const { state, budgets } = load(vector.objects);
  const pod: SchedulingPod = podOf(vector.pod);
  const nominations = new Nominations();
  const placer = new Placer(state, nominations);
  const nowMs = Date.UTC(2026, 0, 3);
  const decision = decide(pod, state.shapeOf(pod), placer, { state, nominations, budgets, nowMs });
  if (decision.kind === 'refuse') return { message: decision.message };
  if (decision.kind === 'preempt') {
    const { node, victims } = decision.candidate;
    return {
      message: decision.message,
      nominated: node.name,
      victims: victims.map(({ pod }) => pod.metadata.name).toSorted(),
    };
  }
  const { node, prepared } = decision;
  if ((prepared.claims?.sorted.delayed ?? []).length === 0) return { node: node.name };
  const volumes = decideVolumes(prepared.claims!.sorted, state.storage, node);
  if (isRefusal(volumes)) throw new Error('a chosen node refuses the volumes');
  const selected = Object.fromEntries(volumes.provisions.map((c) => [c.metadata.name, node.name]));
  const reserved = Object.fromEntries(
    volumes.bindings.map(({ volume, claim }) => [volume.metadata.name, claim.metadata.name]),
  );
  return {
    nominated: node.name,
    ...(volumes.provisions.length > 0 ? { selected } : {}),
    ...(volumes.bindings.length > 0 ? { reserved } : {}),
  };
}

describe.each(groups)('%s', (group) => {
  test.each(vectorsOf(group))('$name', (vector) => {
    const { reason: _, ...expected } = vector.expected as { reason?: string };
    expect(outcome(vector)).toEqual(expected);
  });
});
