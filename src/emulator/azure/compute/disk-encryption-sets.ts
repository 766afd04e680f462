// Disk encryption sets, as far as somebody checks that one is there and may be read. In: PUT, GET, DELETE. Out: the
// set with its key's address echoed; there is no key vault behind it.
import { objectAt, stringAt } from '../../kube/json.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import { managedType } from '../arm/managed-type.ts';
import type { AzureEnvironment } from '../environment.ts';
import { requiredParameter } from '../errors.ts';

export function diskEncryptionSets(env: AzureEnvironment): ResourceType {
  return managedType(env, {
    type: 'Microsoft.Compute/diskEncryptionSets',
    patch: 'tags',
    whenBusy: 'preempt',
    plan: ({ body }) => {
      if (stringAt(body, 'properties', 'activeKey', 'keyUrl') === undefined) {
        throw requiredParameter('activeKey.keyUrl');
      }
      const identity = objectAt(body, 'identity');
      return {
        body: {
          ...(identity === undefined ? {} : { identity }),
          properties: {
            encryptionType: 'EncryptionAtRestWithCustomerKey',
            ...objectAt(body, 'properties'),
          },
        },
      };
    },
  });
}
