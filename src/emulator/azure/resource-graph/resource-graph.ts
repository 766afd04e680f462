// Microsoft.ResourceGraph: one POST that asks for resources by a query. In: subscriptions, a query, how many at a time. Out:
// rows of what the caller may read, a page of them, and the token of the next page. Pages are cut from the answer as it is when
// each is asked for, so what comes and goes meanwhile may be missed or shown twice, as in Azure.
import { at, listAt, stringAt, type JsonObject } from '../../kube/json.ts';
import { ok, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { objectBody } from '../arm/validation.ts';
import type { AzureEnvironment } from '../environment.ts';
import { GraphView } from './graph-view.ts';
import { rowOf, subscriptionRow, tableOf, type RowOptions } from './graph-rows.ts';
import { parseQuery } from './kusto-query.ts';
import { disallowed, invalidArgument } from './query-error.ts';

export interface ResourceGraphOptions {
  /** How far the graph is behind; not at all unless given. */
  readonly lagMs?: number;
  /** Rows on a page at most; 1000 unless given. */
  readonly pageSize?: number;
  /** `upper`: ids name groups in upper case. */
  readonly groupCasing?: 'kept' | 'upper';
}

const largestPage = 1000;
const tables = new Set(['resources', 'resourcecontainers']);

export function resourceGraph(
  env: AzureEnvironment,
  options: ResourceGraphOptions = {},
): ResourceType {
  const view = new GraphView(env.store, env.clock, options.lagMs ?? 0);
  const rows: RowOptions = { env, groupCasing: options.groupCasing ?? 'kept' };
  return {
    type: 'Microsoft.ResourceGraph/resources',
    open: ['post'],
    postOperation: 'Microsoft.ResourceGraph/resources/read',
    post: (call) => answer(call, { view, rows, pageSize: options.pageSize ?? largestPage }),
  };
}

interface Graph {
  readonly view: GraphView;
  readonly rows: RowOptions;
  readonly pageSize: number;
}

function answer(call: ArmCall, graph: Graph): ArmReply {
  const body = objectBody(call.body);
  const text = stringAt(body, 'query') ?? '';
  if (text.trim() === '') {
    throw invalidArgument('QueryCannotBeNullOrEmpty', 'The query cannot be null or empty.');
  }
  const query = parseQuery(text);
  if (!tables.has(query.table)) {
    throw disallowed(
      'InvalidTableName',
      `Table ${query.table} is invalid, unsupported or disallowed.`,
    );
  }
  const found = query.run(tableRows(call, body, { graph, table: query.table }));
  return ok(pageOf(found, { body, pageSize: graph.pageSize }));
}

function tableRows(
  call: ArmCall,
  body: JsonObject,
  { graph, table }: { readonly graph: Graph; readonly table: string },
): JsonObject[] {
  const { env } = graph.rows;
  const { objectId } = call.caller;
  const wanted = subscriptionsOf(env, body).filter(({ id }) => env.access.hasAnyRole(objectId, id));
  const ids = new Set(wanted.map(({ id }) => id));
  const subscriptions =
    table === 'resourcecontainers' ? wanted.map((one) => subscriptionRow(env, one)) : [];
  const resources = graph.view
    .resources()
    .filter(
      (resource) => tableOf(resource) === table && ids.has(resource.subscriptionId.toLowerCase()),
    )
    .filter(({ id, type }) => env.access.isAllowed(objectId, `${type}/read`, id))
    .map((resource) => rowOf(resource, graph.rows));
  return [...subscriptions, ...resources];
}

function subscriptionsOf(
  env: AzureEnvironment,
  body: JsonObject,
): AzureEnvironment['subscriptions'] {
  const asked = listAt(body, 'subscriptions').filter((one) => typeof one === 'string');
  if (asked.length === 0) return env.subscriptions;
  const ids = new Set(asked.map((one) => one.toLowerCase()));
  return env.subscriptions.filter(({ id }) => ids.has(id.toLowerCase()));
}

function pageOf(
  rows: readonly JsonObject[],
  { body, pageSize }: { readonly body: JsonObject; readonly pageSize: number },
): JsonObject {
  const start = skipOf(body);
  const size = Math.min(pageSize, countOf(body, '$top', 1) ?? pageSize);
  const page = rows.slice(start, start + size);
  const hasMore = start + size < rows.length;
  // Without the id among the columns the service cannot go on behind a row.
  const canGoOn = hasMore && page.every((row) => typeof row['id'] === 'string');
  return {
    totalRecords: rows.length,
    count: page.length,
    resultTruncated: hasMore && !canGoOn ? 'true' : 'false',
    ...(canGoOn ? { $skipToken: toToken(start + size) } : {}),
    data: stringAt(body, 'options', 'resultFormat') === 'table' ? toTable(page) : page,
    facets: [],
  };
}

function countOf(body: JsonObject, name: string, least: number): number | undefined {
  const value = at(body, 'options', name);
  if (value === undefined || value === null) return undefined;
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= least;
  if (isCount && (name !== '$top' || value <= largestPage)) return value;
  throw invalidArgument(
    'InvalidQueryOptions',
    `The value of option ${name} must be an integer from ${least}${name === '$top' ? ` to ${largestPage}` : ''}.`,
  );
}

/** A token says where to go on, whatever else is said. */
function skipOf(body: JsonObject): number {
  const token = stringAt(body, 'options', '$skipToken');
  if (token === undefined || token === '') return countOf(body, '$skip', 0) ?? 0;
  const [, start] = /^skip:(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (start === undefined) {
    throw invalidArgument('InvalidSkipToken', 'The skip token is invalid.');
  }
  return Number(start);
}

function toToken(start: number): string {
  return Buffer.from(`skip:${start}`).toString('base64url');
}

function toTable(page: readonly JsonObject[]): JsonObject {
  const names = Object.keys(page[0] ?? {});
  return {
    columns: names.map((name) => ({ name, type: columnType(page[0]?.[name]) })),
    rows: page.map((row) => names.map((name) => row[name] ?? null)),
  };
}

function columnType(value: JsonObject[string] | undefined): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}
