// The admission plugins of the server, in the order in which they look at a write: first whether it may be at all, then
// what others build on, and last what is counted.
import type { Random } from '../../../base/random.ts';
import type { AdmissionPlugin } from '../ports.ts';
import type { Store } from '../store/store.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { defaultStorageClass, protectVolumes, taintNodes } from './objects.ts';
import { defaultTolerations, priority, runtimeClass } from './pod-defaults.ts';
import { resourceQuota } from './resource-quota.ts';
import { serviceAccount } from './service-account.ts';
import { serviceAddresses } from './service-addresses.ts';

export function admissionPlugins(store: Store, random: Random): readonly AdmissionPlugin[] {
  return [
    namespaceLifecycle(store),
    limitRanger(store),
    serviceAccount(store, random),
    taintNodes,
    priority(store),
    defaultTolerations,
    defaultStorageClass(store),
    protectVolumes,
    runtimeClass(store),
    serviceAddresses(store, random),
    resourceQuota(store),
  ];
}
