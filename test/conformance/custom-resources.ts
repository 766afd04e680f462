// Our custom resources on an API server: the server takes the manifests of the chart as they are, and says about
// good and bad objects exactly what our own validator says. In: a way to connect, or undefined to skip.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Definition, resourceTypeOf, storageVersion } from '../../src/api/crd/definition.ts';
import { definitions } from '../../src/api/crd/definitions.ts';
import { toCauses } from '../../src/api/crd/validation/field-error.ts';
import { type CustomResourceDefinition, manifestFileName } from '../../src/api/crd/manifest.ts';
import { compileVersion } from '../../src/api/crd/validation/validate.ts';
import type { Condition, Json, KubeObject, StatusCause } from '../../src/api/meta.ts';
import { resourceType } from '../../src/api/resource-type.ts';
import { sleep, systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { KubeClient } from '../../src/kube/client/client.ts';
import { findKubeError, isNotFound } from '../../src/kube/client/errors.ts';
import type { KubeTransport } from '../../src/kube/client/transport.ts';

type Installed = CustomResourceDefinition & {
  readonly status?: { readonly conditions?: readonly Condition[] };
};

const crds = resourceType<Installed>({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
});

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
const pool = (spec: object, template: object = {}): object => ({
  ...spec,
  template: { spec: { nodeClassRef, requirements: [], ...template } },
});

/** Kind → specs. Which of them are good, and why the others are not, is for the two to agree upon. */
const specs: Readonly<Record<string, readonly object[]>> = {
  NodePool: [
    pool({}),
    pool({ replicas: 2, weight: 3 }),
    pool({ disruption: { consolidateAfter: '10min', consolidationPolicy: 'Sometimes' } }),
    pool({}, { requirements: [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['a'] }] }),
    pool({}, { requirements: [{ key: 'a', operator: 'In', values: [] }] }),
    pool({}, { taints: [{ key: '', effect: 'Never' }] }),
    {},
  ],
  NodeClaim: [
    { nodeClassRef, requirements: [] },
    { nodeClassRef: { ...nodeClassRef, group: 'a/b' }, requirements: [] },
  ],
  AKSNodeClass: [
    {},
    { imageFamily: 'Windows', osDiskSizeGB: 10 },
    { fipsMode: 'FIPS', imageFamily: 'Ubuntu2404' },
    { kubelet: { imageGCHighThresholdPercent: 10, imageGCLowThresholdPercent: 20 } },
    { tags: { 'a<b': 'c' } },
  ],
  NodeOverlay: [
    { requirements: [], price: '1.5' },
    { requirements: [], price: '1.5', priceAdjustment: '+10%' },
    { requirements: [], capacity: { cpu: '1' } },
  ],
  CapacityBuffer: [
    { podTemplateRef: { name: 'a' }, replicas: 1 },
    { podTemplateRef: { name: 'a' } },
    { replicas: -1 },
  ],
};

/** The server goes through the members of an object in no promised order. */
function sorted(causes: readonly StatusCause[] = []): string[] {
  return causes.map(({ field, message }) => `${field}: ${message}`).toSorted();
}

function ownVerdict(definition: Definition, object: Json): string[] {
  const { errors } = compileVersion(storageVersion(definition)).admit(object);
  return sorted(toCauses(errors));
}

export function customResourceConformance(
  name: string,
  connect: (() => Promise<KubeTransport>) | undefined,
): void {
  describe.skipIf(connect === undefined)(`our custom resources on ${name}`, () => {
    let transport: KubeTransport;
    let client: KubeClient;

    beforeAll(async () => {
      transport = await connect!();
      client = new KubeClient({ transport, clock: systemClock, log: silentLogger });
      for (const definition of definitions) await install(client, definition);
    });

    afterAll(async () => {
      for (const { plural, group } of definitions) {
        await client.delete(crds, { name: `${plural}.${group}` }).catch(() => undefined);
      }
      await transport.close();
    });

    test.each(definitions)('the manifest of $kind is structural and established', async (row) => {
      const { status } = await client.get(crds, { name: `${row.plural}.${row.group}` });
      const verdicts = status?.conditions?.map(({ type, status: is }) => `${type}=${is}`);
      expect(verdicts?.toSorted()).toEqual(['Established=True', 'NamesAccepted=True']);
    });

    const rows = definitions.flatMap((definition) =>
      (specs[definition.kind] ?? []).map((spec) => ({ kind: definition.kind, spec, definition })),
    );

    test.each(rows)('$kind with $spec: same words as ours', async ({ definition, spec }) => {
      const { group, kind } = definition;
      const version = storageVersion(definition).name;
      const object = {
        apiVersion: `${group}/${version}`,
        kind,
        metadata: {
          name: 'conformance',
          ...(definition.scope === 'Namespaced' && { namespace: 'default' }),
        },
        spec,
      };
      const verdict = await client
        .create(resourceTypeOf<KubeObject>(definition), object, { dryRun: true })
        .then(
          () => [],
          (error: unknown) => sorted(findKubeError(error)?.causes),
        );
      expect(verdict).toEqual(ownVerdict(definition, object as unknown as Json));
    });
  });
}

async function install(client: KubeClient, definition: Definition): Promise<void> {
  const file = new URL(
    `../../charts/karpenter-crd/templates/${manifestFileName(definition)}`,
    import.meta.url,
  );
  const manifest = parseAllDocuments(await readFile(file, 'utf8'))
    .map((document) => document.toJS() as Installed | null)
    .find((document) => document !== null);
  await client.create(crds, manifest!);
  // Established comes a moment after the answer, and serving it a moment after that.
  for (let tries = 0; tries < 100; tries++) {
    try {
      await client.list(resourceTypeOf(definition));
      return;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await sleep(systemClock, 100);
    }
  }
}
