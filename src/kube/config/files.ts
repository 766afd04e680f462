// Kubeconfig files, read and merged as kubectl does. In: paths, in order of precedence. Out: clusters, users
// and contexts by name. The first file to say something wins; a name is taken whole from one file, never
// patched together from two. Files that do not exist are skipped, as long as one does.
import { parse } from 'yaml';
import { configError } from './error.ts';
import { isMissingFile, type ConfigHost } from './host.ts';
import { ConfigSection } from './section.ts';

export interface MergedConfig {
  readonly files: readonly string[];
  readonly clusters: ReadonlyMap<string, ConfigSection>;
  readonly users: ReadonlyMap<string, ConfigSection>;
  readonly contexts: ReadonlyMap<string, ConfigSection>;
  readonly currentContext: string | undefined;
}

export async function readConfigFiles(
  host: ConfigHost,
  paths: readonly string[],
): Promise<MergedConfig> {
  const documents: ConfigSection[] = [];
  for (const path of paths) {
    const document = await readDocument(host, path);
    if (document !== undefined) documents.push(document);
  }
  if (documents.length === 0) {
    throw configError({
      file: paths.join(', '),
      field: 'KUBECONFIG',
      rule: 'at least one of the files must exist',
      fix: 'point KUBECONFIG or --kubeconfig at a kubeconfig, or run inside a cluster',
    });
  }
  return {
    files: documents.map((document) => document.file),
    clusters: entries(documents, 'clusters', 'cluster'),
    users: entries(documents, 'users', 'user'),
    contexts: entries(documents, 'contexts', 'context'),
    currentContext: documents
      .map((document) => document.text('current-context'))
      .find((name) => name !== undefined),
  };
}

async function readDocument(host: ConfigHost, path: string): Promise<ConfigSection | undefined> {
  let text: string;
  try {
    text = await host.readFile(path);
  } catch (cause) {
    if (isMissingFile(cause)) return undefined;
    throw configError({ file: path, field: 'file', rule: 'must be readable', cause });
  }
  try {
    return new ConfigSection(path, 'kubeconfig', parse(text));
  } catch (cause) {
    throw configError({ file: path, field: 'file', rule: 'must be YAML or JSON', cause });
  }
}

function entries(
  documents: readonly ConfigSection[],
  plural: string,
  singular: string,
): ReadonlyMap<string, ConfigSection> {
  const byName = new Map<string, ConfigSection>();
  for (const document of documents) {
    for (const entry of document.sections(plural)) {
      const name = entry.text('name');
      if (name === undefined) throw entry.fault('name', 'must be given');
      if (!byName.has(name)) byName.set(name, entry.section(singular));
    }
  }
  return byName;
}
