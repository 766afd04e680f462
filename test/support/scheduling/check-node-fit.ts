// Whether pods can run where a plan puts them, other pods' wishes aside: labels, taints, room, ports, volumes. In: a
// site. Out: violations. Each rule must hold however the site turns out.
import { type Amounts, beyond, nothing, shortfall, sum } from './amounts.ts';
import { type ClusterFacts, isDaemon } from './cluster-facts.ts';
import { type HostPort, keepsAway, type PodFacts } from './pod-facts.ts';
import { certainlyMeets, type Outcome, possiblyMeets, type Site } from './site.ts';
import type { Rule, Violation } from './violation.ts';
import { volumesOf } from './volume-facts.ts';

export function checkNodeFit(cluster: ClusterFacts, site: Site): Violation[] {
  if (site.placed.length === 0) return [];
  return [
    ...checkNode(site),
    ...site.placed.flatMap((pod) => [
      ...checkLabels(site, pod),
      ...checkTaints(site, pod),
      ...checkVolumes(cluster, site, pod),
      ...checkDevices(site, pod),
    ]),
    ...(site.node === undefined ? checkRoomOnClaim(cluster, site) : checkRoomOnNode(cluster, site)),
    ...checkPorts(cluster, site),
    ...checkAttachments(cluster, site),
  ];
}

function checkNode({ node, name }: Site): Violation[] {
  return node?.deleting === true
    ? [{ rule: 'node', text: `${name}: is being deleted and takes no pods` }]
    : [];
}

function checkLabels(site: Site, pod: PodFacts): Violation[] {
  const refused = site.outcomes.find(
    (outcome) => !pod.nodeAlternatives.some((demands) => certainlyMeets(outcome, demands)),
  );
  if (refused === undefined) return [];
  const keys = new Set(pod.nodeAlternatives.flatMap((demands) => demands.map(([key]) => key)));
  const text = `its node selector or affinity${onKeys(keys)} does not hold${asType(refused)}`;
  return [about('node label', site, pod, text)];
}

function checkTaints(site: Site, pod: PodFacts): Violation[] {
  return site.taints
    .filter((taint) => keepsAway(pod, taint))
    .map(({ key, value = '', effect }) =>
      about('taint', site, pod, `does not tolerate ${key}=${value}:${effect}`),
    );
}

function checkVolumes({ problem }: ClusterFacts, site: Site, pod: PodFacts): Violation[] {
  return volumesOf(problem, pod).flatMap(({ claim, alternatives, fault }) => {
    if (fault !== undefined) return [about('volume', site, pod, fault)];
    const unreachable = site.outcomes.find(
      (outcome) =>
        alternatives.length > 0 && !alternatives.some((place) => certainlyMeets(outcome, place)),
    );
    if (unreachable === undefined) return [];
    const text = `the volume of claim ${claim} cannot be used there${asType(unreachable)}`;
    return [about('volume', site, pod, text)];
  });
}

function checkDevices(site: Site, pod: PodFacts): Violation[] {
  const { resourceClaims = [], containers } = pod.pod.spec;
  const asks =
    resourceClaims.length > 0 ||
    containers.some(({ resources }) => (resources?.claims ?? []).length > 0);
  return asks ? [about('device', site, pod, 'asks for devices, which nobody has allocated')] : [];
}

function checkRoomOnClaim(cluster: ClusterFacts, site: Site): Violation[] {
  const pods = sum(...site.placed.map(({ requests }) => requests));
  return site.outcomes.flatMap((outcome) => {
    const daemons = daemonsOn(cluster, site, (demands) => possiblyMeets(outcome, demands));
    const wanted = sum(pods, ...daemons.map(({ requests }) => requests));
    return outcome.types.flatMap((type): Violation[] => {
      const missing = shortfall(wanted, type.allocatable);
      if (missing === undefined) return [];
      const text = `${site.name} as ${type.name}: ${missing}, ${daemons.length} daemons included`;
      return [{ rule: 'capacity', text }];
    });
  });
}

