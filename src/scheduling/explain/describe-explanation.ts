// The record in sentences for a person at a terminal. In: the record. Out: lines; those that belong to the one above are
// indented.
import type { ResourceList } from '../../api/core.ts';
import { describeTaint } from '../../model/taint.ts';
import type {
  ExcludedTypes,
  Explanation,
  NodeAnswer,
  PoolReason,
  PoolVerdict,
  TypesReason,
} from './explanation.ts';

export function describeExplanation(record: Explanation): string[] {
  const { pod, requests, failure, dropped, pools, emptyPools } = record;
  const title = `${pod} asks for ${listAmounts(requests)}.`;
  if (failure !== undefined) return [title, `  It can go nowhere: ${failure}.`];
  return [
    title,
    ...dropped.map((what) => `  Given up without success: ${what}.`),
    ...nodesLines(record.nodes),
    ...pools.flatMap(poolLines),
    ...emptyPools.map((pool) => `  NodePool ${pool}: its own requirements leave no instance type.`),
    ...(pools.length + emptyPools.length === 0
      ? ['  There is no NodePool that could make a node.']
      : []),
  ];
}

const nodeWords: Readonly<Record<NodeAnswer, string>> = {
  accepts: 'would take it',
  leaving: 'on the way out',
  taints: 'with a taint that it does not tolerate',
  volumeLimits: 'that cannot attach its volumes',
  hostPorts: 'where a port of the host is taken',
  resources: 'without enough room',
  requirements: 'without the labels it asks for',
  volumes: 'out of reach of its volumes',
  topology: 'where rules about other pods forbid it',
};

function nodesLines(nodes: Explanation['nodes']): string[] {
  const counts = Object.entries(nodes).toSorted(([, a], [, b]) => b - a);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return [];
  const parts = counts.map(([answer, count]) => `${count} ${nodeWords[answer as NodeAnswer]}`);
  return [`  Existing nodes (${total}): ${parts.join(', ')}.`];
}

function poolLines({
  pool,
  reason,
  instanceTypes,
  excluded,
  byLabel,
  nearest,
}: PoolVerdict): string[] {
  const lines = [`  NodePool ${pool}: ${sentence(reason)}.`];
  const counts = Object.entries(excluded).filter(([, count]) => (count as number) > 0);
  if (counts.length > 0) {
    const parts = counts.map(
      ([rule, count]) => `${ruleWords[rule as keyof ExcludedTypes]} ${count}`,
    );
    lines.push(`    Of ${instanceTypes} instance types, excluded by ${parts.join(', by ')}.`);
  }
  lines.push(
    ...Object.entries(byLabel).map(([demand, count]) => `    ${demand} alone excludes ${count}.`),
  );
  if (nearest !== undefined) {
    lines.push(
      `    ${nearest.instanceType} comes closest, short of ${listAmounts(nearest.short)}.`,
    );
  }
  return lines;
}

const ruleWords: Readonly<Record<keyof ExcludedTypes, string>> = {
  limits: 'limits',
  taints: 'taints',
  requirements: 'labels',
  offering: 'what can be bought',
  resources: 'size',
  hostPorts: 'ports of DaemonSets',
  topology: 'rules about other pods',
  minValues: 'too little variety',
};

function sentence(reason: PoolReason): string {
  switch (reason.kind) {
    case 'accepts':
      return 'it would make a node for this pod';
    case 'limits':
      return reason.of === 'nodes'
        ? 'its limit of nodes is reached'
        : 'every instance type would exceed its limits';
    case 'taints':
      return `the pod does not tolerate ${reason.taints.map(describeTaint).join(' and ')}`;
    case 'requirements':
      return `${reason.of === 'pod' ? 'labels' : 'volumes'} do not agree: ${reason.mismatch}`;
    case 'hostPorts':
      return reason.conflict;
    case 'topology': {
      const counts = Object.entries(reason.counts).map(
        ([domain, count]) => `${domain} has ${count}`,
      );
      const where = counts.length === 0 ? 'no node has the label' : counts.slice(0, 10).join(', ');
      return `${reason.rule} over ${reason.key} leaves no domain (${where})`;
    }
    default:
      return typesSentence(reason);
  }
}

function typesSentence({ met, unmetMinValues }: TypesReason): string {
  if (unmetMinValues.length > 0) {
    return `what remains has too few values of ${unmetMinValues.join(' and ')} for its minValues`;
  }
  const lacking = [
    ...(met.some(({ requirements }) => requirements) ? [] : ['has the labels']),
    ...(met.some(({ resources }) => resources) ? [] : ['is large enough']),
    ...(met.some(({ offering }) => offering) ? [] : ['can be bought that way']),
  ];
  if (lacking.length === 0)
    return 'no instance type has the labels, is large enough and can be bought';
  return `no instance type ${lacking.join(', none ')}`;
}

function listAmounts(amounts: ResourceList): string {
  return Object.entries(amounts)
    .map(([name, amount]) => `${name} ${amount}`)
    .join(', ');
}
