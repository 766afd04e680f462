// The rules of a pod spec, alone or in a template. In: the spec after defaulting. Out: complaints in the server's words
// for the faults that people make.
import type { Json } from '../../../api/meta.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { duplicate, invalid, notSupported, required } from '../field-error.ts';
import {
  countAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  type JsonObject,
} from '../json.ts';
import { containersErrors } from './containers.ts';
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from './names.ts';
import { labelErrors } from './object-meta.ts';
import { podSecurityErrors } from './security-context.ts';
import { selectorErrors } from './selector.ts';
import { sourceErrors } from './volume-sources.ts';

function volumeNames(spec: JsonObject): ReadonlySet<string> {
  return new Set(objectsAt(spec, 'volumes').map((volume) => textAt(volume, 'name')));
}

function volumeErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const seen = new Set<string>();
  return objectsAt(spec, 'volumes').flatMap((volume, index) => {
    const path = `${field}[${index}]`;
    const name = textAt(volume, 'name');
    const errors: FieldError[] = [];
    errors.push(...sourceErrors(volume, path));
    if (name === '') errors.push(required(`${path}.name`));
    else errors.push(...dnsLabelErrors(name).map((error) => invalid(`${path}.name`, name, error)));
    if (seen.has(name) && name !== '') errors.push(duplicate(`${path}.name`, name));
    seen.add(name);
    return errors;
  });
}

const tolerationOperators = ['Equal', 'Exists'];
const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function tolerationValueErrors(toleration: JsonObject, field: string): readonly FieldError[] {
  const operator = textAt(toleration, 'operator');
  const value = textAt(toleration, 'value');
  if (operator === '' || operator === 'Equal') {
    const wrong = labelValueErrors(value);
    return wrong.length === 0 ? [] : [invalid(field, value, wrong.join(';'))];
  }
  if (operator !== 'Exists') return [notSupported(field, operator, tolerationOperators)];
  if (value === '') return [];
  return [invalid(field, value, "value must be empty when `operator` is 'Exists'")];
}

const emptyKeyWords =
  'operator must be Exists when `key` is empty, which means "match all values and all keys"';

function oneTolerationErrors(toleration: JsonObject, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const key = textAt(toleration, 'key');
  const operator = textAt(toleration, 'operator');
  const effect = textAt(toleration, 'effect');
  if (key !== '') {
    errors.push(...qualifiedNameErrors(key).map((error) => invalid(`${field}.key`, key, error)));
  } else if (operator !== 'Exists') {
    errors.push(invalid(`${field}.operator`, operator, emptyKeyWords));
  }
  if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute') {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(invalid(`${field}.effect`, effect, detail));
  }
  errors.push(...tolerationValueErrors(toleration, `${field}.operator`));
  if (effect !== '' && !taintEffects.includes(effect)) {
    errors.push(notSupported(`${field}.effect`, effect, taintEffects));
  }
  return errors;
}

function tolerationErrors(
  tolerations: readonly JsonObject[],
  field: string,
): readonly FieldError[] {
  return tolerations.flatMap((toleration, index) => [
    ...oneTolerationErrors(toleration, `${field}[${index}]`),
  ]);
}

const nodeOperators: ReadonlySet<string> = new Set([
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
  'Gt',
  'Lt',
]);

function requirementErrors(requirement: JsonObject, field: string): readonly FieldError[] {
  const operator = textAt(requirement, 'operator');
  const values = listAt(requirement, 'values');
  const key = textAt(requirement, 'key');
  const errors: FieldError[] = [];
  if (!nodeOperators.has(operator)) {
    errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  } else if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      errors.push(
        required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
      );
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1)
      errors.push(
        required(
          `${field}.values`,
          "must be specified single value when `operator` is 'Lt' or 'Gt'",
        ),
      );
  } else if (values.length > 0) {
    errors.push({
      field: `${field}.values`,
      type: 'Forbidden',
      detail: "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    });
  }
  errors.push(...qualifiedNameErrors(key).map((error) => invalid(`${field}.key`, key, error)));
  return errors;
}

function termErrors(term: Json | undefined, field: string): readonly FieldError[] {
  return objectsAt(term, 'matchExpressions').flatMap((requirement, index) => [
    ...requirementErrors(requirement, `${field}.matchExpressions[${index}]`),
  ]);
}

function podTermErrors(term: JsonObject | undefined, field: string): readonly FieldError[] {
  const key = textAt(term, 'topologyKey');
  const errors: FieldError[] = [
    ...selectorErrors(term?.['labelSelector'], `${field}.labelSelector`),
  ];
  if (key === '') errors.push(required(`${field}.topologyKey`, 'can not be empty'));
  errors.push(
    ...qualifiedNameErrors(key).map((error) => invalid(`${field}.topologyKey`, key, error)),
  );
  return errors;
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function weightErrors(term: JsonObject, field: string): readonly FieldError[] {
  const weight = countAt(term, 'weight');
  return weight < 1 || weight > 100
    ? [invalid(`${field}.weight`, weight, 'must be in the range 1-100')]
    : [];
}

function affinityErrors(affinity: JsonObject | undefined, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const node = objectAt(affinity, 'nodeAffinity');
  const nodeRequired = objectAt(node, requiredTerms);
  if (nodeRequired !== undefined) {
    const terms = objectsAt(nodeRequired, 'nodeSelectorTerms');
    const path = `${field}.nodeAffinity.${requiredTerms}.nodeSelectorTerms`;
    if (terms.length === 0)
      errors.push(required(path, 'must have at least one node selector term'));
    for (const [index, term] of terms.entries())
      errors.push(...termErrors(term, `${path}[${index}]`));
  }
  for (const [index, term] of objectsAt(node, preferred).entries()) {
    const path = `${field}.nodeAffinity.${preferred}[${index}]`;
    errors.push(
      ...weightErrors(term, path),
      ...termErrors(term['preference'], `${path}.preference`),
    );
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    for (const [index, term] of objectsAt(affinity, kind, requiredTerms).entries()) {
      errors.push(...podTermErrors(term, `${field}.${kind}.${requiredTerms}[${index}]`));
    }
    for (const [index, term] of objectsAt(affinity, kind, preferred).entries()) {
      const path = `${field}.${kind}.${preferred}[${index}]`;
      errors.push(
        ...weightErrors(term, path),
        ...podTermErrors(objectAt(term, 'podAffinityTerm'), `${path}.podAffinityTerm`),
      );
    }
  }
  return errors;
}

const whenUnsatisfiable = ['DoNotSchedule', 'ScheduleAnyway'];

function spreadErrors(constraints: readonly JsonObject[], field: string): readonly FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const path = `${field}[${index}]`;
    const errors: FieldError[] = [];
    const skew = countAt(constraint, 'maxSkew');
    if (skew <= 0) errors.push(invalid(`${path}.maxSkew`, skew, 'must be greater than zero'));
    const key = textAt(constraint, 'topologyKey');
    if (key === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'));
    else
      errors.push(
        ...qualifiedNameErrors(key).map((error) => invalid(`${path}.topologyKey`, key, error)),
      );
    const when = textAt(constraint, 'whenUnsatisfiable');
    if (!whenUnsatisfiable.includes(when))
      errors.push(notSupported(`${path}.whenUnsatisfiable`, when, whenUnsatisfiable));
    const domains = numberAt(constraint, 'minDomains');
    if (domains !== undefined && domains <= 0)
      errors.push(invalid(`${path}.minDomains`, domains, 'must be greater than zero'));
    if (domains !== undefined && when !== 'DoNotSchedule') {
      errors.push(
        invalid(
          `${path}.minDomains`,
          domains,
          `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`,
        ),
      );
    }
    errors.push(...selectorErrors(constraint['labelSelector'], `${path}.labelSelector`));
    return errors;
  });
}

