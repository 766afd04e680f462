// How fast the reference algebra is, on requirements as NodePools and pods have them.
import { coreLabelRules as rules } from '../src/model/label-rules.ts';
import { isCompatible } from '../src/model/compatibility.ts';
import {
  hasIntersection,
  intersect,
  type RequirementEntry,
  createRequirement,
} from '../src/model/requirement.ts';
import { mergeRequirements, requirementsFromEntries } from '../src/model/requirements.ts';
import { callsPerSecond, thousands } from './measure.ts';
import type { Bench } from './run.ts';

const numbered = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, i) => `Standard_D${from + i}s_v5`);

const requirement = (entry: RequirementEntry) => createRequirement(rules, entry);
const key = 'node.kubernetes.io/instance-type';
const few = requirement({ key, operator: 'In', values: numbered(5) });
const many = requirement({ key, operator: 'In', values: numbered(300, 3) });
const not = requirement({ key, operator: 'NotIn', values: numbered(3) });

const pool = requirementsFromEntries(rules, [
  { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] },
  { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
  { key: 'karpenter.azure.com/sku-cpu', operator: 'Lt', values: ['33'] },
  { key, operator: 'Exists' },
]);
const pod = requirementsFromEntries(rules, [
  { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
  { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['westeurope-1'] },
]);

export const bench: Bench = {
  name: 'requirements',
  description: 'the algebra behind every decision, calls per second',
  async run(print) {
    const line = async (what: string, work: () => unknown): Promise<void> => {
      const rate = await callsPerSecond(() => void work());
      print(`${what.padEnd(46)} ${thousands(rate).padStart(12)} /s`);
    };
    await line('intersection, 5 values with 300', () => intersect(few, many));
    await line('intersection, 300 values without 3', () => intersect(many, not));
    await line('is there an intersection, 5 values with 300', () => hasIntersection(few, many));
    await line('is a pod compatible with a pool', () => isCompatible(pool, pod, rules.wellKnown));
    await line("merge a pod's requirements into a pool's", () => mergeRequirements(pool, pod));
  },
};
