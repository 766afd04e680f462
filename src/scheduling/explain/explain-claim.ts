// Why a node to be made is of the type it is. In: a session and one of its filled claims. Out: the type it will be, the next
// cheaper one that its labels would allow with what that lacks, and the next dearer one that would do as well.
import type { ResourceList } from '../../api/core.ts';
import { requestsOfPods } from '../../model/pod-requests.ts';
import {
  mergeResources,
  noResources,
  type Resources,
  toResourceList,
} from '../../model/resources.ts';
import type { Claim } from '../solve/claim.ts';
import { fitting } from '../solve/on-claim.ts';
import type { Session } from '../solve/session.ts';
import { shortage } from './type-criteria.ts';

export interface ClaimExplanation {
  readonly pool: string;
  readonly choice: PricedType;
  /** What it lacks; nothing when only limits or ports of DaemonSets stand against it. */
  readonly cheaper?: PricedType & { readonly short: ResourceList };
  readonly dearer?: PricedType;
}

export interface PricedType {
  readonly instanceType: string;
  readonly price: number;
}

/** Undefined when nothing holds the claim, which no claim of a plan is. */
export function explainClaim(session: Session, claim: Claim): ClaimExplanation | undefined {
  const { catalog, openTypes, columns } = session.compiled;
  const { template, state } = claim;
  const { price } = catalog.open(state);
  const priced = (variant: number): PricedType => ({
    instanceType: catalog.types[catalog.typeOf[variant] as number]?.name ?? '',
    price: price[variant] as number,
  });
  const [chosen, ...others] = fitting(session, claim);
  if (chosen === undefined) return undefined;
  const open = openTypes.of(template, state);
  const isOther = (variant: number): boolean => catalog.typeOf[variant] !== catalog.typeOf[chosen];
  const cheaper = open.subarray(0, open.indexOf(chosen)).findLast(isOther);
  const dearer = others.find(isOther);
  return {
    pool: template.name,
    choice: priced(chosen),
    ...(cheaper !== undefined && {
      cheaper: {
        ...priced(cheaper),
        short: toResourceList(shortage(columns, template.room, cheaper, requestsOf(claim))),
      },
    }),
    ...(dearer !== undefined && { dearer: priced(dearer) }),
  };
}

function requestsOf({ loads }: Claim): Resources {
  let sum = noResources;
  for (const { shape, count } of loads) {
    const one = requestsOfPods([shape.example]);
    sum = mergeResources(
      sum,
      new Map([...one].map(([name, nano]) => [name, nano * BigInt(count)])),
    );
  }
  return sum;
}
