// The providers of a subscription and the preview features of theirs. In: GET, list, register, unregister. Out: what is
// registered and which types with which versions there are, as the table of types says.
import type { Json } from '../../../api/meta.ts';
import { ok, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { supportedVersions } from '../arm/api-versions.ts';
import type { Registrations } from '../arm/registrations.ts';
import type { TypeRegistry } from '../arm/registry.ts';
import { nameOf } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import { invalidNamespace } from '../errors.ts';

export interface ProviderOptions {
  readonly env: AzureEnvironment;
  readonly registrations: Registrations;
  /** The table is complete only after this type is in it. */
  readonly registry: () => TypeRegistry;
}

export function providerTypes(options: ProviderOptions): ResourceType[] {
  const { registrations } = options;
  const one = (call: ArmCall): Json => shown(options, call, namespaceOf(options, call));
  const change = (call: ArmCall, isRegistering: boolean): ArmReply => {
    const namespace = namespaceOf(options, call);
    if (isRegistering) registrations.register(call.path.subscriptionId, namespace);
    else registrations.unregister(call.path.subscriptionId, namespace);
    return ok(shown(options, call, namespace));
  };
  return [
    {
      type: 'Microsoft.Resources/subscriptions/providers',
      open: ['get', 'list'],
      get: (call) => ok(one(call)),
      list: (call) =>
        ok({ value: options.registry().namespaces.map((name) => shown(options, call, name)) }),
      actions: {
        register: (call) => change(call, true),
        unregister: (call) => change(call, false),
      },
    },
  ];
}

function namespaceOf(options: ProviderOptions, call: ArmCall): string {
  const asked = nameOf(call.path);
  const known = options
    .registry()
    .namespaces.find((namespace) => namespace.toLowerCase() === asked.toLowerCase());
  if (known === undefined) throw invalidNamespace(asked);
  return known;
}

function shown(options: ProviderOptions, call: ArmCall, namespace: string): Json {
  const { subscriptionId } = call.path;
  const { env } = options;
  const isRegistered = options.registrations.isRegistered(subscriptionId, namespace);
  const locations = env.regions.all.map((region) => region.displayName);
  return {
    id: `/subscriptions/${subscriptionId}/providers/${namespace}`,
    namespace,
    registrationPolicy: 'RegistrationRequired',
    registrationState: isRegistered ? 'Registered' : 'NotRegistered',
    resourceTypes: options
      .registry()
      .typesOf(namespace)
      .map((type) => ({
        resourceType: type.type.slice(namespace.length + 1),
        locations,
        apiVersions: [...supportedVersions(namespace)],
      })),
  };
}
