// A file that is made from the source and kept in the repository. In: a table of them and the repository's root.
// Out: the ones whose content on disk is not what the source says.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Output {
  /** From the repository's root. */
  readonly path: string;
  readonly render: () => string;
}

async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}

export async function staleOutputs(
  outputs: readonly Output[],
  root: string,
): Promise<readonly Output[]> {
  const current = await Promise.all(outputs.map(({ path }) => contentOf(join(root, path))));
  return outputs.filter((output, index) => output.render() !== current[index]);
}
