// The official clients, pointed at an Azure on this machine: real credentials, real pollers, real TLS. In: what a
// test wants different. Out: the server and how each client is to be made. Time is the machine's own and operations
// take none of it.
import { ClientSecretCredential } from '@azure/identity';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { systemRandom } from '../../../src/base/random.ts';
import { startAzure, type AzureServer } from '../../../src/emulator/azure/server.ts';
import {
  owner,
  subscriptionId,
  tenantId,
  testImages,
  testRegions,
  testSizes,
  tokenKey,
} from '../../../src/emulator/azure/azure-fixture.ts';

export const location = 'southcentralus';
export { owner, subscriptionId, testImages, testSizes };

export async function startTestAzure(
  changes: Partial<Parameters<typeof startAzure>[0]> = {},
): Promise<AzureServer> {
  return await startAzure({
    clock: systemClock,
    random: systemRandom(),
    log: silentLogger,
    tenantId,
    subscriptions: [{ id: subscriptionId, name: 'Test' }],
    regions: testRegions,
    owner,
    tokenKey: tokenKey(),
    latencyFactor: 0,
    throttling: 'off',
    ...changes,
  });
}

export interface ClientSetup {
  readonly credential: ClientSecretCredential;
  /** For the clients' constructors. */
  readonly options: {
    readonly endpoint: string;
    readonly tlsOptions: { readonly ca: string };
    readonly credentials: { readonly scopes: string[] };
    readonly credentialScopes: string[];
    readonly retryOptions: { readonly maxRetries: number };
  };
}

export function clientsOf(server: AzureServer, secret = 'owner-secret'): ClientSetup {
  const tlsOptions = { ca: server.ca };
  const scopes = [`${server.armUrl}/.default`];
  return {
    credential: new ClientSecretCredential(tenantId, owner.clientId, secret, {
      authorityHost: server.entraUrl,
      disableInstanceDiscovery: true,
      tlsOptions,
      retryOptions: { maxRetries: 0 },
    }),
    options: {
      endpoint: server.armUrl,
      tlsOptions,
      credentials: { scopes },
      credentialScopes: scopes,
      retryOptions: { maxRetries: 0 },
    },
  };
}
