// Rules of roles in one line each, so that a table of roles can be read. In: `create read apps: deployments [web]`.
// Out: the rule as it is stored.
//
//   verbs group: resources [names]    `core` is the group without a name; groups are separated by commas
//   verbs /path /other/*              rules about paths
//   read = get list watch · follow = list watch · write = create delete deletecollection patch update
//   record events = what every loop does with events of both groups
import type { JsonObject } from '../../json.ts';

/** Rules in text by the name of their role. */
export type RoleTable = Readonly<Record<string, readonly string[]>>;

const verbGroups: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  follow: ['list', 'watch'],
  write: ['create', 'delete', 'deletecollection', 'patch', 'update'],
};

const abbreviations: Readonly<Record<string, string>> = {
  'record events': 'create patch update core,events.k8s.io: events',
};

export function parseRule(text: string): JsonObject {
  const line = abbreviations[text] ?? text;
  const [, body = '', names] = /^([^[]*?)(?: \[(.*)\])?$/.exec(line) ?? [];
  const words = body.split(' ');
  const groupAt = words.findIndex((word) => word.endsWith(':'));
  if (groupAt === -1) {
    const pathAt = words.findIndex((word, i) => word.startsWith('/') || (word === '*' && i > 0));
    return { verbs: verbsOf(words.slice(0, pathAt)), nonResourceURLs: words.slice(pathAt) };
  }
  const groups = (words[groupAt] ?? '').slice(0, -1).split(',');
  return {
    verbs: verbsOf(words.slice(0, groupAt)),
    apiGroups: groups.map((group) => (group === 'core' ? '' : group)),
    resources: words.slice(groupAt + 1),
    ...(names === undefined ? {} : { resourceNames: names.split(' ') }),
  };
}

function verbsOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => verbGroups[word] ?? [word]).toSorted();
}
