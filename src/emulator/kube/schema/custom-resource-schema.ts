// A CRD version's OpenAPI schema as a TypeSchema. In: the schema as the definition has it, and the types of the
// built-in kinds, since every custom resource has the metadata of all objects. Out: the same kind of node as for
// built-in kinds. Embedded resources have the fields of all objects too, also where the definition is silent.
import type { OpenApiSchema } from '../../../api/crd/open-api.ts';
import {
  type GroupVersionKind,
  granularAny,
  type SchemaFacts,
  TypeSchema,
  type ValueType,
} from './type-schema.ts';
import type { TypeSchemas } from './type-schemas.ts';

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

export function customResourceSchema(options: {
  readonly openApi: OpenApiSchema;
  readonly kind: GroupVersionKind;
  readonly builtIn: TypeSchemas;
}): TypeSchema {
  const convert = (schema: OpenApiSchema, keep: boolean, root: boolean): TypeSchema => {
    const keepsUnknown = keep || schema['x-kubernetes-preserve-unknown-fields'] === true;
    const isResource = root || schema['x-kubernetes-embedded-resource'] === true;
    const inner = (child: OpenApiSchema): TypeSchema => convert(child, keepsUnknown, false);
    const fields = (): ReadonlyMap<string, TypeSchema> => {
      const declared = Object.entries(schema.properties ?? {}).map(
        ([field, child]) => [field, inner(child)] as const,
      );
      return new Map(isResource ? [...declared, ...resourceFields(options.builtIn)] : declared);
    };
    const { items } = schema;
    return new TypeSchema({
      ...ownFacts(schema),
      ...(root && { name: customTypeName(options.kind), document: options.openApi }),
      ...(schema.properties !== undefined || isResource ? { fields } : {}),
      ...valuesOf(schema, { keepsUnknown, isResource, inner }),
      ...(items !== undefined && { items: () => inner(items) }),
    });
  };
  return convert(options.openApi, false, true);
}

/** As the server's documents name the type, for example `sh.karpenter.v1.NodePool`. */
function customTypeName({ group, version, kind }: GroupVersionKind): string {
  return [...group.split('.').toReversed(), version, kind].join('.');
}

function resourceFields(builtIn: TypeSchemas): [string, TypeSchema][] {
  const text = new TypeSchema({ type: 'string' });
  return [
    ['apiVersion', text],
    ['kind', text],
    ['metadata', builtIn.byName(objectMeta)],
  ];
}

function ownFacts(schema: OpenApiSchema): SchemaFacts {
  const listType = schema['x-kubernetes-list-type'];
  return {
    type: valueType(schema),
    format: schema.format,
    sharing: schema.type === 'array' ? listType : schema['x-kubernetes-map-type'],
    mapKeys: schema['x-kubernetes-list-map-keys'],
    required: schema.required,
    default: schema.default,
    enum: schema.enum,
  };
}

function valueType(schema: OpenApiSchema): ValueType {
  if (schema['x-kubernetes-int-or-string'] === true) return 'scalar';
  // Texts with a format are compared as any scalar, as for built-in kinds.
  if (schema.type === 'string' && schema.format !== undefined && schema.format !== 'byte') {
    return 'scalar';
  }
  return schema.type ?? 'any';
}

function valuesOf(
  schema: OpenApiSchema,
  context: {
    readonly keepsUnknown: boolean;
    readonly isResource: boolean;
    readonly inner: (child: OpenApiSchema) => TypeSchema;
  },
): Pick<SchemaFacts, 'values'> {
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    return { values: () => context.inner(additionalProperties) };
  }
  if (additionalProperties === true || context.keepsUnknown) return { values: () => granularAny };
  return {};
}
