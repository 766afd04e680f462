import { describe, expect, test } from 'vitest';
import {
  claim,
  exists,
  is,
  isAbsent,
  pod,
  storageClass,
  volume,
} from '../../../test/support/scheduling/builders.ts';
import { readVectors } from '../../../test/support/scheduling/vectors.ts';
import type {
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
} from '../../api/core.ts';
import { label } from '../../api/labels.ts';
import type { Json } from '../../api/meta.ts';
import type { StorageClass } from '../../api/workloads.ts';
import { coreLabelRules } from '../../model/label-rules.ts';
import type { StorageLookup } from '../../model/storage.ts';
import { readProblem } from '../problem/read-problem.ts';
import { ignoringPod, validatePod } from './validate-pod.ts';

interface Objects {
  readonly persistentVolumeClaims?: readonly PersistentVolumeClaim[];
  readonly persistentVolumes?: readonly PersistentVolume[];
  readonly storageClasses?: readonly StorageClass[];
}

function storageOf(objects: Objects): StorageLookup {
  const { persistentVolumeClaims = [], persistentVolumes = [], storageClasses = [] } = objects;
  return {
    claim: (namespace, name) =>
      persistentVolumeClaims.find(
        ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
      ),
    volume: (name) => persistentVolumes.find(({ metadata }) => metadata.name === name),
    storageClass: (name) => storageClasses.find(({ metadata }) => metadata.name === name),
  };
}

const deletionTimestamp = '2026-01-01T00:00:00Z';
const disk = volume({ name: 'disk' });
const bound = claim({ name: 'data', volume: 'disk' });
const unbound = claim({ name: 'data', storageClass: 'later' });
const later = storageClass({ name: 'later', zones: ['z1'] });
const wantsData = pod({ claims: ['data'] });
const unsupported = { topologyKeys: new Set<string>(), provisioners: new Set<string>() };

function verdict(subject: Pod, objects: Objects = {}, provider = unsupported) {
  const storage = storageOf(objects);
  return validatePod(subject, { rules: coreLabelRules, storage, unsupported: provider });
}

function faultOf(subject: Pod, objects: Objects = {}, provider = unsupported): string {
  const found = verdict(subject, objects, provider);
  return found.ok ? 'none' : found.message;
}

function requiring(...nodeSelectorTerms: NodeSelectorTerm[]): Pod {
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return { ...pod(), spec: { containers: [], affinity: { nodeAffinity: required } } };
}

describe('a pod that keeps away from our nodes', () => {
  const text =
    'configured to not run on a Karpenter provisioned node (requirement=karpenter.sh/nodepool DoesNotExist)';

  test.each([
    ['demands it', pod({ required: [[isAbsent(label.nodePool)]] })],
    ['prefers it', pod({ preferred: [[isAbsent(label.nodePool)]] })],
  ])('is left out without an event when it %s', (_, subject) => {
    expect(verdict(subject)).toEqual({ ok: false, message: text, silent: true });
  });

  test('still hears of its other faults in the same text', () => {
    const subject = pod({ required: [[isAbsent(label.nodePool)]], claims: ['gone'] });
    expect(verdict(subject)).toEqual({
      ok: false,
      message: `${text}; getting persistent volume claim, persistentvolumeclaims "gone" not found (PersistentVolumeClaim=gone)`,
      silent: true,
    });
  });

  test('is not one that asks for two pools at once', () => {
    const subject = pod({
      nodeSelector: { [label.nodePool]: 'a' },
      required: [[is(label.nodePool, 'b')]],
    });
    expect(verdict(subject)).toEqual({ ok: true });
  });
});

