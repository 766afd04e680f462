// For which audiences a node may ask tokens of a pod: those that the pod's volumes name, in the pod itself or through
// the driver of a volume. In: a pod and an audience. Out: yes or no, and what could not be looked up on the way.
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { objectsAt, stringAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { keyOf, tables, type StoredObjects } from '../stored-objects.ts';

export interface AudienceSearch {
  readonly found: boolean;
  readonly errors: readonly string[];
}

export function searchAudience(
  objects: StoredObjects,
  pod: ApiObject,
  audience: string,
): AudienceSearch {
  const errors: string[] = [];
  for (const volume of objectsAt(pod, 'spec', 'volumes')) {
    const isProjected = objectsAt(volume, 'projected', 'sources').some(
      (source) =>
        source['serviceAccountToken'] !== undefined &&
        (stringAt(source, 'serviceAccountToken', 'audience') ?? '') === audience,
    );
    if (isProjected) return { found: true, errors: [] };
    const driver = driverOf(objects, pod, volume);
    if (driver === undefined) continue;
    if ('error' in driver) errors.push(driver.error);
    else if (namesAudience(driver.object, audience)) return { found: true, errors: [] };
  }
  return { found: false, errors };
}

type Found = { readonly object: ApiObject } | { readonly error: string };

/** The CSI driver behind a volume; undefined for volumes without one. */
function driverOf(objects: StoredObjects, pod: ApiObject, volume: JsonObject): Found | undefined {
  const inline = stringAt(volume, 'csi', 'driver');
  const claim = claimOf(pod, volume);
  const name = inline ?? (claim === undefined ? undefined : driverOfClaim(objects, pod, claim));
  if (name === undefined) return undefined;
  if (typeof name !== 'string') return name;
  return find(objects, tables.csiDrivers, { name, title: 'csidriver.storage.k8s.io' });
}

function claimOf(pod: ApiObject, volume: JsonObject): string | undefined {
  return volume['ephemeral'] === undefined
    ? stringAt(volume, 'persistentVolumeClaim', 'claimName')
    : `${pod.metadata.name}-${stringAt(volume, 'name') ?? ''}`;
}

function driverOfClaim(
  objects: StoredObjects,
  pod: ApiObject,
  name: string,
): string | { readonly error: string } | undefined {
  const { namespace = '' } = pod.metadata;
  const claim = find(objects, tables.persistentVolumeClaims, {
    namespace,
    name,
    title: 'persistentvolumeclaim',
  });
  if ('error' in claim) return claim;
  const volume = find(objects, tables.persistentVolumes, {
    name: stringAt(claim.object, 'spec', 'volumeName') ?? '',
    title: 'persistentvolume',
  });
  return 'error' in volume ? volume : stringAt(volume.object, 'spec', 'csi', 'driver');
}

function find(
  objects: StoredObjects,
  table: string,
  target: { readonly namespace?: string; readonly name: string; readonly title: string },
): Found {
  const object = objects.get(table, keyOf(target.namespace ?? '', target.name));
  return object === undefined
    ? { error: `${target.title} ${quote(target.name)} not found` }
    : { object };
}

function namesAudience(driver: ApiObject, audience: string): boolean {
  return objectsAt(driver, 'spec', 'tokenRequests').some(
    (request) => (stringAt(request, 'audience') ?? '') === audience,
  );
}
