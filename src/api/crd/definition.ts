// One custom resource: its names, its versions and their schemas. A definition is data; the manifest, the
// reference page, the validator and the TypeScript types are all read off it.
import type { KubeObject } from '../meta.ts';
import { type ResourceType, resourceType } from '../resource-type.ts';
import type { OpenApiSchema } from './open-api.ts';
import type { Schema } from './schema.ts';

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  /** 1: only shown by `kubectl get -o wide`. */
  readonly priority?: number;
}

export interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecationWarning?: string;
  readonly columns: readonly PrinterColumn[];
  readonly scale?: ScaleSubresource;
  readonly openApi: OpenApiSchema;
}

export interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly categories: readonly string[];
  readonly shortNames: readonly string[];
  readonly versions: readonly DefinitionVersion[];
}

/** The schema of a whole object around its spec and status. */
export function rootSchema(options: {
  readonly description: string;
  readonly spec: Schema;
  readonly status: Schema;
  readonly specRequired: boolean;
}): OpenApiSchema {
  return {
    type: 'object',
    description: options.description,
    properties: {
      apiVersion: { type: 'string', description: 'Group and version of this object.' },
      kind: { type: 'string', description: 'Kind of this object.' },
      metadata: { type: 'object' },
      spec: options.spec.openApi,
      status: options.status.openApi,
    },
    ...(options.specRequired && { required: ['spec'] }),
  };
}

export function storageVersion(definition: Definition): DefinitionVersion {
  const version = definition.versions.find((candidate) => candidate.storage);
  if (version === undefined) throw new Error(`${definition.kind} has no storage version`);
  return version;
}

/** How the product addresses the kind: always at its storage version. */
export function resourceTypeOf<T extends KubeObject>(definition: Definition): ResourceType<T> {
  return resourceType<T>({
    group: definition.group,
    version: storageVersion(definition).name,
    kind: definition.kind,
    plural: definition.plural,
    namespaced: definition.scope === 'Namespaced',
  });
}
