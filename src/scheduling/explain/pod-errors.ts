// Messages for the pods that a solve could not place. In: a session that is through. Out: the message for a shape, worked out
// when it is first asked for: pods of a shape fail alike, and most solves have none that do. Only what the message needs is
// looked at: a controller asks at every pass, for every kind of pod that still waits.
import { toResourceList } from '../../model/resources.ts';
import type { PodShape, PodVariant } from '../compile/pod-shape.ts';
import type { Session } from '../solve/session.ts';
import { podError, type Reasons } from './pod-error.ts';
import { poolReason } from './pool-verdict.ts';

export function podErrors(session: Session): (shape: PodShape) => string {
  const known = new Map<PodShape, string>();
  return (shape) => {
    let text = known.get(shape);
    if (text === undefined) {
      text = podError(reasonsOf(session, shape));
      known.set(shape, text);
    }
    return text;
  };
}

const reservationsTaken =
  'one or more instance types with compatible reserved offerings are available, but could not be reserved';

function reasonsOf(session: Session, shape: PodShape): Reasons {
  const requests = toResourceList(shape.exactRequests);
  if (session.deferred.has(shape)) return { failure: reservationsTaken, requests, pools: [] };
  if (shape.failure !== undefined) return { failure: shape.failure, requests, pools: [] };
  const variant = shape.variants.at(-1) as PodVariant;
  const pools = session.compiled.templates.map((template) => ({
    pool: template.name,
    reason: poolReason(session, template, { shape, variant }),
  }));
  return { requests, pools };
}