const restartPolicies: ReadonlySet<string> = new Set(['Always', 'Never', 'OnFailure']);
const dnsPolicies: ReadonlySet<string> = new Set([
  'ClusterFirst',
  'ClusterFirstWithHostNet',
  'Default',
  'None',
]);

function enumErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const restart = textAt(spec, 'restartPolicy');
  if (!restartPolicies.has(restart)) {
    errors.push(notSupported(`${field}.restartPolicy`, restart, ['Always', 'OnFailure', 'Never']));
  }
  const dns = textAt(spec, 'dnsPolicy');
  if (!dnsPolicies.has(dns)) {
    errors.push(
      notSupported(`${field}.dnsPolicy`, dns, [
        'ClusterFirstWithHostNet',
        'ClusterFirst',
        'Default',
        'None',
      ]),
    );
  }
  const preemption = stringAt(spec, 'preemptionPolicy');
  if (preemption !== undefined && preemption !== 'Never' && preemption !== 'PreemptLowerPriority') {
    errors.push(
      notSupported(`${field}.preemptionPolicy`, preemption, ['PreemptLowerPriority', 'Never']),
    );
  }
  return errors;
}

function nameFieldErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const subdomains = ['serviceAccountName', 'nodeName', 'priorityClassName', 'runtimeClassName'];
  const labels = ['hostname', 'subdomain'];
  const check = (names: readonly string[], rule: (value: string) => readonly string[]) =>
    names.flatMap((name) => {
      const value = textAt(spec, name);
      return value === ''
        ? []
        : rule(value).map((error) => invalid(`${field}.${name}`, value, error));
    });
  return [...check(subdomains, dnsSubdomainErrors), ...check(labels, dnsLabelErrors)];
}

function gateErrors(gates: readonly JsonObject[], field: string): readonly FieldError[] {
  const seen = new Set<string>();
  return gates.flatMap((gate, index) => {
    const name = textAt(gate, 'name');
    const path = `${field}[${index}]`;
    const errors = qualifiedNameErrors(name).map((error) => invalid(path, name, error));
    if (seen.has(name)) errors.push(duplicate(path, name));
    seen.add(name);
    return errors;
  });
}

export function podSpecErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const errors = [
    ...volumeErrors(spec, `${field}.volumes`),
    ...containersErrors(spec, field, volumeNames(spec)),
    ...enumErrors(spec, field),
    ...labelErrors(
      objectAt(spec, 'nodeSelector') as Record<string, string> | undefined,
      `${field}.nodeSelector`,
    ),
    ...affinityErrors(objectAt(spec, 'affinity'), `${field}.affinity`),
    ...spreadErrors(
      objectsAt(spec, 'topologySpreadConstraints'),
      `${field}.topologySpreadConstraints`,
    ),
    ...nameFieldErrors(spec, field),
    ...podSecurityErrors(spec, field),
    ...tolerationErrors(objectsAt(spec, 'tolerations'), `${field}.tolerations`),
  ];
  const deadline = numberAt(spec, 'activeDeadlineSeconds');
  if (deadline !== undefined && (deadline < 1 || deadline > 2_147_483_647)) {
    errors.push(
      invalid(
        `${field}.activeDeadlineSeconds`,
        deadline,
        'must be between 1 and 2147483647, inclusive',
      ),
    );
  }
  const gates = objectsAt(spec, 'schedulingGates');
  errors.push(...gateErrors(gates, `${field}.schedulingGates`));
  if (gates.length > 0 && textAt(spec, 'nodeName') !== '') {
    errors.push({
      field: `${field}.nodeName`,
      type: 'Forbidden',
      detail: 'cannot be set until all schedulingGates have been cleared',
    });
  }
  return errors;
}
