// scheduling.k8s.io: priority classes.
import { priorityClassStrategy } from '../validation/priority-class.ts';
import { builtIn } from './built-in-kind.ts';
import { ageColumn, column, count, flag, nameColumn, text } from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';

export const schedulingKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'scheduling.k8s.io',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    singular: 'priorityclass',
    shortNames: ['pc'],
    namespaced: false,
    allColumns: [
      nameColumn,
      column('Value', count('value'), 'integer'),
      column('Global-Default', flag('globalDefault'), 'boolean'),
      ageColumn,
      column('PreemptionPolicy', text('preemptionPolicy')),
    ],
    strategy: priorityClassStrategy,
  }),
];
