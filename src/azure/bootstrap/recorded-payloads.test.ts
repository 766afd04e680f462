// Our payloads beside those that the original makes of the same nodes (recorded-payloads.json: the first case in full,
// the others as differences from it). Where ours is meant to differ is written down here, and nothing else may.
import { describe, expect, test } from 'vitest';
import { decodeCustomData } from './decode-custom-data.ts';
import { kubeletLabels } from './node-labels.ts';
import type { ClusterNetwork } from './node-plan.ts';
import { provisionValues } from './provision-profile.ts';
import recorded from './recorded-payloads.json' with { type: 'json' };
import { scriptlessCustomData } from './scriptless.ts';
import { testCluster, testPlan, type TestNode } from './test-node.ts';

interface Recorded {
  readonly name: string;
  readonly node: TestNode;
  readonly network?: Partial<ClusterNetwork>;
  readonly script: Readonly<Record<string, unknown>>;
  readonly question: {
    readonly labels: Readonly<Record<string, string>>;
    readonly withoutLabels?: readonly string[];
    readonly provisionProfile: Readonly<Record<string, unknown>>;
    readonly provisionHelperValues: Readonly<Record<string, number>>;
  };
}

const cases = recorded as unknown as readonly Recorded[];
const [plain] = cases as readonly [Recorded];

/** Set by us alone: the original leaves these to the other two ways of making nodes. */
const oursAlone = [
  'ARTIFACT_STREAMING_ENABLED',
  'LOCALDNS_CPU_LIMIT',
  'LOCALDNS_GENERATED_COREFILE',
  'LOCALDNS_MEMORY_LIMIT',
  'SHOULD_ENABLE_LOCALDNS',
];
const differences: Readonly<Record<string, readonly string[]>> = {
  'a DNS cache': ['--cluster-dns'],
  'kernel settings': [
    'SHOULD_CONFIG_SWAP_FILE',
    'SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE',
    'SWAP_FILE_SIZE_MB',
    'SYSCTL_CONTENT',
    'THP_DEFRAG',
    'THP_ENABLED',
  ],
};

type Flags = { readonly without: readonly string[]; readonly with: readonly string[] };

/** Flags by name beside the variables. The original guards memory only, which is our one difference in flags. */
function theirScript({ name, script }: Recorded): Record<string, unknown> {
  const { KUBELET_FLAGS: plainFlags, ...plainRest } = plain.script;
  const { KUBELET_FLAGS: change, ...rest } = script;
  const { without, with: added } = (
    name === plain.name ? { without: [], with: [] } : change
  ) as Flags;
  const kept = (plainFlags as readonly string[]).filter((flag) => !without.includes(flag));
  const guarded = {
    '--eviction-hard': 'memory.available<750Mi,nodefs.available<10%,nodefs.inodesFree<5%',
  };
  return { ...plainRest, ...rest, ...flagsOf([...kept, ...added]), ...guarded };
}

function ourScript({ node, network }: Recorded): Record<string, unknown> {
  const cluster = testCluster(network === undefined ? {} : { network });
  const result = scriptlessCustomData(cluster, testPlan(node));
  if (!result.ok) throw new Error(result.reason);
  const {
    KUBELET_FLAGS: flags = '',
    KUBELET_NODE_LABELS: _,
    ...rest
  } = decodeCustomData(result.customData);
  return {
    ...rest,
    ...flagsOf(flags.split(' ')),
    CONTAINERD_CONFIG_CONTENT: linesOf(rest['CONTAINERD_CONFIG_CONTENT']),
    SYSCTL_CONTENT: linesOf(rest['SYSCTL_CONTENT']),
  };
}

function flagsOf(flags: readonly string[]): Record<string, string> {
  return Object.fromEntries(flags.map((flag) => flag.split(/=(.*)/).slice(0, 2)));
}

function linesOf(base64 = ''): string[] {
  return Buffer.from(base64, 'base64').toString().trimEnd().split('\n');
}

function without(record: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

describe('as the original does', () => {
  test.each(cases)('a node is told by its custom data: $name', (it) => {
    const ignored = [...oursAlone, ...(differences[it.name] ?? [])];
    expect(without(ourScript(it), ignored)).toEqual(without(theirScript(it), ignored));
  });

  test.each(cases)('the bootstrapping service is asked: $name', (it) => {
    const cluster = testCluster(it.network === undefined ? {} : { network: it.network });
    const question = provisionValues(cluster, testPlan(it.node));
    if (!question.ok) throw new Error(question.reason);
    const { customNodeLabels: _, ...profile } = question.values.provisionProfile;
    const theirs = JSON.parse(
      JSON.stringify({ ...plain.question.provisionProfile, ...it.question.provisionProfile }),
      // What is absent in ours is null in theirs.
      (_key, value: unknown) => value ?? undefined,
    ) as unknown;
    expect(profile).toEqual(theirs);
    expect(question.values.provisionHelperValues).toEqual(it.question.provisionHelperValues);
  });

  test.each(cases)('a node has the labels of AKS: $name', (it) => {
    const cluster = testCluster(it.network === undefined ? {} : { network: it.network });
    const ours = kubeletLabels(cluster, testPlan(it.node));
    const theirs = {
      ...without(plain.question.labels, it.question.withoutLabels ?? []),
      ...it.question.labels,
      // What the claim says about itself comes after what AKS says about every node.
      ...it.node.claim?.labels,
    };
    expect(Object.fromEntries(Object.keys(theirs).map((key) => [key, ours[key]]))).toEqual(theirs);
    expect((it.question.withoutLabels ?? []).filter((key) => key in ours)).toEqual([]);
  });
});
