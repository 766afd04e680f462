// Whether a pool may make these claims under its limits, and what each of them may then become. In: claims. Out: no, or the
// types left to each. A claim counts as the largest type it may become, so claims of a pool with limits cannot all keep
// every type: each may have the cheapest that holds it, and larger ones as far as an equal share of what is left allows.
// A limit is never passed, whichever types are launched.
import { typesWithoutPorts } from '../solve/daemon-ports.ts';
import type { Template } from '../compile/template.ts';
import type { Claim } from '../solve/claim.ts';
import { LimitLedger } from '../solve/limits.ts';
import { fitting } from '../solve/on-claim.ts';
import type { Session } from '../solve/session.ts';

export function shareLimits(
  session: Session,
  template: Template,
  claims: readonly Claim[],
): boolean {
  const ledger = new LimitLedger(session.compiled, session.removed);
  const remaining = ledger.remaining(template);
  const { amounts } = template.limits;
  const variants = claims.map((claim) => {
    claim.allowed = withoutBlocked(claim);
    return fitting(session, claim);
  });
  if (variants.some((list) => list.length === 0)) return false;
  if (remaining.length === 0) return true;
  for (const list of variants) {
    for (const [limit, amount] of amounts.entries()) {
      remaining[limit] = (remaining[limit] as number) - (amount[list[0] as number] as number);
    }
  }
  if (remaining.some((left) => left < 0)) return false;
  for (const [index, claim] of claims.entries()) {
    const list = variants[index] as number[];
    const claimsLeft = claims.length - index;
    const most = amounts.map(
      (amount, limit) =>
        (amount[list[0] as number] as number) + (remaining[limit] as number) / claimsLeft,
    );
    const kept = list.filter((variant) =>
      amounts.every((amount, limit) => (amount[variant] as number) <= (most[limit] as number)),
    );
    claim.allowed = withOnly(template, kept);
    for (const [limit, amount] of amounts.entries()) {
      const largest = Math.max(...kept.map((variant) => amount[variant] as number));
      const own = amount[list[0] as number] as number;
      remaining[limit] = (remaining[limit] as number) - (largest - own);
    }
  }
  return true;
}

/** Without the types on which a DaemonSet wants a port of the host that a pod of the claim wants too. */
function withoutBlocked({ template, ports }: Claim) {
  const blocked = typesWithoutPorts(template, ports);
  return blocked === undefined ? undefined : template.members.clone().andNot(blocked);
}

function withOnly({ members }: Template, variants: readonly number[]) {
  const kept = members.clone();
  kept.words.fill(0);
  for (const variant of variants) kept.add(variant);
  return kept;
}
