// admissionregistration.k8s.io: webhooks and policies, kept and shown, never called.
import { objectAt, textAt } from '../json.ts';
import {
  bindingDefaults,
  bindingErrors,
  policyDefaults,
  policyErrors,
} from '../validation/admission-policy.ts';
import { mutatingWebhookDefaults, webhookDefaults } from '../validation/plain-defaults.ts';
import { webhookErrors } from '../validation/webhooks.ts';
import { builtIn } from './built-in-kind.ts';
import { column, lengthOf, text, textOr } from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';
import { ownStatus } from './status-rules.ts';

const admissionGroup = 'admissionregistration.k8s.io';
const extensions = ['api-extensions'];
const webhookColumns = [column('Webhooks', lengthOf('webhooks'), 'integer')];
const generational = { generation: 'all-but-status', allowUnconditionalUpdate: false } as const;

export const admissionKinds: readonly ResourceKind[] = [
  builtIn({
    group: admissionGroup,
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    namespaced: false,
    categories: extensions,
    columns: webhookColumns,
    strategy: {
      ...generational,
      defaults: mutatingWebhookDefaults,
      validate: webhookErrors,
      validateUpdate: webhookErrors,
    },
  }),
  builtIn({
    group: admissionGroup,
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    namespaced: false,
    categories: extensions,
    subresources: ['status'],
    columns: [
      column('Validations', lengthOf('spec', 'validations'), 'integer'),
      column('ParamKind', (object) => {
        const kind = objectAt(object, 'spec', 'paramKind');
        return kind === undefined
          ? '<unset>'
          : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`;
      }),
    ],
    strategy: {
      ...ownStatus(),
      ...generational,
      defaults: policyDefaults,
      validate: policyErrors,
      validateUpdate: policyErrors,
    },
  }),
  builtIn({
    group: admissionGroup,
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    namespaced: false,
    categories: extensions,
    columns: [
      column('PolicyName', text('spec', 'policyName')),
      column('ParamRef', textOr('<unset>', 'spec', 'paramRef', 'name')),
    ],
    strategy: {
      ...generational,
      defaults: bindingDefaults,
      validate: bindingErrors,
      validateUpdate: bindingErrors,
    },
  }),
  builtIn({
    group: admissionGroup,
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    namespaced: false,
    categories: extensions,
    columns: webhookColumns,
    strategy: {
      ...generational,
      defaults: webhookDefaults,
      validate: webhookErrors,
      validateUpdate: webhookErrors,
    },
  }),
];
