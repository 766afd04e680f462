// Packs for money. In: a session whose claims are filled and valid. Out: the same pods on claims that cost no more.
// 1. A pod keeps its pool, its form and the domains that topology settled for it, so every rule still holds.
// 2. Claims whose pods cannot be moved without changing what a rule counts stay as they are.
// 3. A pool whose limits, or whose demand for variety, the new claims would not keep stays as it was.
import type { Template } from '../compile/template.ts';
import { checkMinValues } from '../../model/min-values.ts';
import type { Claim, Load } from '../solve/claim.ts';
import { fitting } from '../solve/on-claim.ts';
import type { Session } from '../solve/session.ts';
import { LimitLedger } from '../solve/limits.ts';
import { type Bin, binOf } from './bin.ts';
import { HostRules, itemsOf } from './item.ts';
import { ItemClasses } from './item-classes.ts';
import { packPool } from './pack-pool.ts';
import { PackPool } from './pool.ts';

export function repack(session: Session, stop: () => boolean = () => false): Claim[] {
  const byTemplate = Map.groupBy(session.claims, ({ template }) => template);
  return [...byTemplate].flatMap(([template, claims]) =>
    stop() ? claims : repackTemplate(session, template, claims, stop),
  );
}

function repackTemplate(
  session: Session,
  template: Template,
  claims: readonly Claim[],
  stop: () => boolean,
): readonly Claim[] {
  const { compiled } = session;
  const rules = new HostRules(compiled);
  const contents = claims.map((claim) => ({ claim, items: itemsOf(compiled, rules, claim) }));
  const fixed = contents.filter(({ items }) => items === undefined).map(({ claim }) => claim);
  const movable = contents.flatMap(({ items }) => (items === undefined ? [] : [items]));
  const classes = new ItemClasses();
  const contained = movable.map((counted) => {
    const taken = new Map<number, number>();
    for (const entry of counted) {
      const index = classes.add(entry);
      taken.set(index, (taken.get(index) ?? 0) + entry.count);
    }
    return taken;
  });
  const pool = new PackPool(compiled, template, classes.counted());
  const first = contained.flatMap((taken) => binOf(pool, taken) ?? []);
  // A first plan that its own arithmetic does not confirm is not touched.
  if (first.length !== movable.length) return claims;
  const packed = packPool(pool, first, { rounds: compiled.options.packRounds, stop });
  if (packed === first) return claims;
  // Copies: what limits leave to them is written down anew, and forgotten when the packing is.
  const kept = fixed.map((claim) => ({ ...claim }));
  const anew = [...kept, ...packed.map((bin) => claimOf(template, bin, classes))];
  return isAllowed(session, template, anew) ? anew : claims;
}

function claimOf(template: Template, bin: Bin, classes: ItemClasses): Claim {
  const loads = new Map<string, Load>();
  for (const [index, count] of bin.taken) {
    for (const { item, count: items } of classes.deal(index, count)) {
      for (const load of item.loads) {
        const key = `${load.variant.index} ${load.place}`;
        const known = loads.get(key)?.count ?? 0;
        loads.set(key, { ...load, count: known + load.count * items });
      }
    }
  }
  const list = [...loads.values()];
  return {
    bin: -1,
    template,
    state: bin.state,
    requests: bin.requests,
    witness: -1,
    loads: list,
    ports: list.flatMap(({ shape }) => shape.ports),
    lowered: new Map(),
    allowed: undefined,
    spare: new Float64Array(bin.requests.length),
  };
}

/** Sets what limits leave to each claim, largest first, and says whether all of them may be made. */
function isAllowed(session: Session, template: Template, claims: readonly Claim[]): boolean {
  const ledger = new LimitLedger(session.compiled, session.removed);
  const requirements = session.compiled.states.requirementsOf(template.state);
  for (const claim of claims.toSorted((a, b) => (b.requests[0] ?? 0) - (a.requests[0] ?? 0))) {
    if (ledger.isExhausted(template)) return false;
    claim.allowed = allowedFor(session, ledger, claim);
    const variants = fitting(session, claim);
    if (variants.length === 0) return false;
    ledger.charge(template, variants);
    if (!template.hasMinValues) continue;
    const { types, typeOf } = session.compiled.catalog;
    const listed = variants.flatMap((variant) => types[typeOf[variant] as number] ?? []);
    if (checkMinValues(listed, requirements).unmet.size > 0) return false;
  }
  return true;
}

function allowedFor(session: Session, ledger: LimitLedger, claim: Claim) {
  const limited = ledger.allowed(claim.template);
  const blocked = session.portBlocked(claim.template, claim.ports);
  if (blocked === undefined) return limited;
  return (limited ?? claim.template.members.clone()).andNot(blocked);
}
