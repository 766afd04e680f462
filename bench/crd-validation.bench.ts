// How fast a custom resource is pruned, defaulted and validated, CEL rules included.
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { aksNodeClassDefinition } from '../src/api/crd/aks-node-class.ts';
import { type Definition, storageVersion } from '../src/api/crd/definition.ts';
import { nodePoolDefinition } from '../src/api/crd/node-pool.ts';
import { compileVersion } from '../src/api/crd/validation/validate.ts';
import type { Json } from '../src/api/meta.ts';
import { callsPerSecond, thousands } from './measure.ts';
import type { Bench } from './run.ts';

function example(file: string, index: number): Json {
  const text = readFileSync(new URL(`../examples/${file}`, import.meta.url), 'utf8');
  return (parseAllDocuments(text)[index]?.toJS() ?? null) as Json;
}

export const bench: Bench = {
  name: 'crd-validation',
  description: 'prune, default and validate one object, CEL rules included',
  async run(print) {
    const line = async (definition: Definition, object: Json): Promise<void> => {
      const started = performance.now();
      const schema = compileVersion(storageVersion(definition));
      const compileMs = performance.now() - started;
      const rate = await callsPerSecond(() => void schema.admit(object));
      print(
        `${definition.kind.padEnd(14)} ${thousands(rate).padStart(10)} objects/s (${(1e6 / rate).toFixed(0)} µs each; schema compiled once in ${compileMs.toFixed(0)} ms)`,
      );
    };
    await line(nodePoolDefinition, example('spot-first.yaml', 0));
    await line(aksNodeClassDefinition, example('tuned-node-class.yaml', 0));
  },
};
