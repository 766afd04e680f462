// What a client must know of a cloud before it can log in: `GET /metadata/endpoints`. In: the addresses. Out: one
// object, or, for the old version, a list of clouds. Needs no token.
import type { Json } from '../../../api/meta.ts';

export interface CloudAddresses {
  readonly name: string;
  readonly armUrl: string;
  readonly entraUrl: string;
  readonly tenantId: string;
}

const oldVersion = '2019-05-01';

export function cloudMetadata(
  path: string,
  query: URLSearchParams,
  addresses: CloudAddresses,
): Json | undefined {
  if (path.toLowerCase() !== '/metadata/endpoints') return undefined;
  const cloud = {
    name: addresses.name,
    resourceManager: addresses.armUrl,
    microsoftGraphResourceId: `${addresses.entraUrl}/`,
    authentication: {
      loginEndpoint: addresses.entraUrl,
      audiences: [addresses.armUrl, `${addresses.armUrl}/`],
      tenant: addresses.tenantId,
      identityProvider: 'AAD',
    },
    suffixes: {},
  };
  return query.get('api-version') === oldVersion ? [cloud] : cloud;
}
