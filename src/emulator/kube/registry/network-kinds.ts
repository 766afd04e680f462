// networking.k8s.io: policies, ingresses and their classes.
import { at, listAt, objectAt, objectsAt, stringAt, textAt } from '../json.ts';
import {
  classAnnotationErrors,
  controllerChangeErrors,
  ingressClassErrors,
  ingressErrors,
} from '../validation/ingress.ts';
import { networkPolicyErrors } from '../validation/network-policy.ts';
import { ingressClassDefaults, networkPolicyDefaults } from '../validation/plain-defaults.ts';
import { builtIn } from './built-in-kind.ts';
import { column, orNone, selectorText, text, textOr } from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';
import { loadBalancerAddresses, shortened } from './service-cells.ts';
import { ownStatus } from './status-rules.ts';

const networkGroup = 'networking.k8s.io';

export const networkKinds: readonly ResourceKind[] = [
  builtIn({
    group: networkGroup,
    kind: 'IngressClass',
    plural: 'ingressclasses',
    singular: 'ingressclass',
    namespaced: false,
    columns: [
      column('Controller', text('spec', 'controller')),
      column('Parameters', (object) => {
        const parameters = objectAt(object, 'spec', 'parameters');
        if (parameters === undefined) return '<none>';
        const group = stringAt(parameters, 'apiGroup');
        const kind = textAt(parameters, 'kind');
        return `${kind}${group === undefined ? '' : `.${group}`}/${textAt(parameters, 'name')}`;
      }),
    ],
    strategy: {
      generation: 'spec',
      defaults: ingressClassDefaults,
      validate: ingressClassErrors,
      validateUpdate: (object, before) => [
        ...controllerChangeErrors(object, before),
        ...ingressClassErrors(object),
      ],
    },
  }),
  builtIn({
    group: networkGroup,
    kind: 'Ingress',
    plural: 'ingresses',
    shortNames: ['ing'],
    subresources: ['status'],
    columns: [
      column('Class', textOr('<none>', 'spec', 'ingressClassName')),
      column('Hosts', (object) => {
        const hosts = objectsAt(object, 'spec', 'rules').map((rule) => textAt(rule, 'host'));
        const named = hosts.filter((host) => host !== '');
        return named.length === 0 ? '*' : shortened(named);
      }),
      column('Address', (object) => loadBalancerAddresses(object).join(',')),
      column('Ports', (object) => (listAt(object, 'spec', 'tls').length === 0 ? '80' : '80, 443')),
    ],
    strategy: {
      ...ownStatus({ loadBalancer: {} }),
      generation: 'spec',
      validate: (object) => [...ingressErrors(object), ...classAnnotationErrors(object)],
      validateUpdate: ingressErrors,
    },
  }),
  builtIn({
    group: networkGroup,
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    singular: 'networkpolicy',
    shortNames: ['netpol'],
    columns: [
      column('Pod-Selector', (object) => orNone(selectorText(at(object, 'spec', 'podSelector')))),
    ],
    strategy: {
      generation: 'spec',
      defaults: networkPolicyDefaults,
      validate: networkPolicyErrors,
      validateUpdate: networkPolicyErrors,
    },
  }),
];
