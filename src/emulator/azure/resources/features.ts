// Preview features of a subscription. In: register, GET, list. Out: their state; registering takes no time here. A
// feature that nobody has asked for is there and NotRegistered, as Azure shows every feature of a provider.
import type { Json } from '../../../api/meta.ts';
import { ok, type ArmCall, type ResourceType } from '../arm/arm-call.ts';

const type = 'Microsoft.Features/providers/features';

export function featureTypes(): ResourceType[] {
  const registered = new Set<string>();
  const keyOf = ({ path }: ArmCall): string =>
    [path.subscriptionId, ...path.names].join('/').toLowerCase();
  const shown = (call: ArmCall): Json => {
    const [namespace = '', feature = ''] = call.path.names;
    return {
      id: call.id,
      name: `${namespace}/${feature}`,
      type,
      properties: { state: registered.has(keyOf(call)) ? 'Registered' : 'NotRegistered' },
    };
  };
  return [
    {
      type,
      get: (call) => ok(shown(call)),
      actions: {
        register: (call) => {
          registered.add(keyOf(call));
          return ok(shown(call));
        },
        unregister: (call) => {
          registered.delete(keyOf(call));
          return ok(shown(call));
        },
      },
    },
  ];
}
