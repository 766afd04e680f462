// A row of the table of built-in kinds, written short: everything that follows a rule is filled in here.
import { ageColumn, nameColumn } from './columns.ts';
import { defaultStrategy } from './default-strategy.ts';
import type {
  Column,
  ResourceKind,
  Scaling,
  Strategy,
  Subresource,
  Verb,
} from './resource-kind.ts';
import type { ApiObject } from '../object.ts';

const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

const viewVerbs: readonly Verb[] = ['get', 'patch', 'update'];

export interface BuiltInRow {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced?: boolean;
  readonly verbs?: readonly Verb[];
  /** By name alone: a view of the object that is read, written and patched. */
  readonly subresources?: readonly (string | Subresource)[];
  /** Between the name and the age. */
  readonly columns?: readonly Column[];
  /** All columns, where the usual first and last do not fit. */
  readonly allColumns?: readonly Column[];
  readonly fieldSelectors?: Readonly<Record<string, (object: ApiObject) => string>>;
  readonly strategy?: Strategy;
  readonly storage?: string;
  readonly storageVersion?: string;
  readonly convert?: ResourceKind['convert'];
  readonly scaling?: Scaling;
  readonly isVirtual?: boolean;
  readonly deprecation?: string;
}

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function subresourceOf(row: string | Subresource): Subresource {
  if (typeof row !== 'string') return row;
  return row === 'scale'
    ? { name: row, verbs: viewVerbs, kind: scaleKind }
    : { name: row, verbs: viewVerbs };
}

/** What a row may carry on as it is. */
const optional = ['storageVersion', 'convert', 'scaling', 'isVirtual', 'deprecation'] as const;

function present(row: BuiltInRow): Partial<Pick<ResourceKind, (typeof optional)[number]>> {
  return Object.fromEntries(
    optional.filter((field) => row[field] !== undefined).map((field) => [field, row[field]]),
  );
}

function namesOf({ kind, plural, group = '', version = 'v1', ...row }: BuiltInRow) {
  return {
    group,
    version,
    kind,
    plural,
    listKind: `${kind}List`,
    singular: row.singular ?? kind.toLowerCase(),
    storage: row.storage ?? `${group}/${plural}`,
  };
}

export function builtIn(row: BuiltInRow): ResourceKind {
  const { shortNames = [], categories = [], namespaced = true, subresources = [] } = row;
  return {
    ...namesOf(row),
    ...present(row),
    shortNames,
    categories,
    namespaced,
    verbs: row.verbs ?? (row.isVirtual === true ? ['create'] : allVerbs),
    subresources: subresources.map((subresource) => subresourceOf(subresource)),
    columns: row.allColumns ?? [nameColumn, ...(row.columns ?? []), ageColumn],
    fieldSelectors: row.fieldSelectors ?? {},
    strategy: { ...defaultStrategy, ...row.strategy },
  };
}
