// Keeps a ReadWriteOncePod claim to one pod in the whole cluster.
import type { ClusterState } from '../cluster-state.ts';
import type { Claim } from '../objects.ts';
import { refuse, type Verdict } from '../verdict.ts';

export function filterExclusiveClaims(claims: readonly Claim[], state: ClusterState): Verdict {
  const taken = claims.some(
    ({ spec, metadata }) =>
      spec.accessModes?.includes('ReadWriteOncePod') === true &&
      state.claimUsers(metadata.namespace ?? '', metadata.name) > 0,
  );
  if (!taken) return undefined;
  return refuse(
    'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
  );
}
