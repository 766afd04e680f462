import { expect, test } from 'vitest';
import { credentialFrom, credentialKinds } from './credential.ts';

const application = { AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c' };
const cloud = { authorityHost: 'https://login.microsoftonline.com' };

test.each([
  [{}, ['managed identity', 'az']],
  [{ ...application, AZURE_CLIENT_SECRET: 's' }, ['client secret', 'managed identity', 'az']],
  [
    { ...application, AZURE_CLIENT_CERTIFICATE_PATH: '/c' },
    ['certificate', 'managed identity', 'az'],
  ],
  [
    { ...application, AZURE_FEDERATED_TOKEN_FILE: '/t' },
    ['workload identity', 'managed identity', 'az'],
  ],
  [
    { ...application, AZURE_FEDERATED_TOKEN_FILE: '/t', AZURE_TOKEN_CREDENTIALS: 'prod' },
    ['workload identity', 'managed identity'],
  ],
  [{ AZURE_TOKEN_CREDENTIALS: 'dev' }, ['az']],
  [
    {
      ...application,
      AZURE_FEDERATED_TOKEN_FILE: '/t',
      AZURE_TOKEN_CREDENTIALS: 'WorkloadIdentityCredential',
    },
    ['workload identity'],
  ],
])('%j is tried as %j', (env, kinds) => {
  expect(credentialKinds(env)).toEqual(kinds);
});

test('a kind that nobody knows is refused by name', () => {
  expect(() => credentialKinds({ AZURE_TOKEN_CREDENTIALS: 'magic' })).toThrow(
    'cannot tell who to be to azure',
  );
});

test('one kind is used directly, several in turn', () => {
  const one = credentialFrom({ env: { AZURE_TOKEN_CREDENTIALS: 'dev' }, cloud });
  const several = credentialFrom({ env: {}, cloud });
  expect([one, several].map((credential) => credential.constructor.name)).toEqual([
    'AzureCliCredential',
    'ChainedTokenCredential',
  ]);
});
