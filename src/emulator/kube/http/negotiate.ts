// Which form of an answer a client wants. In: its Accept header. Out: JSON or YAML, and whether the object itself, a
// table, or only its metadata; 406 when it wants none of what there is.
import { StatusError } from '../status-error.ts';

export type View = 'object' | 'Table' | 'PartialObjectMetadata';

export interface Negotiated {
  readonly encoding: 'json' | 'yaml';
  readonly view: View;
  /** For discovery: the aggregated form that was asked for, such as `v2`. */
  readonly aggregated?: 'v2' | 'v2beta1';
}

interface Clause {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

function clausesOf(accept: string): readonly Clause[] {
  const clauses = accept.split(',').map((text) => {
    const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
    const pairs = parameters.map((parameter) => {
      const [name = '', value = ''] = parameter.split('=');
      return [name.trim().toLowerCase(), value.trim()] as const;
    });
    return { type: type.toLowerCase(), parameters: Object.fromEntries(pairs) };
  });
  const quality = (clause: Clause): number => Number(clause.parameters['q'] ?? 1);
  return clauses.toSorted((a, b) => quality(b) - quality(a));
}

function encodingOf(type: string): Negotiated['encoding'] | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}

const metaViews: Readonly<Record<string, View>> = {
  Table: 'Table',
  PartialObjectMetadata: 'PartialObjectMetadata',
  PartialObjectMetadataList: 'PartialObjectMetadata',
};

const metaVersions: ReadonlySet<string> = new Set(['v1', 'v1beta1']);

function aggregatedView(
  group: string,
  version: string,
): Pick<Negotiated, 'view' | 'aggregated'> | undefined {
  if (group !== 'apidiscovery.k8s.io') return undefined;
  if (version !== 'v2' && version !== 'v2beta1') return undefined;
  return { view: 'object', aggregated: version };
}

function viewOf({ parameters }: Clause): Pick<Negotiated, 'view' | 'aggregated'> | undefined {
  const { as: kind, g: group = '', v: version = '' } = parameters;
  if (kind === undefined) return { view: 'object' };
  if (kind === 'APIGroupDiscoveryList') return aggregatedView(group, version);
  if (group !== 'meta.k8s.io' || !metaVersions.has(version)) return undefined;
  const view = metaViews[kind];
  return view === undefined ? undefined : { view };
}

function formOf(clause: Clause, offered: readonly View[]): readonly Negotiated[] {
  const encoding = encodingOf(clause.type);
  const view = viewOf(clause);
  if (encoding === undefined || view === undefined || !offered.includes(view.view)) return [];
  return [{ encoding, ...view }];
}

/** As the real server names them: a client that asks for the binary form too is answered in JSON. */
export const representations: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];

export function negotiate(
  accept: string | undefined,
  options: {
    readonly offered?: readonly View[];
    /** What the endpoint says it makes, where it says so. */
    readonly produced?: readonly string[];
  } = {},
): Negotiated {
  if (accept === undefined || accept.trim() === '') return { encoding: 'json', view: 'object' };
  const { offered = ['object', 'Table', 'PartialObjectMetadata'], produced = [] } = options;
  const clauses = clausesOf(accept);
  const [found] = clauses.flatMap((clause) => formOf(clause, offered));
  if (found !== undefined) return found;
  throw notAcceptable(
    produced.length > 0 && clauses.every((clause) => encodingOf(clause.type) === undefined)
      ? `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`
      : `only the following media types are accepted: ${representations.join(', ')}`,
  );
}

function notAcceptable(message: string): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'NotAcceptable',
    details: {},
    code: 406,
  });
}
