// `karpenter validate`: checks manifests as an API server would, without one. In: files. Out: one line per
// object, or the objects as they would be stored; exit code 1 when any would be refused.
import { stringify } from 'yaml';
import { CodedError } from '../../base/errors.ts';
import { Admission, type Verdict } from '../admission.ts';
import { readManifests } from '../manifests.ts';
import type { Terminal } from '../terminal.ts';

const formats = ['text', 'yaml', 'json'];

export async function validate(options: {
  readonly terminal: Terminal;
  readonly files: readonly string[];
  readonly output: string;
}): Promise<number> {
  const { terminal, files, output } = options;
  if (!formats.includes(output)) {
    throw new CodedError('BadOption', 'unknown output format', {
      fields: { option: '--output', value: output, supported: formats.join(', ') },
    });
  }
  const admission = new Admission();
  const manifests = await readManifests(files.length === 0 ? ['-'] : files);
  const verdicts = manifests.map(({ place, value }) => ({ place, ...admission.judge(value) }));
  for (const verdict of verdicts) {
    if (verdict.outcome === 'refused') {
      const mark = terminal.styled('red', 'refused');
      terminal.complain(`${mark} ${verdict.title} (${verdict.place})\n  ${verdict.reason}`);
    } else if (output === 'text') {
      terminal.print(lineOf(verdict, verdict.place, terminal));
    }
  }
  if (output !== 'text') printStored(verdicts, output, terminal);
  if (manifests.length === 0) terminal.complain('karpenter: nothing to validate in these files');
  return verdicts.some((verdict) => verdict.outcome === 'refused') ? 1 : 0;
}

function lineOf(verdict: Verdict, place: string, terminal: Terminal): string {
  if (verdict.outcome === 'stored') {
    return `${terminal.styled('green', 'valid')}   ${verdict.title} (${place})`;
  }
  return `${terminal.styled('dim', 'skipped')} ${verdict.title} (${place}): not a kind of Karpenter`;
}

function printStored(verdicts: readonly Verdict[], output: string, terminal: Terminal): void {
  const objects = verdicts.flatMap((verdict) =>
    verdict.outcome === 'stored' ? [verdict.object] : [],
  );
  if (output === 'json') terminal.print(JSON.stringify(objects, undefined, 2));
  else terminal.print(objects.map((object) => stringify(object).trimEnd()).join('\n---\n'));
}
