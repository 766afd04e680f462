import { expect, test } from 'vitest';
import { listAll } from './page.ts';
import { queryResources } from './resource-graph.ts';
import { retailPriceSource } from './retail-prices.ts';
import { scriptedArm } from './scripted-arm.ts';

const next = 'https://management.azure.com/list?page=2&api-version=v';

test('pages are followed to the end, by the address that Azure gives', async () => {
  const { arm, sent, settle, signal } = scriptedArm([
    { status: 200, body: { value: [1, 2], nextLink: next } },
    { status: 200, body: { value: [3], nextLink: '' } },
  ]);
  const listed = await settle(listAll(arm, { path: '/list', apiVersion: 'v', signal }));
  expect([listed, sent[1]?.url]).toEqual([[1, 2, 3], next]);
});

test('a page from elsewhere is refused', async () => {
  const { arm, settle, signal } = scriptedArm([
    { status: 200, body: { value: [], nextLink: 'https://evil.example/?page=2' } },
  ]);
  const listing = settle(listAll(arm, { path: '/list', apiVersion: 'v', signal }));
  await expect(listing).rejects.toMatchObject({ code: 'ForeignAddress' });
});

test('answers of Resource Graph are followed by their token', async () => {
  const { arm, sent, settle, signal } = scriptedArm([
    { status: 200, body: { data: [{ n: 1 }], $skipToken: 't' } },
    { status: 200, body: { data: [{ n: 2 }] } },
  ]);
  const rows = await settle(
    queryResources(arm, { subscriptionId: 's', query: 'Resources' }, signal),
  );
  expect(rows).toEqual([{ n: 1 }, { n: 2 }]);
  expect(sent.map(({ body }) => (JSON.parse(body ?? '') as { options: object }).options)).toEqual([
    { resultFormat: 'objectArray' },
    { resultFormat: 'objectArray', $skipToken: 't' },
  ]);
});

test('prices are asked for without a token', async () => {
  const asked: string[] = [];
  const source = retailPriceSource(({ url, headers }) => {
    asked.push(`${url} ${Object.keys(headers).join()}`);
    return Promise.resolve({ status: 200, headers: {}, text: '{"Items":[]}' });
  });
  const { signal } = new AbortController();
  expect(await source.page('https://prices/', signal)).toEqual({ Items: [] });
  expect(asked).toEqual(['https://prices/ accept']);
  const refusing = retailPriceSource(() => Promise.resolve({ status: 503, headers: {}, text: '' }));
  await expect(refusing.page('https://prices/', signal)).rejects.toMatchObject({
    code: 'PriceListRefused',
  });
});
