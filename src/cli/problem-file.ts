// Reads a problem from a file. In: a path. Out: the problem, or nothing after every fault in it was complained about.
import type { Json } from '../api/meta.ts';
import { asError, CodedError, findCode } from '../base/errors.ts';
import { type ProblemDocument, readProblem } from '../scheduling/problem/read-problem.ts';
import { parseManifests, readText } from './manifests.ts';
import type { Terminal } from './terminal.ts';

/** `-` is standard input. */
export async function readProblemFile(
  file: string,
  terminal: Terminal,
): Promise<ProblemDocument | undefined> {
  const document = await readDocument(file);
  try {
    return readProblem(document);
  } catch (thrown) {
    const invalid = findCode(thrown, 'InvalidProblem');
    if (invalid === undefined) throw thrown;
    const faults = invalid.fields['faults'] as readonly string[];
    for (const fault of faults) terminal.complain(`${file}: ${fault}`);
    return undefined;
  }
}

async function readDocument(file: string): Promise<Json> {
  const source = await readText(file);
  // YAML would read JSON too, but takes a hundred times as long for it.
  if (!source.trimStart().startsWith('{')) return parseManifests(file, source)[0]?.value ?? {};
  try {
    return JSON.parse(source) as Json;
  } catch (thrown) {
    throw new CodedError('MalformedProblem', 'file is not JSON', {
      fields: { path: file },
      cause: asError(thrown),
    });
  }
}
