// Answers "what may I do here?". In: a SelfSubjectRulesReview. Out: all rules of the asker in the namespace.
import { stringAt, type JsonObject } from '../../json.ts';
import type { VirtualCreate } from '../../ports.ts';
import { badRequest } from '../../status-error.ts';
import type { ClusterAuthorizer } from '../authorization/authorizer.ts';
import type { PolicyRule } from '../authorization/policy-rule.ts';
import { answered } from './answered.ts';

const type = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview' };

export function selfSubjectRulesReviews(authorizer: ClusterAuthorizer): VirtualCreate {
  return ({ object, context }) => {
    const namespace = stringAt(object, 'spec', 'namespace') ?? '';
    if (namespace === '') throw badRequest('no namespace on request');
    const { rules, incomplete, error } = authorizer.listRules(context.user, namespace);
    // The real server does not repeat what was asked.
    return answered(
      type,
      {},
      {
        resourceRules: rules.flatMap((rule) => resourceRule(rule)),
        nonResourceRules: rules.flatMap((rule) => pathRule(rule)),
        incomplete,
        ...(error === '' ? {} : { evaluationError: error }),
      },
    );
  };
}

function resourceRule(rule: PolicyRule): readonly JsonObject[] {
  const { verbs, apiGroups, resources, resourceNames } = rule;
  if (resources.length === 0) return [];
  const names = resourceNames.length === 0 ? {} : { resourceNames };
  return [{ verbs, apiGroups, resources, ...names }];
}

function pathRule({ verbs, nonResourceURLs }: PolicyRule): readonly JsonObject[] {
  return nonResourceURLs.length === 0 ? [] : [{ verbs, nonResourceURLs }];
}
