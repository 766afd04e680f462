// Every field of an AKSNodeClass against every way of making nodes: two values of a field must give two payloads,
// unless the field belongs to the virtual machine itself. A field that is added to the API and forgotten here fails.
import { describe, expect, test } from 'vitest';
import type { AKSNodeClassSpec } from '../../api/aks-node-class.ts';
import { aksNodeClassSpec } from '../../api/crd/aks-node-class.ts';
import type { OpenApiSchema } from '../../api/crd/open-api.ts';
import { decodeCustomData } from './decode-custom-data.ts';
import { machineBody } from './machine-body.ts';
import type { NodePlan } from './node-plan.ts';
import { provisionValues } from './provision-profile.ts';
import { scriptlessCustomData } from './scriptless.ts';
import { subnetId, testCluster, testPlan } from './test-node.ts';
import { type BootstrapPath, unsupportedFields } from './unsupported-fields.ts';

type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/** Two values for fields whose schema does not tell any. */
const samples: Readonly<Record<string, readonly [Json, Json]>> = {
  vnetSubnetID: [subnetId, subnetId.replace('aks-subnet', 'other')],
  tags: [{ team: 'a' }, { team: 'b' }],
  'kubelet.cpuCFSQuotaPeriod': ['100ms', '50ms'],
  'kubelet.allowedUnsafeSysctls': [['net.core.somaxconn'], ['kernel.sem']],
  'kubelet.containerLogMaxSize': ['50Mi', '60Mi'],
  'linuxOSConfig.swapFileSize': ['1Gi', '2Gi'],
  'linuxOSConfig.sysctls.netIPv4IPLocalPortRange': ['1024 60999', '2048 60999'],
  'localDNS.mode': ['Required', 'Disabled'],
  'localDNS.vnetDNSOverrides[].zone': ['a.example.com', 'b.example.com'],
  'localDNS.vnetDNSOverrides[].cacheDuration': ['1h', '2h'],
  'localDNS.vnetDNSOverrides[].serveStaleDuration': ['1h', '2h'],
  'localDNS.kubeDNSOverrides[].zone': ['a.example.com', 'b.example.com'],
  'localDNS.kubeDNSOverrides[].cacheDuration': ['1h', '2h'],
  'localDNS.kubeDNSOverrides[].serveStaleDuration': ['1h', '2h'],
  // The release is the same for both Ubuntus that come first.
  imageFamily: ['Ubuntu', 'AzureLinux'],
};

interface Leaf {
  readonly path: string;
  readonly values: readonly [Json, Json];
}

function leavesOf(schema: OpenApiSchema, path: string): readonly Leaf[] {
  const sample = samples[path];
  if (sample !== undefined) return [{ path, values: sample }];
  if (schema.items !== undefined) return leavesOf(schema.items, `${path}[]`);
  if (schema.properties === undefined) return [{ path, values: valuesOf(schema, path) }];
  return Object.entries(schema.properties).flatMap(([name, field]) =>
    leavesOf(field, path === '' ? name : `${path}.${name}`),
  );
}

function valuesOf(schema: OpenApiSchema, path: string): readonly [Json, Json] {
  const [first, second] = schema.enum ?? [];
  if (first !== undefined && second !== undefined) return [first as Json, second as Json];
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'integer') return [(schema.minimum ?? 0) + 1, (schema.minimum ?? 0) + 2];
  throw new Error(`no two values are known for ${path}`);
}

/** `spec` with `value` at `path`; a list gets one element. */
function withValue(spec: Json | undefined, path: readonly string[], value: Json): Json {
  const [name = '', ...rest] = path;
  if (path.length === 0) return value;
  const parent = (spec ?? {}) as { readonly [key: string]: Json };
  if (!name.endsWith('[]')) return { ...parent, [name]: withValue(parent[name], rest, value) };
  const key = name.slice(0, -2);
  const [element] = (parent[key] ?? []) as readonly Json[];
  return { ...parent, [key]: [withValue(element, rest, value)] };
}

const leaves = leavesOf(aksNodeClassSpec.openApi, '');

/** Everything set, so that a field is never silent for want of its neighbours. */
const full = leaves.reduce<Json>(
  (spec, { path, values }) => withValue(spec, path.split('.'), values[0]),
  {},
);

function planOf({ path }: Leaf, value: Json): NodePlan {
  const spec = withValue(full, path.split('.'), value) as unknown as AKSNodeClassSpec;
  const isOn = spec.localDNS?.mode === 'Required';
  return testPlan({
    spec,
    status: { localDNSState: isOn ? 'Enabled' : 'Disabled' },
    size: 'Standard_NC24ads_A100_v4',
    gpu: 'A100',
  });
}

const payloads: Readonly<Record<BootstrapPath, (plan: NodePlan) => unknown>> = {
  scriptless: (plan) => {
    const result = scriptlessCustomData(testCluster(), plan);
    return result.ok ? decodeCustomData(result.customData) : result;
  },
  service: (plan) => provisionValues(testCluster(), plan),
  machine: (plan) => machineBody(testCluster(), plan),
};

/** Not in the payload: the virtual machine and its disk are created with these. */
const ofTheVirtualMachine: Readonly<Record<BootstrapPath, readonly string[]>> = {
  scriptless: [
    'osDiskSizeGB',
    'tags',
    'security.encryptionAtHost',
    'security.trustedLaunch.secureBoot',
    'security.trustedLaunch.vtpm',
  ],
  service: ['osDiskSizeGB', 'tags', 'security.encryptionAtHost'],
  machine: [],
};

describe('every field of a node class', () => {
  test('is looked at', () => {
    expect(leaves.length).toBeGreaterThan(70);
  });

  test.each(Object.keys(payloads) as BootstrapPath[])(
    'reaches the node by way of %s, or is set on its virtual machine',
    (path) => {
      const silent = leaves.filter((leaf) => {
        const [a, b] = leaf.values.map((value) =>
          JSON.stringify(payloads[path](planOf(leaf, value))),
        );
        return a === b;
      });
      expect(silent.map((leaf) => leaf.path)).toEqual(ofTheVirtualMachine[path]);
    },
  );

  test.each(Object.keys(payloads) as BootstrapPath[])('is supported by way of %s', (path) => {
    const complaints = leaves.flatMap((leaf) =>
      leaf.values.flatMap((value) => unsupportedFields(planOf(leaf, value).nodeClass.spec!, path)),
    );
    // FIPS without Trusted Launch is the one combination of these values that has no image with a DNS cache.
    expect(complaints.filter(({ field }) => field !== 'localDNS.mode')).toEqual([]);
  });
});
