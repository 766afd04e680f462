// The taint lists of NodePool templates and NodeClaims.
import { qualifiedNamePattern } from './qualified-name.ts';
import { array, object, optional, string } from './schema.ts';

const taint = object({
  key: string({
    description: 'Taint key.',
    minLength: 1,
    pattern: qualifiedNamePattern,
  }),
  value: optional(string({ description: 'Taint value.', pattern: qualifiedNamePattern })),
  effect: string({
    description: 'What happens to pods that do not tolerate the taint.',
    enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  }),
  timeAdded: optional(string({ description: 'When the taint was added.', format: 'date-time' })),
});

export const taints = array(taint, {
  description: 'Taints that the node carries for as long as it lives.',
  listType: 'atomic',
});

export const startupTaints = array(taint, {
  description:
    'Taints that the node starts with and that something on the node, such as a DaemonSet, removes. Pods need not tolerate them to get a node, and the node is not initialized while one is left.',
  listType: 'atomic',
});
