// What DaemonSets are certain to take of a machine. In: a compiled problem, a template. Out: for a type bought in a certain way
// the sum of those whose demands its labels meet, whatever else the node becomes. The solver counts a DaemonSet as soon as
// it might run there; a bound may only count what must.
import type { Pod } from '../../api/core.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import type { Offering } from '../../model/offering.ts';
import { requestsOfPods } from '../../model/pod-requests.ts';
import { requiredTerms, requirementsFromTerm } from '../../model/pod-requirements.ts';
import { allows, type Requirement } from '../../model/requirement.ts';
import {
  mergeRequirements,
  type Requirements,
  requirementsFromLabels,
} from '../../model/requirements.ts';
import { toleratesPreferNoSchedule } from '../../model/taint.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import type { Template } from '../compile/template.ts';
import { capacityColumns } from '../resource-columns.ts';

export function daemonShares(
  compiled: CompiledProblem,
  template: Template,
): (type: InstanceType, offering: Offering) => Float64Array {
  const { problem, taints, states, columns } = compiled;
  const daemons = problem.daemonPods
    .filter(({ spec }) => {
      const tolerations = [...(spec.tolerations ?? []), toleratesPreferNoSchedule];
      return taints.tolerates(taints.tolerationsId(tolerations), template.taints);
    })
    .map((pod) => ({ pod, alternatives: alternativesOf(compiled, pod) }));
  const own = states.requirementsOf(template.state);
  const known = new Map<string, Float64Array>();
  return (type, offering) => {
    const labels = mergeRequirements(own, type.requirements, offering.requirements);
    const running = daemons.filter(({ alternatives }) =>
      alternatives.some((demands) => isCertain(labels, demands)),
    );
    const text = running.map((daemon) => daemons.indexOf(daemon)).join();
    let share = known.get(text);
    if (share === undefined) {
      share = capacityColumns(columns, requestsOfPods(running.map(({ pod }) => pod)));
      known.set(text, running.length === 0 ? share.fill(0) : share);
    }
    return share;
  };
}

function alternativesOf({ problem }: CompiledProblem, pod: Pod): Requirements[] {
  const { rules } = problem;
  const base = requirementsFromLabels(rules, pod.spec.nodeSelector);
  const terms = requiredTerms(pod).map((term) =>
    mergeRequirements(base, requirementsFromTerm(rules, term)),
  );
  return terms.length === 0 ? [base] : terms;
}

/** Whichever of its possible labels a node gets, it meets the demands. */
function isCertain(labels: Requirements, demands: Requirements): boolean {
  return [...demands.values()].every((demand) => isMet(labels.get(demand.key), demand));
}

function isMet(offer: Requirement | undefined, demand: Requirement): boolean {
  if (offer === undefined || offer.complement || offer.values.size === 0) return false;
  return [...offer.values].every((value) => allows(demand, value));
}
