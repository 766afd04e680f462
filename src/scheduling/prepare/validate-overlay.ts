// What the API server does not check about a NodeOverlay. In: an overlay. Out: every fault it has; with any, it is not
// used. Requirements are judged as those of a NodePool are; the resources every node has are the cloud's to state.
import type { NodeOverlay } from '../../api/node-overlay.ts';
import type { LabelRules } from '../../model/label-rules.ts';
import { tryParseQuantity } from '../../model/quantity.ts';
import { validateRequirement } from '../../model/requirement-validation.ts';
import { resourceName } from '../../model/resources.ts';

const standardResources: ReadonlySet<string> = new Set([
  resourceName.cpu,
  resourceName.memory,
  resourceName.ephemeralStorage,
  resourceName.pods,
]);

export function overlayFaults(rules: LabelRules, { spec }: NodeOverlay): string[] {
  return [
    ...spec.requirements.flatMap((written) => {
      const { faults } = validateRequirement(rules, written);
      return faults.length === 0
        ? []
        : [`invalid value: ${faults.join('; ')} in requirements, restricted`];
    }),
    ...spec.requirements
      .filter(({ operator, values = [] }) => operator === 'NotIn' && values.length === 0)
      .map(({ key }) => `key ${key} with operator NotIn must have a value defined`),
    ...Object.entries(spec.capacity ?? {}).flatMap(([name, amount]) =>
      capacityFaults(name, amount),
    ),
  ];
}

function capacityFaults(name: string, amount: string | number): string[] {
  if (standardResources.has(name)) return [`invalid capacity: ${name} in resource, restricted`];
  const result = tryParseQuantity(amount);
  return result.ok ? [] : [`invalid capacity: ${amount} for resource ${name}, ${result.reason}`];
}
