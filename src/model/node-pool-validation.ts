// What the API server does not check about a NodePool's template. In: the template. Out: every fault it has, and
// values that are unknown but harmless. A pool with faults is not used until they are mended.
import { label } from '../api/labels.ts';
import type { NodeClaimTemplate } from '../api/node-pool.ts';
import { labelValueFaults, qualifiedNameFaults } from './label-name.ts';
import { type LabelRules, restrictionFaults } from './label-rules.ts';
import { validateRequirement } from './requirement-validation.ts';

type Taint = NonNullable<NodeClaimTemplate['spec']['taints']>[number];

export interface TemplateVerdict {
  readonly faults: readonly string[];
  /** Key → values of a closed set that no node will ever have. */
  readonly unknownValues: ReadonlyMap<string, readonly string[]>;
}

const effects = new Set<string>(['NoSchedule', 'PreferNoSchedule', 'NoExecute', '']);

export function validateTemplate(rules: LabelRules, template: NodeClaimTemplate): TemplateVerdict {
  const { taints = [], startupTaints = [], requirements } = template.spec;
  const verdicts = requirements.map((written) => ({
    key: written.key,
    ...validateRequirement(rules, written),
  }));
  const faults = [
    ...Object.entries(template.metadata?.labels ?? {}).flatMap(([key, value]) =>
      labelFaults(rules, key, value),
    ),
    ...taintFaults('taints', taints),
    ...taintFaults('startupTaints', startupTaints),
    ...duplicateFaults([...taints, ...startupTaints]),
    ...verdicts.flatMap(({ faults }) => faults.map((fault) => `requirements: ${fault}`)),
    ...requirements.flatMap(({ key }) => poolLabelFaults('requirements', key)),
  ];
  const unknownValues = new Map(
    verdicts
      .filter((verdict) => verdict.unknownValues.length > 0)
      .map((verdict) => [verdict.key, verdict.unknownValues]),
  );
  return { faults, unknownValues };
}

function labelFaults(rules: LabelRules, key: string, value: string): string[] {
  return [
    ...poolLabelFaults('labels', key),
    ...qualifiedNameFaults(key).map((fault) => `labels: key ${JSON.stringify(key)} ${fault}`),
    ...labelValueFaults(value).map(
      (fault) => `labels: value ${JSON.stringify(value)} of ${key} ${fault}`,
    ),
    ...restrictionFaults(rules, key).map((fault) => `labels: ${fault}`),
  ];
}

/** Every node of the pool carries this label anyway, with the pool's name. */
function poolLabelFaults(field: string, key: string): string[] {
  return key === label.nodePool
    ? [`${field}: key ${key} is set by the pool itself, remove it`]
    : [];
}

function taintFaults(field: string, taints: readonly Taint[]): string[] {
  return taints.flatMap(({ key, value = '', effect }) => [
    ...qualifiedNameFaults(key).map((fault) => `${field}: key ${JSON.stringify(key)} ${fault}`),
    ...(value === '' ? [] : qualifiedNameFaults(value)).map(
      (fault) => `${field}: value ${JSON.stringify(value)} of ${key} ${fault}`,
    ),
    ...(effects.has(effect)
      ? []
      : [`${field}: effect ${JSON.stringify(effect)} of ${key} is not one of the three effects`]),
  ]);
}

function duplicateFaults(taints: readonly Taint[]): string[] {
  const seen = new Set<string>();
  return taints.flatMap(({ key, effect }) => {
    const identity = `${key}:${effect}`;
    if (seen.has(identity)) return [`taints: ${identity} is stated more than once`];
    seen.add(identity);
    return [];
  });
}
