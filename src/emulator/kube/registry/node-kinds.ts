// node.k8s.io: runtime classes.
import { builtIn } from './built-in-kind.ts';
import { column, text } from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';

export const nodeKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'node.k8s.io',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    singular: 'runtimeclass',
    namespaced: false,
    columns: [column('Handler', text('handler'))],
    strategy: { allowCreateOnUpdate: true, allowUnconditionalUpdate: false },
  }),
];
