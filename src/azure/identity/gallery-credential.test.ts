import { expect, test } from 'vitest';
import { galleryCredential } from './gallery-credential.ts';

const { signal } = new AbortController();
const expires = '2026-01-01T01:00:00Z';

function credentialWith(answer: unknown, status = 200) {
  const asked: string[] = [];
  const credential = galleryCredential({
    url: 'http://tokens.local/token',
    userAgent: 'karpenter-aks/v0.1.0',
    transport: ({ url, headers }) => {
      asked.push(`${headers['user-agent']} ${url}`);
      return Promise.resolve({ status, headers: {}, text: JSON.stringify(answer) });
    },
  });
  return { asked, ask: () => credential.getToken('scope', { abortSignal: signal }) };
}

test('the server is asked as the product, for the scope', async () => {
  const { asked, ask } = credentialWith({ token: 't', expiresOn: expires });
  await ask();
  expect(asked).toEqual(['karpenter-aks/v0.1.0 http://tokens.local/token?scope=scope']);
});

test.each([
  [{ Token: 't', ExpiresOn: expires, RefreshOn: '0001-01-01T00:00:00Z' }, undefined],
  [
    { token: 't', expiresOn: expires, refreshOn: '2026-01-01T00:30:00Z' },
    Date.UTC(2026, 0, 1, 0, 30),
  ],
])('its answer %j is a token with its times', async (answer, refresh) => {
  const token = await credentialWith(answer).ask();
  expect([token?.token, token?.expiresOnTimestamp, token?.refreshAfterTimestamp]).toEqual([
    't',
    Date.UTC(2026, 0, 1, 1),
    refresh,
  ]);
});

test.each([
  [{ Token: '', ExpiresOn: expires }, 200],
  [{ Token: 't' }, 200],
  [{ Token: 't', ExpiresOn: expires }, 401],
])('its answer %j with status %i is none', async (answer, status) => {
  await expect(credentialWith(answer, status).ask()).rejects.toMatchObject({
    code: 'GalleryTokenRefused',
  });
});
