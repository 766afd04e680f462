// apiextensions.k8s.io: custom resource definitions.
import { definitionStrategy } from '../validation/definition.ts';
import { builtIn } from './built-in-kind.ts';
import { createdAtColumn, nameColumn } from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';

export const extensionKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    subresources: ['status'],
    allColumns: [nameColumn, createdAtColumn],
    strategy: definitionStrategy,
  }),
];
