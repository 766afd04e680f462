// Affinity between pods, judged as the kube-scheduler would. In: all sites with the pods they have and get. Out:
// violations. Only required terms.
//
// Anti-affinity binds both sides, whoever comes first, so the order of binding does not matter and the final places
// decide. Where a place is not decided yet, every domain it may get counts: two nodes that might come up in the same
// zone are in the same zone.
//
// Affinity needs the other pod to be there first, so some order must exist in which each pod finds its company:
// 1. A pod may be bound when, for every term, a pod that satisfies *all* its terms is in the same domain, whichever
//    domain that turns out to be. A pod on a node that may be in several zones is company to its own node alone.
// 2. The first of a kind may be bound anywhere, if it satisfies its own terms and no pod in the cluster does yet. Pods
//    without terms may always be bound later, so they do not stand in its way; pods that run already do.
import { isTerminating } from './cluster-facts.ts';
import { domainOf, mayShareDomain } from './domain.ts';
import { concerns, type PodFacts } from './pod-facts.ts';
import type { Site } from './site.ts';
import type { Violation } from './violation.ts';

interface Spot {
  readonly pod: PodFacts;
  readonly site: Site;
  readonly isNew: boolean;
}

/** Pods that satisfy all terms of a pod. */
type Company = (pod: PodFacts) => ReadonlySet<PodFacts>;

export function checkAntiAffinity(sites: readonly Site[]): Violation[] {
  const spots = spotsOf(sites);
  const keepers = spots.flatMap((keeper) =>
    keeper.pod.antiAffinity.map((term) => ({ ...keeper, term })),
  );
  const texts = keepers.flatMap(({ pod, site, isNew, term }) =>
    spots
      .filter((other) => other.pod !== pod && (isNew || other.isNew))
      .filter((other) => concerns(term, other.pod) && mayShareDomain(site, other.site, term.key))
      .map((other) => {
        const places = `${site.name} and ${other.site.name} share or may share ${term.key}`;
        return `pod ${pod.key} keeps away from ${other.pod.key}, but ${places}`;
      }),
  );
  return [...new Set(texts)].map((text) => ({ rule: 'pod anti-affinity', text }));
}

export function checkAffinity(sites: readonly Site[]): Violation[] {
  const spots = spotsOf(sites);
  const isFree = ({ pod, isNew }: Spot): boolean => !isNew || pod.affinity.length === 0;
  const start: Progress = {
    company: companyAmong(spots),
    running: spots.filter(({ isNew }) => !isNew),
    there: spots.filter(isFree),
    waiting: spots.filter((spot) => !isFree(spot)),
    pioneers: [],
  };
  return settled(start, { tries: 60 }).map(({ pod, site }) => {
    const keys = pod.affinity.map(({ key }) => key).join(', ');
    return {
      rule: 'pod affinity',
      text: `pod ${pod.key} on ${site.name}: finds in no order the pods it must be with over ${keys}`,
    };
  });
}

interface Progress {
  readonly company: Company;
  readonly running: readonly Spot[];
  readonly there: readonly Spot[];
  readonly waiting: readonly Spot[];
  readonly pioneers: readonly Spot[];
}

/** The fewest pods that can be left over. Which pod comes first can matter, so all are tried, within reason. */
function settled(start: Progress, budget: { tries: number }): readonly Spot[] {
  const progress = withCompany(start);
  let best = progress.waiting;
  const tried = new Set<string>();
  for (const spot of progress.waiting) {
    if (best.length === 0 || budget.tries <= 0) break;
    const choice = JSON.stringify([spot.site.name, spot.pod.pod.spec.affinity, spot.pod.labels]);
    if (tried.has(choice) || !mayComeFirst(spot, progress)) continue;
    tried.add(choice);
    budget.tries--;
    const rest = settled(
      {
        ...progress,
        there: [...progress.there, spot],
        waiting: progress.waiting.filter((other) => other !== spot),
        pioneers: [...progress.pioneers, spot],
      },
      budget,
    );
    if (rest.length < best.length) best = rest;
  }
  return best;
}

/** Binds every pod that finds company, until none is left that does. */
function withCompany(progress: Progress): Progress {
  const there = [...progress.there];
  let { waiting } = progress;
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length;
    waiting = waiting.filter((spot) => {
      const isAlone = !hasCompany(spot, there, progress.company(spot.pod));
      if (!isAlone) there.push(spot);
      return isAlone;
    });
  }
  return { ...progress, there, waiting };
}

/** Pods that are on their way out are no company and no obstacle: they will be gone when the others come. */
function spotsOf(sites: readonly Site[]): Spot[] {
  return sites.flatMap((site) => [
    ...site.bound.filter((pod) => !isTerminating(pod)).map((pod) => ({ pod, site, isNew: false })),
    ...site.placed.map((pod) => ({ pod, site, isNew: true })),
  ]);
}

/** In every domain in which the pod may find itself. */
function hasCompany(
  { pod, site }: Spot,
  there: readonly Spot[],
  wanted: ReadonlySet<PodFacts>,
): boolean {
  const company = there.filter((spot) => wanted.has(spot.pod));
  if (company.length === 0) return false;
  return pod.affinity.every(({ key }) => {
    if (domainOf(site, key).kind === 'none') return false;
    if (company.some((spot) => spot.site === site)) return true;
    const taken = new Set(company.map((spot) => certainDomain(spot.site, key)));
    return site.outcomes.every((outcome) => {
      const { except, values } = outcome.labelOf(key);
      return !except && [...values].every((value) => taken.has(value));
    });
  });
}

function certainDomain(site: Site, key: string): string | undefined {
  const domain = domainOf(site, key);
  return domain.kind === 'one' ? domain.value : undefined;
}

function mayComeFirst({ pod, site }: Spot, { company, running, pioneers }: Progress): boolean {
  const wanted = company(pod);
  if (!wanted.has(pod)) return false;
  if (pod.affinity.some(({ key }) => domainOf(site, key).kind === 'none')) return false;
  if (running.some((spot) => wanted.has(spot.pod) && hasAnyKey(spot.site, pod))) return false;
  // Of two pioneers one comes first; only if each would be company to the other is there no such order.
  return !pioneers.some((other) => wanted.has(other.pod) && company(other.pod).has(pod));
}

function hasAnyKey(site: Site, pod: PodFacts): boolean {
  return pod.affinity.some(({ key }) => domainOf(site, key).kind !== 'none');
}

/** Pods of one kind have the same terms, so the answer is kept by what the terms say. */
function companyAmong(spots: readonly Spot[]): Company {
  const known = new Map<string, ReadonlySet<PodFacts>>();
  return ({ affinity }) => {
    const terms = affinity.map(({ namespaces, ...term }) => ({
      ...term,
      namespaces: namespaces === 'all' ? namespaces : [...namespaces],
    }));
    const identity = JSON.stringify(terms);
    let company = known.get(identity);
    if (company === undefined) {
      const pods = spots.map(({ pod }) => pod);
      company = new Set(pods.filter((pod) => affinity.every((term) => concerns(term, pod))));
      known.set(identity, company);
    }
    return company;
  };
}
