import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Definition } from './definition.ts';
import { definitions } from './definitions.ts';
import { ruleTable } from './field-table.ts';
import { manifestFileName, toJson, toManifest, toYaml } from './manifest.ts';
import type { OpenApiSchema } from './open-api.ts';
import { compileVersion } from './validation/validate.ts';

const expected: Readonly<Record<string, object>> = {
  'karpenter.sh_nodepools.yaml': {
    versions: ['v1'],
    scope: 'Cluster',
    shortNames: undefined,
    categories: ['karpenter', 'nap'],
    columns: 'NodeClass Nodes Ready Age Weight* CPU* Memory*',
    subresources: ['status', 'scale'],
  },
  'karpenter.sh_nodeclaims.yaml': {
    versions: ['v1'],
    scope: 'Cluster',
    shortNames: undefined,
    categories: ['karpenter', 'nap'],
    columns: 'Type Capacity Zone Node Ready Age NodePool* NodeClass* Drifted*',
    subresources: ['status'],
  },
  'karpenter.azure.com_aksnodeclasses.yaml': {
    versions: ['v1alpha2 (deprecated)', 'v1beta1'],
    scope: 'Cluster',
    shortNames: ['aksnc', 'aksncs'],
    categories: ['karpenter', 'nap'],
    columns: 'Ready Age ImageFamily*',
    subresources: ['status'],
  },
  'karpenter.sh_nodeoverlays.yaml': {
    versions: ['v1alpha1'],
    scope: 'Cluster',
    shortNames: ['overlays'],
    categories: ['karpenter'],
    columns: 'Ready Age Weight*',
    subresources: ['status'],
  },
  'autoscaling.x-k8s.io_capacitybuffers.yaml': {
    versions: ['v1beta1'],
    scope: 'Namespaced',
    shortNames: ['cb'],
    categories: ['autoscaling'],
    columns: 'Strategy PodTemplate Replicas ConditionsType ConditionsStatus ConditionsReason Age',
    subresources: ['status'],
  },
};

function outline(definition: Definition): object {
  const { spec } = toManifest(definition);
  const stored = spec.versions.find((version) => version.storage);
  return {
    versions: spec.versions.map(({ name, deprecated }) =>
      deprecated === true ? `${name} (deprecated)` : name,
    ),
    scope: spec.scope,
    shortNames: spec.names.shortNames,
    categories: spec.names.categories,
    columns: stored?.additionalPrinterColumns
      ?.map(({ name, priority }) => (priority === 1 ? `${name}*` : name))
      .join(' '),
    subresources: Object.keys(stored?.subresources ?? {}),
  };
}

function schemas(schema: OpenApiSchema): readonly OpenApiSchema[] {
  const values = schema.additionalProperties;
  const children = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof values === 'object' ? [values] : []),
  ];
  return [schema, ...children.flatMap(schemas)];
}

describe.each(definitions)('$kind', (definition) => {
  test('is installed under its names, with its columns and subresources', () => {
    expect(outline(definition)).toEqual(expected[manifestFileName(definition)]);
  });

  test('reads back from YAML as it was', () => {
    expect(parse(toYaml(definition))).toEqual(toJson(definition));
  });

  test('has a structural schema: every value typed, required fields declared', () => {
    for (const { openApi } of definition.versions) {
      for (const schema of schemas(openApi)) {
        expect(schema.type ?? schema['x-kubernetes-int-or-string']).toBeDefined();
        const undeclared = schema.required?.filter((name) => !(name in (schema.properties ?? {})));
        expect(undeclared ?? []).toEqual([]);
      }
    }
  });

  test('has only rules that compile, each with a message', () => {
    for (const version of definition.versions) {
      expect(compileVersion(version).problems).toEqual([]);
      const rules = ruleTable(version.openApi, '');
      expect(rules.length).toBeGreaterThan(0);
      expect(rules.filter(({ message }) => message === '')).toEqual([]);
    }
  });

  test('has defaults that its own schema takes', () => {
    for (const { openApi } of definition.versions) {
      for (const schema of schemas(openApi)) {
        if (schema.default === undefined) continue;
        const compiled = compileVersion({
          name: 'v1',
          served: true,
          storage: true,
          columns: [],
          openApi: { type: 'object', properties: { field: schema } },
        });
        expect(compiled.admit({}).errors).toEqual([]);
      }
    }
  });
});
