// The quality of service of a pod, which decides who is evicted first. In: its spec. Out: Guaranteed when every container
// has limits that equal its requests, BestEffort when nothing asks for anything, else Burstable.
import { parseQuantity } from '../../../model/quantity.ts';
import type { Json } from '../../../api/meta.ts';
import { objectAt, objectsAt, type JsonObject } from '../json.ts';

const counted = ['cpu', 'memory'];

function amounts(container: JsonObject, field: 'limits' | 'requests'): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const [name, amount] of Object.entries(objectAt(container, 'resources', field) ?? {})) {
    if (!counted.includes(name) || (typeof amount !== 'string' && typeof amount !== 'number'))
      continue;
    const { nano } = parseQuantity(amount);
    if (nano > 0n) found.set(name, nano);
  }
  return found;
}

export function qosClass(spec: Json | undefined): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const pod = objectAt(spec, 'resources');
  const containers =
    pod === undefined
      ? [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]
      : [{ resources: pod }];
  const all = containers.map((container) => ({
    limits: amounts(container, 'limits'),
    requests: amounts(container, 'requests'),
  }));
  if (all.every(({ limits, requests }) => limits.size === 0 && requests.size === 0)) {
    return 'BestEffort';
  }
  const isGuaranteed = all.every(({ limits, requests }) =>
    counted.every((name) => limits.has(name) && limits.get(name) === requests.get(name)),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}
