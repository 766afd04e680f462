// Which versions of Kubernetes AKS runs. In: what a body asks for. Out: the full version that is meant, what a region offers,
// and where a version can be upgraded to: a newer patch, or the next minor, never two minors at once.
import { ok, type ResourceType } from '../arm/arm-call.ts';
import { regionOf } from '../compute/usages.ts';
import type { JsonObject } from '../../kube/json.ts';
import type { ContainerService } from './container-service.ts';
import { versionNotSupported } from './errors.ts';

/** Nothing: the default. `1.34`: its newest patch. */
export function resolveVersion(
  { kubernetesVersions }: Pick<ContainerService, 'kubernetesVersions'>,
  asked: string,
  cluster: string,
): string {
  const found =
    asked === ''
      ? kubernetesVersions[0]
      : newestFirst(kubernetesVersions).find(
          (version) => version === asked || minorOf(version) === asked,
        );
  if (found === undefined) throw versionNotSupported(cluster, asked);
  return found;
}

export function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

export function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function newestFirst(versions: readonly string[]): string[] {
  return versions.toSorted((a, b) => compareVersions(b, a));
}

export function upgradesOf(versions: readonly string[], current: string): string[] {
  const [, minor = '0'] = current.split('.');
  const next = Number(minor) + 1;
  return versions
    .filter((version) => {
      const [, other = '0'] = version.split('.');
      return compareVersions(version, current) > 0 && Number(other) <= next;
    })
    .toSorted(compareVersions);
}

/** `values`, not `value`: this list is as old as AKS. */
export function kubernetesVersionList(service: ContainerService): ResourceType {
  const { kubernetesVersions: versions, env } = service;
  return {
    type: 'Microsoft.ContainerService/locations/kubernetesVersions',
    open: ['list'],
    list: (call) => {
      regionOf(env, call);
      const minors = [...new Set(newestFirst(versions).map((version) => minorOf(version)))];
      const values = minors.map((minor) => ({
        version: minor,
        ...(minorOf(versions[0] ?? '') === minor ? { isDefault: true } : {}),
        capabilities: { supportPlan: ['KubernetesOfficial', 'AKSLongTermSupport'] },
        patchVersions: patchesOf(versions, minor),
      }));
      return ok({ values });
    },
  };
}

function patchesOf(versions: readonly string[], minor: string): JsonObject {
  const patches = versions.filter((version) => minorOf(version) === minor);
  return Object.fromEntries(
    patches.map((version) => [version, { upgrades: upgradesOf(versions, version) }]),
  );
}
