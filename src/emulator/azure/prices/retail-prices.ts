// The public price API. In: GET with a filter, how many to skip. Out: a page of items and the link to the next. Anybody may ask;
// nobody needs a token. Prices of spot machines are those of the moment, so a long list may change between its pages.
import type { HttpHandler, HttpReply, HttpRequest } from '../../../base/http-server.ts';
import { parsePriceFilter, type PriceTest } from './price-filter.ts';
import { priceItems, type PriceSource } from './price-items.ts';

export interface RetailPriceOptions extends PriceSource {
  /** What links begin with when a request does not say which host it was sent to. */
  readonly url: () => string;
  /** 1000 unless given; older versions of the API had 100. */
  readonly pageSize?: number | undefined;
}

const path = '/api/retail/prices';
const versionWithCase = '2023-01-01-preview';

export function createRetailPrices(options: RetailPriceOptions): HttpHandler {
  return (request) => {
    if (request.path !== path) return failure(404, 'Resource not found');
    if (request.method !== 'GET') return failure(405, 'The method is not allowed');
    return page(request, options);
  };
}

function page(request: HttpRequest, options: RetailPriceOptions): HttpReply {
  const asked = readQuery(request.query);
  if (typeof asked === 'string') return failure(400, asked);
  const { test, skip } = asked;
  const size = Math.min(options.pageSize ?? 1000, asked.top);
  const found = priceItems(options).filter((item) => test(item));
  const items = found.slice(skip, skip + size);
  const next = skip + items.length;
  return json(200, {
    BillingCurrency: 'USD',
    CustomerEntityId: 'Default',
    CustomerEntityType: 'Retail',
    Items: items,
    NextPageLink: next < found.length ? nextLink(request, options, next) : null,
    Count: items.length,
  });
}

interface PriceQuery {
  readonly test: PriceTest;
  readonly skip: number;
  readonly top: number;
}

/** A text says what is wrong with it. */
function readQuery(query: URLSearchParams): PriceQuery | string {
  const filter = query.get('$filter') ?? '';
  const hasCase = query.get('api-version') === versionWithCase;
  const test = filter.trim() === '' ? () => true : parsePriceFilter(filter, hasCase);
  const skip = countOf(query.get('$skip'));
  const top = countOf(query.get('$top'));
  if (test === undefined || skip === undefined || top === undefined) {
    return 'Invalid OData parameters supplied';
  }
  const currency = (query.get('currencyCode') ?? 'USD').replaceAll("'", '');
  if (currency !== 'USD') return 'This emulator knows prices in USD only.';
  return { test, skip, top: top === 0 ? Number.POSITIVE_INFINITY : top };
}

/** 0 for nothing said; undefined for what is no count. */
function countOf(text: string | null): number | undefined {
  if (text === null) return 0;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function nextLink(request: HttpRequest, { url }: RetailPriceOptions, skip: number): string {
  const query = new URLSearchParams(request.query);
  query.set('$skip', String(skip));
  const { host } = request.headers;
  const scheme = url().startsWith('http:') ? 'http' : 'https';
  const base = host === undefined ? url() : `${scheme}://${host}`;
  return `${base}${path}?${query.toString()}`;
}

function failure(status: number, message: string): HttpReply {
  return json(status, { Error: { Code: String(status), Message: message } });
}

function json(status: number, body: object): HttpReply {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, body: JSON.stringify(body) };
}
