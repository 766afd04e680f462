// A plan for a person at a terminal. In: a plan, and the document of it. Out: lines: the nodes to make with what they cost
// and how full they are, where existing nodes help, what is left over and why, and the sums.
import type { Resources } from '../model/resources.ts';
import { resourceName } from '../model/resources.ts';
import { describeExplanation } from '../scheduling/explain/describe-explanation.ts';
import type { ClaimExplanation, PricedType } from '../scheduling/explain/explain-claim.ts';
import type { Plan, PlannedClaim } from '../scheduling/plan/plan.ts';
import { ignoringPod } from '../scheduling/prepare/validate-pod.ts';
import type { SolveDocument } from './solve-document.ts';

const used = [resourceName.cpu, resourceName.memory];

export function planText(plan: Plan, document: SolveDocument): string[] {
  const { explanations } = document;
  return [
    ...nodesTable(plan.claims),
    ...(plan.nodes.length === 0 ? [] : ['', 'Existing nodes that get pods:']),
    ...plan.nodes.map(({ name, pods }) => `  ${name}: ${counted(pods.length, 'pod')}`),
    ...(explanations === undefined ? errorLines(document) : explanationLines(document)),
    '',
    ...summary(plan, document),
  ];
}

function nodesTable(claims: readonly PlannedClaim[]): string[] {
  if (claims.length === 0) return ['No nodes to make.'];
  const header = ['NODEPOOL', 'INSTANCE TYPE', 'CAPACITY', 'ZONES', '$/H', 'PODS', 'CPU', 'MEMORY'];
  const rows = claims
    .toSorted(
      (a, b) =>
        compare(a.pool.metadata.name, b.pool.metadata.name) || b.launch.price - a.launch.price,
    )
    .map(({ pool, launch, pods, ...claim }) => [
      pool.metadata.name,
      launch.instanceType,
      launch.capacityType,
      launch.zones.join(','),
      launch.price.toFixed(4),
      String(pods.length),
      ...used.map((name) => percent(share(name, [claim]))),
    ]);
  const all = [header, ...rows];
  const widths = header.map((_, column) =>
    Math.max(...all.map((row) => (row[column] ?? '').length)),
  );
  return all.map((row) =>
    row
      .map((cell, column) =>
        column < 4 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

function errorLines({ podErrors }: SolveDocument): string[] {
  const errors = Object.entries(podErrors);
  if (errors.length === 0) return [];
  return ['', 'Pods that go nowhere:', ...errors.map(([pod, message]) => `  ${pod}: ${message}`)];
}

function explanationLines(document: SolveDocument): string[] {
  const { pods = [], claims = [] } = document.explanations ?? {};
  const ignored = Object.entries(document.podErrors).filter(([, text]) =>
    text.startsWith(ignoringPod),
  );
  const left = [
    ...pods.flatMap(describeExplanation),
    ...ignored.map(([pod, message]) => `${pod}: ${message}`),
  ];
  return [
    ...(left.length === 0 ? [] : ['', 'Pods that go nowhere:', ...left.map((line) => `  ${line}`)]),
    ...(claims.length === 0 ? [] : ['', 'Why these types:', ...choiceLines(claims)]),
  ];
}

/** Nodes with one choice share a line. */
function choiceLines(claims: NonNullable<SolveDocument['explanations']>['claims']): string[] {
  const alike = Map.groupBy(claims, choiceText);
  return [...alike].map(([text, group]) => {
    const [first] = group;
    const others = group.length === 1 ? '' : ` and ${group.length - 1} more`;
    return `  node of ${first?.firstPod ?? ''}${others}: ${text}`;
  });
}

function choiceText({ choice, cheaper, dearer }: ClaimExplanation): string {
  const lacks = Object.entries(cheaper?.short ?? {}).map(([name, amount]) => `${name} ${amount}`);
  const why = lacks.length === 0 ? 'not allowed' : `short of ${lacks.join(', ')}`;
  return [
    priced(choice),
    ...(cheaper === undefined ? [] : [`${priced(cheaper)} is ${why}`]),
    ...(dearer === undefined ? [] : [`${priced(dearer)} would do`]),
  ].join('; ');
}

function priced({ instanceType, price }: PricedType): string {
  return `${instanceType} at ${price.toFixed(4)}`;
}

function summary({ claims, nodes, totalPrice }: Plan, document: SolveDocument): string[] {
  const onNew = claims.reduce((sum, { pods }) => sum + pods.length, 0);
  const onNodes = nodes.reduce((sum, { pods }) => sum + pods.length, 0);
  const failed = Object.keys(document.podErrors).length;
  const full = used.map((name) => `${percent(share(name, claims))} of ${name}`).join(' and ');
  const { stopped, unreached } = document;
  return [
    `${counted(claims.length, 'node')} to make for ${totalPrice.toFixed(4)} per hour${claims.length === 0 ? '' : `, using ${full}`}.`,
    `${counted(onNew, 'pod')} on new nodes, ${onNodes} on existing ones, ${failed} nowhere.`,
    ...boundLines(document),
    ...(stopped
      ? [`Stopped at the time limit; ${counted(unreached.length, 'pod')} not looked at.`]
      : []),
  ];
}

function boundLines({ bound, gap, boundInPools, gapInPools }: SolveDocument): string[] {
  if (bound === undefined || boundInPools === undefined) return [];
  const line = (least: number, share = 0): string =>
    `costs less than ${least.toFixed(4)} per hour: at most ${percent(share)} could be saved.`;
  const any = `No plan ${line(bound, gap)}`;
  if (boundInPools - bound < bound * 1e-5) return [any];
  return [any, `With pods in the pools they are in, none ${line(boundInPools, gapInPools)}`];
}

/** What is asked for, of what the types have that the nodes will be. */
function share(
  name: string,
  claims: readonly Pick<PlannedClaim, 'requests' | 'instanceTypes'>[],
): number {
  let asked = 0;
  let there = 0;
  for (const { requests, instanceTypes } of claims) {
    asked += amount(requests, name);
    there += amount(instanceTypes[0]?.allocatable, name);
  }
  return there === 0 ? 0 : asked / there;
}

function amount(resources: Resources | undefined, name: string): number {
  return Number(resources?.get(name) ?? 0n);
}

function percent(value: number): string {
  return `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
