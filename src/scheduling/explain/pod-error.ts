// The message for a pod that goes nowhere, in the words of the original: tools and people search for them. In: the record.
// Out: the reason of each pool, in the order in which they are asked.
import type { ResourceList } from '../../api/core.ts';
import { fromResourceList, resourceName, units } from '../../model/resources.ts';
import { describeUntolerated } from '../../model/taint.ts';
import type {
  Explanation,
  MetCriteria,
  PoolReason,
  PoolVerdict,
  TopologyReason,
  TypesReason,
} from './explanation.ts';

const shownDomains = 25;
const implausibleCores = units(1_000_000);

/** What of an explanation a message is made from. */
export type Reasons = Pick<Explanation, 'failure' | 'requests'> & {
  readonly pools: readonly Pick<PoolVerdict, 'pool' | 'reason'>[];
};

export function podError({ failure, pools, requests }: Reasons): string {
  if (failure !== undefined) return failure;
  if (pools.length === 0) return 'nodepool requirements filtered out all available instance types';
  const texts = pools.map(({ pool, reason }) => reasonText(pool, reason, requests));
  return texts.filter((text) => text !== '').join('; ');
}

function reasonText(pool: string, reason: PoolReason, requests: ResourceList): string {
  switch (reason.kind) {
    case 'accepts':
      return '';
    case 'limits':
      return reason.of === 'nodes'
        ? `node limits have been exhausted for nodepool (NodePool=${pool})`
        : `all available instance types exceed limits for nodepool (NodePool=${pool})`;
    case 'taints':
      return describeUntolerated(reason.taints);
    case 'requirements': {
      const what = reason.of === 'pod' ? 'requirements' : 'volume requirements';
      return `incompatible ${what}, ${reason.mismatch}`;
    }
    case 'hostPorts':
      return reason.conflict;
    case 'topology':
      return topologyText(reason);
    default:
      return typesText(reason, requests);
  }
}

/** The parenthesis is never closed; that is how it is searched for. */
function topologyText({ rule, key, counts, podDomains, nodeDomains }: TopologyReason): string {
  const domains = Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shown = domains.slice(0, shownDomains).map(([name, count]) => `${name}: ${count}`);
  const others = domains.length - shown.length;
  const list = shown.join(', ') + (others > 0 ? ` and ${others} other(s)` : '');
  return `unsatisfiable topology constraint for ${rule}, key=${key} (counts = ${list}, podDomains = ${podDomains}, nodeDomains = ${nodeDomains}`;
}

function typesText(reason: TypesReason, requests: ResourceList): string {
  const { met, unmetMinValues, requirements } = reason;
  const min = JSON.stringify(reason.resources.min);
  const max = JSON.stringify(reason.resources.max);
  const resources = min === max ? min : `min=${min}, max=${max}`;
  const what =
    unmetMinValues.length > 0
      ? `minValues requirement is not met for label(s) (label(s)=[${unmetMinValues.join(' ')}])`
      : filterText(met);
  const text = `${what}, requirements=${requirements}, resources=${resources}`;
  const cores = fromResourceList(requests).get(resourceName.cpu) ?? 0n;
  const isTypo = what === tooSmall && cores >= implausibleCores;
  return isTypo ? `${text} (CPU request >= 1 Million, m vs M typo?)` : text;
}

const tooSmall = 'no instance type has enough resources';

function filterText(met: readonly MetCriteria[]): string {
  const some = (criterion: keyof Omit<MetCriteria, 'types'>): boolean =>
    met.some((one) => one[criterion]);
  const missing = [
    ...(some('requirements') ? [] : ['met the scheduling requirements']),
    ...(some('resources') ? [] : ['had enough resources']),
    ...(some('offering') ? [] : ['had a required offering']),
  ];
  if (missing.length > 1) return `no instance type ${missing.join(' or ')}`;
  if (!some('requirements')) return 'no instance type met all requirements';
  if (!some('resources')) return tooSmall;
  if (!some('offering')) return 'no instance type has the required offering';
  return pairText(met);
}

/** Each criterion is met by some type, but none meets all three. */
function pairText(met: readonly MetCriteria[]): string {
  const lacksOnly = (criterion: keyof Omit<MetCriteria, 'types'>): boolean =>
    met.some(
      (one) =>
        [one.requirements, one.offering, one.resources].filter(Boolean).length === 2 &&
        !one[criterion],
    );
  if (lacksOnly('offering')) {
    return 'no instance type which met the scheduling requirements and had enough resources, had a required offering';
  }
  if (lacksOnly('requirements')) {
    return 'no instance type which had enough resources and the required offering met the scheduling requirements';
  }
  if (lacksOnly('resources')) {
    return 'no instance type which met the scheduling requirements and the required offering had the required resources';
  }
  return 'no instance type met the requirements/resources/offering tuple';
}