describe('labels a pod asks for', () => {
  test.each<[string, Pod]>([
    ['a custom label', pod({ nodeSelector: { team: 'red' } })],
    ['a label of a Kubernetes domain', pod({ nodeSelector: { 'node.kubernetes.io/x': 'y' } })],
    ['a label of a Kubernetes subdomain', pod({ nodeSelector: { 'a.k8s.io/x': 'y' } })],
    ['a well-known label', pod({ nodeSelector: { [label.zone]: 'z1' } })],
    [
      'an old spelling of a well-known label',
      pod({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
    ],
    ['a restricted label as a mere wish', pod({ preferred: [[exists('karpenter.sh/custom')]] })],
    ['an empty term', requiring({})],
  ])('may be %s', (_, subject) => {
    expect(verdict(subject)).toEqual({ ok: true });
  });

  test.each<[string, Pod, RegExp]>([
    ['the hostname', pod({ nodeSelector: { [label.hostname]: 'n1' } }), /kubernetes.io\/hostname/],
    [
      'a label of our domain',
      pod({ nodeSelector: { 'karpenter.sh/custom': 'x' } }),
      /karpenter.sh\/custom/,
    ],
    [
      'a label of a subdomain of ours',
      pod({ nodeSelector: { 'a.karpenter.sh/x': 'x' } }),
      /a.karpenter.sh\/x/,
    ],
    ['a value that is none', pod({ nodeSelector: { team: 'a b' } }), /a b.* team/],
    [
      'an unknown capacity type',
      pod({ nodeSelector: { [label.capacityType]: 'cheap' } }),
      /\[cheap\]/,
    ],
    ['one of no values', pod({ required: [[is('team')]] }), /key team with operator In/],
    [
      'a restricted label in a term that would only be tried later',
      pod({ required: [[exists('team')], [exists('karpenter.sh/custom')]] }),
      /karpenter.sh\/custom/,
    ],
  ])('may not be %s', (_, subject, text) => {
    expect(verdict(subject)).toMatchObject({ ok: false, silent: false });
    expect(faultOf(subject)).toMatch(text);
  });

  test('may not pick nodes by their fields, and other faults of the term are told as well', () => {
    const matchFields = [is('metadata.name', 'n1')];
    const fault = 'node selector term with matchFields is not supported';
    expect(faultOf(requiring({ matchFields }))).toBe(fault);
    expect(faultOf(requiring({ matchFields, matchExpressions: [is('team')] }))).toMatch(
      new RegExp(`^${fault}; key team with operator In`),
    );
  });
});

describe('volumes of a pod', () => {
  test.each<[string, Objects]>([
    ['a bound volume', { persistentVolumeClaims: [bound], persistentVolumes: [disk] }],
    [
      'a bound volume whose storage class is gone',
      {
        persistentVolumeClaims: [claim({ name: 'data', volume: 'disk', storageClass: 'gone' })],
        persistentVolumes: [disk],
      },
    ],
    [
      'a bound volume whose storage class is disabled',
      {
        persistentVolumeClaims: [claim({ name: 'data', volume: 'disk', storageClass: '' })],
        persistentVolumes: [disk],
      },
    ],
    [
      'a volume that is made when its pod comes',
      { persistentVolumeClaims: [unbound], storageClasses: [later] },
    ],
  ])('may be %s', (_, objects) => {
    expect(verdict(wantsData, objects)).toEqual({ ok: true });
  });

  test('may need no claim at all', () => {
    expect(verdict({ ...pod(), spec: { containers: [], volumes: [{ name: 'tmp' }] } })).toEqual({
      ok: true,
    });
  });

  // Texts as the original words them.
  test.each<[string, Objects, string]>([
    [
      'its claim is missing',
      {},
      'getting persistent volume claim, persistentvolumeclaims "data" not found (PersistentVolumeClaim=data)',
    ],
    [
      'its claim is being deleted',
      {
        persistentVolumeClaims: [{ ...bound, metadata: { ...bound.metadata, deletionTimestamp } }],
        persistentVolumes: [disk],
      },
      'persistentvolumeclaim is being deleted (PersistentVolumeClaim=default/data)',
    ],
    [
      'its claim has lost its volume',
      { persistentVolumeClaims: [{ ...bound, status: { phase: 'Lost' } }] },
      'persistentvolumeclaim bound to non-existent persistentvolume (PersistentVolume=disk, PersistentVolumeClaim=default/data)',
    ],
    [
      'its volume is missing',
      { persistentVolumeClaims: [bound] },
      'failed to validate pvc, persistentvolumes "disk" not found (PersistentVolume=disk, PersistentVolumeClaim=default/data, StorageClass=)',
    ],
    [
      'its volume is being deleted',
      {
        persistentVolumeClaims: [claim({ name: 'data', volume: 'disk', storageClass: 'fast' })],
        persistentVolumes: [{ ...disk, metadata: { name: 'disk', deletionTimestamp } }],
      },
      'failed to validate pvc, persistentvolume is being deleted (PersistentVolume=disk, PersistentVolumeClaim=default/data, StorageClass=fast)',
    ],
    [
      'binding to its volume is not complete',
      {
        persistentVolumeClaims: [{ ...bound, metadata: { name: 'data', namespace: 'default' } }],
        persistentVolumes: [disk],
      },
      'pvc is considered unbound because it does not contain annotation (PersistentVolume=disk, PersistentVolumeClaim=data, annotation=pv.kubernetes.io/bind-completed)',
    ],
    [
      'nothing says which class makes its volume',
      { persistentVolumeClaims: [claim({ name: 'data' })] },
      'unbound pvc must define a storage class (PersistentVolumeClaim=default/data, StorageClass=)',
    ],
    [
      'the class that makes its volume is missing',
      { persistentVolumeClaims: [unbound] },
      'failed to validate pvc, failed to get storage class, storageclasses.storage.k8s.io "later" not found (PersistentVolumeClaim=default/data, StorageClass=later)',
    ],
    [
      'its volume should have been bound at once',
      {
        persistentVolumeClaims: [unbound],
        storageClasses: [{ ...later, volumeBindingMode: 'Immediate' }],
      },
      'failed to validate pvc, pvc with immediate volume binding mode must be bound (PersistentVolumeClaim=default/data, StorageClass=later)',
    ],
  ])('hold it back when %s', (_, objects, text) => {
    expect(verdict(wantsData, objects)).toEqual({ ok: false, message: text, silent: false });
  });

  test('are found by pod and volume name when they live only as long as the pod', () => {
    const volumes = [{ name: 'scratch', ephemeral: {} }];
    const subject = { ...pod({ name: 'web' }), spec: { containers: [], volumes } };
    const made = { ...unbound, metadata: { name: 'web-scratch', namespace: 'default' } };
    expect(verdict(subject, { persistentVolumeClaims: [made], storageClasses: [later] })).toEqual({
      ok: true,
    });
    expect(faultOf(subject)).toContain('"web-scratch" not found');
  });

  test('are named one at a time: the first in the way', () => {
    const subject = pod({ claims: ['first', 'second'] });
    expect(faultOf(subject)).toBe(
      'getting persistent volume claim, persistentvolumeclaims "first" not found (PersistentVolumeClaim=first)',
    );
  });
});

describe('storage that the provider cannot attach', () => {
  const topologyKeys = new Set([label.zone]);
  const provisioners = new Set(['disk.csi.azure.com']);

  test('holds back a pod whose class restricts volumes by an unsupported label', () => {
    const objects = { persistentVolumeClaims: [unbound], storageClasses: [later] };
    expect(faultOf(wantsData, objects, { ...unsupported, topologyKeys })).toBe(
      `failed to validate pvc, storage class uses unsupported topology key (PersistentVolumeClaim=default/data, StorageClass=later, TopologyKey=${label.zone})`,
    );
  });

  test.each<[string, Objects, string]>([
    ['class', { persistentVolumeClaims: [unbound], storageClasses: [later] }, 'later'],
    [
      'in-tree class',
      {
        persistentVolumeClaims: [unbound],
        storageClasses: [{ ...later, provisioner: 'kubernetes.io/azure-disk' }],
      },
      'later',
    ],
    ['volume', { persistentVolumeClaims: [bound], persistentVolumes: [disk] }, ''],
  ])('holds back a pod whose %s has an unsupported driver', (_, objects, className) => {
    expect(faultOf(wantsData, objects, { ...unsupported, provisioners })).toBe(
      `failed to validate pvc, provisioner is not supported (PersistentVolumeClaim=default/data, Provisioner=disk.csi.azure.com, StorageClass=${className})`,
    );
  });
});

describe('pods of recorded problems', () => {
  const vectors = readVectors('edge-cases', 'constrained', 'random');
  // About restricted labels the original and we have different words.
  const reason = (text: string) => text.replace(/^(?:using )?label (\S+) .*$/, 'label $1');

  test('are left out exactly when the original left them out, and for the same reason', () => {
    const ours: [string, string][] = [];
    const theirs: [string, string][] = [];
    for (const { name, problem, plan } of vectors) {
      const document = readProblem(problem as unknown as Json);
      const storage = storageOf(document);
      for (const subject of document.pods) {
        const key = `${subject.metadata.namespace}/${subject.metadata.name}`;
        const found = validatePod(subject, { rules: document.rules, storage });
        if (!found.ok) ours.push([`${name}: ${key}`, reason(found.message)]);
        const error = plan.podErrors[key] ?? '';
        if (!error.startsWith(ignoringPod)) continue;
        theirs.push([`${name}: ${key}`, reason(error.slice(ignoringPod.length))]);
      }
    }
    expect(theirs.length).toBeGreaterThan(5);
    expect(ours).toEqual(theirs);
  });
});