function checkRoomOnNode(cluster: ClusterFacts, site: Site): Violation[] {
  const { node } = site;
  const [outcome] = site.outcomes;
  if (node === undefined || outcome === undefined) return [];
  const expected = daemonsOn(cluster, site, (demands) => certainlyMeets(outcome, demands));
  const running = site.bound.filter(isDaemon);
  const stillToCome = beyond(totalOf(expected), totalOf(running));
  const used = sum(totalOf(site.bound), stillToCome);
  const left: Amounts = new Map(
    [...node.allocatable].map(([name, nano]) => [name, nano - (used.get(name) ?? 0n)]),
  );
  const missing = shortfall(totalOf(site.placed), left);
  return missing === undefined ? [] : [{ rule: 'capacity', text: `${site.name}: ${missing}` }];
}

/** DaemonSets whose pods would run there; a taint that only discourages does not stop them. */
function daemonsOn(
  { daemons }: ClusterFacts,
  { taints }: Pick<Site, 'taints'>,
  meets: (demands: PodFacts['nodeAlternatives'][number]) => boolean,
): PodFacts[] {
  return daemons.filter(
    (daemon) =>
      !taints.some((taint) => keepsAway(daemon, taint)) && daemon.nodeAlternatives.some(meets),
  );
}

function checkPorts(cluster: ClusterFacts, site: Site): Violation[] {
  if (site.placed.every(({ ports }) => ports.length === 0)) return [];
  const found = new Map<string, Violation>();
  for (const outcome of site.outcomes) {
    const daemons =
      site.node === undefined
        ? daemonsOn(cluster, site, (demands) => possiblyMeets(outcome, demands))
        : [];
    const others = [...site.bound, ...daemons, ...site.placed];
    for (const pod of site.placed) {
      const rival = others.find((other) => other !== pod && clash(pod.ports, other.ports));
      if (rival === undefined) continue;
      found.set(pod.key, about('host port', site, pod, `wants a port that ${rival.key} has`));
    }
  }
  return [...found.values()];
}

function clash(a: readonly HostPort[], b: readonly HostPort[]): boolean {
  const isOpen = ({ ip }: HostPort): boolean => ip === '0.0.0.0' || ip === '::';
  return a.some((one) =>
    b.some(
      (other) =>
        one.port === other.port &&
        one.protocol === other.protocol &&
        (one.ip === other.ip || isOpen(one) || isOpen(other)),
    ),
  );
}

/** Only nodes that exist have told how many volumes they can take. */
function checkAttachments({ problem }: ClusterFacts, site: Site): Violation[] {
  const csiNode = (problem.csiNodes ?? []).find(
    ({ metadata }) => metadata.name === site.node?.name,
  );
  const volumes = (pods: readonly PodFacts[]): { driver: string; claim: string }[] =>
    pods.flatMap((pod) =>
      volumesOf(problem, pod).flatMap(({ driver, claim }) =>
        driver === undefined ? [] : [{ driver, claim }],
      ),
    );
  const added = volumes(site.placed);
  const all = [...volumes(site.bound), ...added];
  return (csiNode?.spec.drivers ?? []).flatMap(({ name, allocatable }): Violation[] => {
    const count = new Set(all.filter(({ driver }) => driver === name).map(({ claim }) => claim))
      .size;
    const limit = allocatable?.count;
    if (limit === undefined || count <= limit) return [];
    if (!added.some(({ driver }) => driver === name)) return [];
    const text = `${site.name}: ${count} volumes of ${name}, which attaches ${limit} at most`;
    return [{ rule: 'csi limit', text }];
  });
}

function totalOf(pods: readonly PodFacts[]): Amounts {
  return pods.length === 0 ? nothing : sum(...pods.map(({ requests }) => requests));
}

function about(rule: Rule, site: Site, pod: PodFacts, text: string): Violation {
  return { rule, text: `pod ${pod.key} on ${site.name}: ${text}` };
}

function onKeys(keys: ReadonlySet<string>): string {
  return keys.size === 0 ? '' : ` on ${[...keys].join(', ')}`;
}

function asType({ types: [type] }: Outcome): string {
  return type === undefined ? '' : ` if it becomes ${type.name}`;
}
