// Packs for money. In: a session whose claims are filled and valid. Out: the same pods on claims that cost no more.
// 1. A pod keeps its pool, its form and the domains that topology settled for it, so every rule still holds.
// 2. Claims whose pods cannot be moved without changing what a rule counts stay as they are.
// 3. A pool whose limits, or whose demand for variety, the new claims would not keep stays as it was.
import type { Template } from '../compile/template.ts';
import { checkMinValues } from '../../model/min-values.ts';
import type { Claim, Load } from '../solve/claim.ts';
import { fitting } from '../solve/on-claim.ts';
import type { Session } from '../solve/session.ts';
import { type Bin, binOf } from './bin.ts';
import { HostRules, itemsOf } from './item.ts';
import { ItemClasses } from './item-classes.ts';
import { packPool } from './pack-pool.ts';
import { PackPool } from './pool.ts';
import { shareLimits } from './share-limits.ts';

export function repack(
  session: Session,
  stop: () => boolean = () => false,
  rounds = session.compiled.options.packRounds,
): Claim[] {
  // Reservations were handed out to the claims as they are.
  if (session.reservations !== undefined) return session.claims;
  const byTemplate = Map.groupBy(session.claims, ({ template }) => template);
  return [...byTemplate].flatMap(([template, claims]) =>
    stop() ? claims : repackTemplate(session, template, claims, { rounds, stop }),
  );
}

function repackTemplate(
  session: Session,
  template: Template,
  claims: readonly Claim[],
  limits: { readonly rounds: number; readonly stop: () => boolean },
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
  const packed = packPool(pool, first, limits);
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

/** Whether limits and the demand for variety let the pool make these claims. */
function isAllowed(session: Session, template: Template, claims: readonly Claim[]): boolean {
  if (!shareLimits(session, template, claims)) return false;
  if (!template.hasMinValues) return true;
  const { catalog, states } = session.compiled;
  const requirements = states.requirementsOf(template.state);
  return claims.every((claim) => {
    const types = fitting(session, claim).flatMap(
      (variant) => catalog.types[catalog.typeOf[variant] as number] ?? [],
    );
    return checkMinValues(types, requirements).unmet.size === 0;
  });
}
