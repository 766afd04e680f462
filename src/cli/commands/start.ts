// `npm start`: a Kubernetes on this machine with Karpenter's custom resources in it. In: a directory of example
// manifests. Out, on the terminal: what the API server made of each, how it answers a mistake, and how to use it with
// kubectl; then it stays up until it is told to stop. Exit code 1 when an example is refused.
// Everything it writes is one kubeconfig in one directory, which goes with it.
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AKSNodeClass } from '../../api/aks-node-class.ts';
import { type Definition, resourceTypeOf } from '../../api/crd/definition.ts';
import { definitions } from '../../api/crd/definitions.ts';
import { toManifest } from '../../api/crd/manifest.ts';
import type { Json, KubeObject } from '../../api/meta.ts';
import type { NodePool } from '../../api/node-pool.ts';
import { resourceType } from '../../api/resource-type.ts';
import { systemClock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { silentLogger } from '../../base/log.ts';
import { systemRandom } from '../../base/random.ts';
import { startKubeCluster } from '../../emulator/kube/cluster.ts';
import { KubeClient } from '../../kube/client/client.ts';
import { findKubeError } from '../../kube/client/errors.ts';
import { UndiciTransport } from '../../kube/client/undici-transport.ts';
import { loadKubeAccess } from '../../kube/config/config.ts';
import { systemHost } from '../../kube/config/host.ts';
import { aksNodeClassHash } from '../../model/aks-node-class-hash.ts';
import { nodePoolHash } from '../../model/node-pool-hash.ts';
import { addedPaths } from '../added-paths.ts';
import { type Manifest, readManifests } from '../manifests.ts';
import type { Terminal } from '../terminal.ts';

const crds = resourceType<KubeObject>({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
});

export interface StartOptions {
  readonly terminal: Terminal;
  /** Where the examples are. */
  readonly directory: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** End after the tour instead of staying up. */
  readonly exit: boolean;
  /** Ends the stay. */
  readonly signal: AbortSignal;
}

export async function start(options: StartOptions): Promise<number> {
  const { terminal, port } = options;
  const manifests = await readManifests(await exampleFiles(options.directory));
  const startedMs = systemClock.monotonic();
  const cluster = await startKubeCluster({
    clock: systemClock,
    random: systemRandom(),
    log: silentLogger,
    port,
  });
  const home = await mkdtemp(join(tmpdir(), 'karpenter-'));
  try {
    const kubeconfig = join(home, 'kubeconfig');
    await writeFile(kubeconfig, cluster.administratorKubeconfig, { mode: 0o600 });
    const took = Math.round(systemClock.monotonic() - startedMs);
    terminal.print(terminal.styled('bold', 'Karpenter for AKS'));
    terminal.print(`A Kubernetes API server is up at ${cluster.url}, after ${took} ms.\n`);
    const refused = await tour(manifests, kubeconfig, terminal);
    if (!options.exit) await stay(kubeconfig, options);
    return refused === 0 ? 0 : 1;
  } finally {
    await cluster.stop();
    await rm(home, { recursive: true, force: true });
  }
}

async function exampleFiles(directory: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(join(directory, '*.yaml'))) files.push(file);
  if (files.length > 0) return files.toSorted();
  throw new CodedError('NoExamples', 'no *.yaml file in the directory of --examples', {
    fields: { directory },
  });
}

/** Installs the custom resources and the examples; answers how many examples were refused. */
async function tour(
  manifests: readonly Manifest[],
  kubeconfig: string,
  terminal: Terminal,
): Promise<number> {
  const access = await loadKubeAccess({ host: systemHost, clock: systemClock, kubeconfig });
  const transport = new UndiciTransport({ access });
  const client = new KubeClient({ transport, clock: systemClock, log: silentLogger });
  try {
    for (const definition of definitions) await client.create(crds, toManifest(definition));
    terminal.print(`Installed: ${definitions.map(({ kind }) => kind).join(', ')}.`);
    terminal.print('What the server made of the examples:\n');
    let refused = 0;
    for (const manifest of manifests) {
      if (!(await show(manifest, client, terminal))) refused++;
    }
    await showMistake(manifests, client, terminal);
    return refused;
  } finally {
    await transport.close();
  }
}

async function show(manifest: Manifest, client: KubeClient, terminal: Terminal): Promise<boolean> {
  const definition = definitionOf(manifest.value);
  if (definition === undefined) return true;
  const written = manifest.value as unknown as KubeObject & { readonly spec?: Json };
  const title = `${definition.singular}/${written.metadata.name}`;
  const at = terminal.styled('dim', manifest.place);
  try {
    const stored = await client.create(resourceTypeOf<typeof written>(definition), written);
    terminal.print(`${terminal.styled('green', title)}  ${at}`);
    const added = addedPaths(written.spec, stored.spec ?? {}, 'spec');
    if (added.length > 0) terminal.print(`  filled in   ${added.join(', ')}`);
    const hash = hashOf(definition, stored);
    if (hash !== undefined) terminal.print(`  drift hash  ${hash}`);
    terminal.print('');
    return true;
  } catch (error) {
    const refusal = findKubeError(error);
    if (refusal === undefined) throw error;
    terminal.complain(`${terminal.styled('red', title)}  ${at}\n  ${refusal.message}\n`);
    return false;
  }
}

function definitionOf(value: Json): Definition | undefined {
  const { apiVersion, kind } = value as { readonly apiVersion?: Json; readonly kind?: Json };
  return definitions.find(
    (row) =>
      row.kind === kind && row.versions.some(({ name }) => `${row.group}/${name}` === apiVersion),
  );
}

function hashOf({ kind }: Definition, stored: KubeObject): string | undefined {
  // Stored by a server that knows the kind, so it has the shape of its kind.
  if (kind === 'NodePool') return nodePoolHash(stored as NodePool);
  return kind === 'AKSNodeClass' ? aksNodeClassHash((stored as AKSNodeClass).spec) : undefined;
}

/** The first NodePool with typing errors in it, to show how those are answered. */
async function showMistake(
  manifests: readonly Manifest[],
  client: KubeClient,
  terminal: Terminal,
): Promise<void> {
  const pool = manifests.find(({ value }) => definitionOf(value)?.kind === 'NodePool');
  const definition = pool === undefined ? undefined : definitionOf(pool.value);
  if (pool === undefined || definition === undefined) return;
  const broken = structuredClone(pool.value) as unknown as KubeObject & { spec: object };
  broken.spec = {
    ...broken.spec,
    disruption: { consolidateAfter: '10min', consolidationPolicy: 'WhenUnderutilized' },
  };
  const refusal = await client.create(resourceTypeOf(definition), broken, { dryRun: true }).then(
    () => undefined,
    (error: unknown) => findKubeError(error)?.message,
  );
  if (refusal === undefined) return;
  terminal.print('And with `consolidateAfter: 10min` and a policy that does not exist:');
  terminal.print(`  ${terminal.styled('red', refusal)}\n`);
}

async function stay(kubeconfig: string, { terminal, signal }: StartOptions): Promise<void> {
  terminal.print(`It stays up until Ctrl-C. In another terminal:

  export KUBECONFIG=${kubeconfig}
  kubectl get nodepools,aksnodeclasses
  kubectl explain nodepool.spec.disruption
  kubectl create deployment web --image=nginx --replicas=3 && kubectl get pods
`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  terminal.print('Stopping.');
}
