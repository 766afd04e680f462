// Prints every custom resource definition as one YAML stream. In: the definitions. Out: what
// `kubectl apply -f -` reads.
import { definitions } from '../../api/crd/definitions.ts';
import { toYaml } from '../../api/crd/manifest.ts';
import type { Terminal } from '../terminal.ts';

export function crds(terminal: Terminal): void {
  terminal.print(definitions.map((definition) => toYaml(definition).trimEnd()).join('\n---\n'));
}
