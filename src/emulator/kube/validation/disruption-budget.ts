// PodDisruptionBudgets: one of two amounts, and the selector of the pods they protect.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, notSupported } from '../field-error.ts';
import { at, stringAt } from '../json.ts';
import type { Json } from '../../../api/meta.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { ownStatus } from '../registry/status-rules.ts';
import { selectorErrors } from './selector.ts';

function amountErrors(value: Json | undefined, field: string): readonly FieldError[] {
  if (typeof value === 'number') {
    return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
  }
  if (typeof value !== 'string') return [];
  const percent = /^([0-9]+)%$/.exec(value)?.[1];
  if (percent === undefined) {
    return [
      invalid(
        field,
        value,
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ),
    ];
  }
  return Number(percent) > 100 ? [invalid(field, value, 'must not be greater than 100%')] : [];
}

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget'];

function budgetErrors(budget: ApiObject): readonly FieldError[] {
  const least = at(budget, 'spec', 'minAvailable');
  const most = at(budget, 'spec', 'maxUnavailable');
  const errors: FieldError[] = [];
  if (least !== undefined && most !== undefined) {
    errors.push(
      invalid(
        'spec',
        at(budget, 'spec') ?? {},
        'minAvailable and maxUnavailable cannot be both set',
      ),
    );
  }
  errors.push(
    ...amountErrors(least, 'spec.minAvailable'),
    ...amountErrors(most, 'spec.maxUnavailable'),
  );
  errors.push(...selectorErrors(at(budget, 'spec', 'selector'), 'spec.selector'));
  const policy = stringAt(budget, 'spec', 'unhealthyPodEvictionPolicy');
  if (policy !== undefined && !evictionPolicies.includes(policy)) {
    errors.push(notSupported('spec.unhealthyPodEvictionPolicy', policy, evictionPolicies));
  }
  return errors;
}

export const disruptionBudgetStrategy: Strategy = {
  ...ownStatus({ currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }),
  generation: 'spec',
  allowUnconditionalUpdate: false,
  validate: budgetErrors,
  validateUpdate: (budget) => budgetErrors(budget),
};
