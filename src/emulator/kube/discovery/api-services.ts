// The APIServices of this server: one per group and version that it serves. In: the registry. Out: stored objects that
// come and go with it. All of them are local and available: there is no other server behind this one.
import { toTimestamp, type Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/random.ts';
import type { ApiObject } from '../object.ts';
import type { Registry } from '../registry/registry.ts';
import { newUid } from '../resource/uid.ts';
import type { Store } from '../store/store.ts';

const group = 'apiregistration.k8s.io';
const table = `${group}/apiservices`;

/** How the real server ranks its groups. */
const priorities: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'resource.k8s.io': 16_200,
};
const customPriority = 1000;

const versionPriorities: Readonly<Record<string, number>> = {
  v1: 1,
  'autoscaling/v2': 30,
  'resource.k8s.io/v1': 21,
};

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export class ApiServices {
  readonly #store: Store;
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #random: Random;
  /** Of the registry, when last looked at. */
  #generation = -1;

  constructor(parts: {
    readonly store: Store;
    readonly registry: Registry;
    readonly clock: Clock;
    readonly random: Random;
  }) {
    this.#store = parts.store;
    this.#registry = parts.registry;
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  /** Costs nothing while the registry stays as it is. */
  follow(): void {
    if (this.#registry.generation === this.#generation) return;
    this.#generation = this.#registry.generation;
    const served = new Map<string, GroupVersion>(
      this.#registry.groups
        // The real server does not list the group that lists.
        .filter((served) => served.group !== group)
        .flatMap(({ group, versions }) =>
          versions.map(({ version }) => [`${version}.${group}`, { group, version }] as const),
        ),
    );
    for (const { metadata } of this.#store.all(table)) {
      if (!served.has(metadata.name)) this.#store.delete(table, metadata.name);
    }
    for (const [name, place] of served) {
      if (this.#store.get(table, name) === undefined) {
        this.#store.put(table, name, this.#service(name, place));
      }
    }
  }

  #service(name: string, { group, version }: GroupVersion): ApiObject {
    const now = toTimestamp(this.#clock.now());
    const isBuiltIn = group in priorities;
    const groupVersion = group === '' ? version : `${group}/${version}`;
    return {
      kind: 'APIService',
      apiVersion: 'apiregistration.k8s.io/v1',
      metadata: {
        name,
        uid: newUid(this.#random),
        creationTimestamp: now,
        labels: { 'kube-aggregator.kubernetes.io/automanaged': isBuiltIn ? 'onstart' : 'true' },
      },
      spec: {
        ...(group === '' ? {} : { group }),
        version,
        groupPriorityMinimum: priorities[group] ?? customPriority,
        versionPriority: isBuiltIn ? (versionPriorities[groupVersion] ?? 15) : 100,
      },
      status: {
        conditions: [
          {
            type: 'Available',
            status: 'True',
            lastTransitionTime: now,
            reason: 'Local',
            message: 'Local APIServices are always available',
          },
        ],
      },
    };
  }
}
