// Kinds that are stored for others to read, and of which the server knows little more than their defaults.
import { listAt, objectAt, withDefaults, withValue, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { eachObject } from './pod-defaults.ts';

function withSpec(object: ApiObject, change: (spec: JsonObject) => JsonObject): ApiObject {
  const spec = change(objectAt(object, 'spec') ?? {});
  return spec === object['spec'] ? object : { ...object, spec };
}

export function driverDefaults(driver: ApiObject): ApiObject {
  return withSpec(driver, (spec) =>
    withDefaults(spec, {
      attachRequired: true,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      podInfoOnMount: false,
      requiresRepublish: false,
      seLinuxMount: false,
      storageCapacity: false,
      volumeLifecycleModes: ['Persistent'],
    }),
  );
}

export function csiNodeDefaults(node: ApiObject): ApiObject {
  return withSpec(node, (spec) =>
    eachObject(spec, 'drivers', (driver) => withDefaults(driver, { topologyKeys: null })),
  );
}

const webhook = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

function hookDefaults(hook: JsonObject, own: JsonObject): JsonObject {
  const filled = withDefaults(hook, { ...webhook, ...own });
  const ruled = eachObject(filled, 'rules', (rule) => withDefaults(rule, { scope: '*' }));
  const service = objectAt(ruled, 'clientConfig', 'service');
  if (service === undefined) return ruled;
  return withValue(ruled, ['clientConfig', 'service'], withDefaults(service, { port: 443 }));
}

export function webhookDefaults(object: ApiObject): ApiObject {
  return eachObject(object, 'webhooks', (hook) => hookDefaults(hook, {})) as ApiObject;
}

export function mutatingWebhookDefaults(object: ApiObject): ApiObject {
  const own = { reinvocationPolicy: 'Never' };
  return eachObject(object, 'webhooks', (hook) => hookDefaults(hook, own)) as ApiObject;
}

export function sliceDefaults(slice: ApiObject): ApiObject {
  const ported = eachObject(slice, 'ports', (port) =>
    withDefaults(port, { name: '', protocol: 'TCP' }),
  );
  return eachObject(ported, 'endpoints', (endpoint) =>
    withDefaults(endpoint, { conditions: {} }),
  ) as ApiObject;
}

export function endpointsDefaults(endpoints: ApiObject): ApiObject {
  return eachObject(endpoints, 'subsets', (subset) =>
    eachObject(subset, 'ports', (port) => withDefaults(port, { protocol: 'TCP' })),
  ) as ApiObject;
}

export function networkPolicyDefaults(policy: ApiObject): ApiObject {
  const types = listAt(policy, 'spec', 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  return withSpec(policy, (spec) => withDefaults(spec, { policyTypes: types }));
}

/** Parameters are the cluster's unless they say otherwise. */
export function ingressClassDefaults(object: ApiObject): ApiObject {
  const parameters = objectAt(object, 'spec', 'parameters');
  if (parameters === undefined || 'scope' in parameters) return object;
  return withValue(object, ['spec', 'parameters', 'scope'], 'Cluster');
}
