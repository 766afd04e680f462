// Reviews of tokens and access, which are answered without being stored.
import { pathSegmentName } from '../validation/names.ts';
import { builtIn } from './built-in-kind.ts';
import type { ResourceKind } from './resource-kind.ts';

const review = (group: string, kind: string, plural: string, namespaced = false): ResourceKind =>
  builtIn({
    group,
    kind,
    plural,
    namespaced,
    isVirtual: true,
    strategy: { nameErrors: pathSegmentName },
  });

export const reviewKinds: readonly ResourceKind[] = [
  review('authentication.k8s.io', 'SelfSubjectReview', 'selfsubjectreviews'),
  review('authentication.k8s.io', 'TokenReview', 'tokenreviews'),
  review('authorization.k8s.io', 'LocalSubjectAccessReview', 'localsubjectaccessreviews', true),
  review('authorization.k8s.io', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews'),
  review('authorization.k8s.io', 'SelfSubjectRulesReview', 'selfsubjectrulesreviews'),
  review('authorization.k8s.io', 'SubjectAccessReview', 'subjectaccessreviews'),
];
