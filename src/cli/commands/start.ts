// `npm start`: a first look. In: a directory of example manifests. Out, on the terminal: what each one asks
// for, what an API server would add to it, the hash by which drift of its nodes is told, and how a mistake is
// answered. Ends by itself; exit code 1 when an example would be refused.
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import type { AKSNodeClass } from '../../api/aks-node-class.ts';
import type { Json } from '../../api/meta.ts';
import type { NodePool } from '../../api/node-pool.ts';
import { CodedError } from '../../base/errors.ts';
import { aksNodeClassHash } from '../../model/aks-node-class-hash.ts';
import { nodePoolHash } from '../../model/node-pool-hash.ts';
import { Admission } from '../admission.ts';
import { addedPaths } from '../added-paths.ts';
import { type Manifest, readManifests } from '../manifests.ts';
import type { Terminal } from '../terminal.ts';

export async function start(options: {
  readonly terminal: Terminal;
  readonly directory: string;
}): Promise<number> {
  const { terminal, directory } = options;
  const files: string[] = [];
  for await (const file of glob(join(directory, '*.yaml'))) files.push(file);
  if (files.length === 0) {
    throw new CodedError('NoExamples', 'no *.yaml file in the directory of --examples', {
      fields: { directory },
    });
  }
  terminal.print(terminal.styled('bold', 'Karpenter for AKS'));
  terminal.print('What an API server would make of the examples:\n');
  const admission = new Admission();
  const manifests = await readManifests(files.toSorted());
  let refused = 0;
  for (const manifest of manifests) {
    if (!show(manifest, admission, terminal)) refused++;
  }
  showMistake(manifests, admission, terminal);
  terminal.print(`Try it yourself:
  npx karpenter validate -o yaml ${files[0]}
  npx karpenter crds | kubectl apply -f -
  npx karpenter --help`);
  return refused === 0 ? 0 : 1;
}

function show(manifest: Manifest, admission: Admission, terminal: Terminal): boolean {
  const verdict = admission.judge(manifest.value);
  const at = terminal.styled('dim', manifest.place);
  if (verdict.outcome === 'foreign') return true;
  if (verdict.outcome === 'refused') {
    terminal.complain(`${terminal.styled('red', verdict.title)}  ${at}\n  ${verdict.reason}\n`);
    return false;
  }
  terminal.print(`${terminal.styled('green', verdict.title)}  ${at}`);
  const added = addedPaths(manifest.value, verdict.object);
  if (added.length > 0) terminal.print(`  filled in   ${added.join(', ')}`);
  const hash = hashOf(verdict.object);
  if (hash !== undefined) terminal.print(`  drift hash  ${hash}`);
  terminal.print('');
  return true;
}

function hashOf(object: { readonly [key: string]: Json }): string | undefined {
  // Admitted by the schema of its kind, so it has the shape of its kind.
  if (object['kind'] === 'NodePool') return nodePoolHash(object as unknown as NodePool);
  if (object['kind'] !== 'AKSNodeClass') return undefined;
  return aksNodeClassHash((object as unknown as AKSNodeClass).spec);
}

/** The first NodePool with a typing error in it, to show how that is answered. */
function showMistake(
  manifests: readonly Manifest[],
  admission: Admission,
  terminal: Terminal,
): void {
  const pool = manifests.find(({ value }) => (value as { kind?: Json }).kind === 'NodePool');
  if (pool === undefined) return;
  const broken = structuredClone(pool.value) as { spec: { [key: string]: Json } };
  broken.spec['disruption'] = {
    consolidateAfter: '10min',
    consolidationPolicy: 'WhenUnderutilized',
  };
  const verdict = admission.judge(broken);
  if (verdict.outcome !== 'refused') return;
  terminal.print(`And with \`consolidateAfter: 10min\` and a policy that does not exist:`);
  terminal.print(`${terminal.styled('red', verdict.title)}\n  ${verdict.reason}\n`);
}
