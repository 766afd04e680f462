// Definition → CustomResourceDefinition manifest. The same definition always gives the same bytes: keys are
// sorted, so that a reordered definition is no change on the cluster or in a review.
import { stringify } from 'yaml';
import type { Json, KubeObject } from '../meta.ts';
import type { Definition, DefinitionVersion, PrinterColumn } from './definition.ts';
import type { OpenApiSchema } from './open-api.ts';

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly categories?: readonly string[];
      readonly shortNames?: readonly string[];
    };
    readonly scope: 'Cluster' | 'Namespaced';
    readonly versions: readonly CustomResourceVersion[];
  };
}

interface CustomResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly schema: { readonly openAPIV3Schema: OpenApiSchema };
  readonly subresources?: {
    readonly status?: object;
    readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string };
  };
}

function toVersion(version: DefinitionVersion): CustomResourceVersion {
  return {
    name: version.name,
    served: version.served,
    storage: version.storage,
    ...(version.deprecationWarning !== undefined && {
      deprecated: true,
      deprecationWarning: version.deprecationWarning,
    }),
    additionalPrinterColumns: version.columns,
    schema: { openAPIV3Schema: version.openApi },
    subresources: { status: {}, ...(version.scale && { scale: version.scale }) },
  };
}

export function toManifest(definition: Definition): CustomResourceDefinition {
  const { group, kind, plural, singular, scope, categories, shortNames } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        categories,
        ...(shortNames.length > 0 && { shortNames }),
      },
      scope,
      versions: definition.versions.map(toVersion),
    },
  };
}

/** `karpenter.sh_nodepools.yaml`, as the original names its files. */
export function manifestFileName(definition: Definition): string {
  return `${definition.group}_${definition.plural}.yaml`;
}

export function toYaml(definition: Definition): string {
  return stringify(toManifest(definition), {
    sortMapEntries: true,
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}

/** The manifest as plain JSON, as a client sends it. */
export function toJson(definition: Definition): Json {
  return JSON.parse(JSON.stringify(toManifest(definition))) as Json;
}
