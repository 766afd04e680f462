// Who we are to Azure, the only file that knows Azure's identity library. In: the environment, the cloud, how to reach it. Out:
// a credential. The environment says which one; when it says nothing the sources are tried in turn, as Azure's tools do:
//   client secret or certificate → workload identity → managed identity → the az command
// `AZURE_TOKEN_CREDENTIALS` narrows that to one kind: `prod`, `dev`, or the name of a credential.
import {
  AzureCliCredential,
  ChainedTokenCredential,
  ClientCertificateCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
  type TokenCredential,
  WorkloadIdentityCredential,
} from '@azure/identity';
import { CodedError } from '../../base/errors.ts';
import { type AzureCloud, isAzureAuthority } from './clouds.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface CredentialOptions {
  readonly env: Environment;
  readonly cloud: Pick<AzureCloud, 'authorityHost'>;
  /** PEM; absent: the authorities that Node trusts. */
  readonly certificateAuthority?: string | undefined;
}

type Kind = 'client secret' | 'certificate' | 'workload identity' | 'managed identity' | 'az';

const kindsByName: ReadonlyMap<string, readonly Kind[]> = new Map([
  ['', ['client secret', 'certificate', 'workload identity', 'managed identity', 'az']],
  ['prod', ['client secret', 'certificate', 'workload identity', 'managed identity']],
  ['dev', ['az']],
  ['environmentcredential', ['client secret', 'certificate']],
  ['workloadidentitycredential', ['workload identity']],
  ['managedidentitycredential', ['managed identity']],
  ['azureclicredential', ['az']],
]);

/** The kinds that the environment names, in the order in which they are tried. */
export function credentialKinds(env: Environment): readonly Kind[] {
  const wanted = env['AZURE_TOKEN_CREDENTIALS']?.trim() ?? '';
  const kinds = kindsByName.get(wanted.toLowerCase());
  if (kinds === undefined) {
    throw new CodedError('CredentialUnknown', 'cannot tell who to be to azure', {
      fields: {
        reason: `AZURE_TOKEN_CREDENTIALS is ${wanted}, which is none of ${[...kindsByName.keys()].filter(Boolean).join(', ')}`,
      },
    });
  }
  return kinds.filter((kind) => neededBy[kind].every((name) => (env[name] ?? '') !== ''));
}

const application = ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID'] as const;

const neededBy: Readonly<Record<Kind, readonly string[]>> = {
  'client secret': [...application, 'AZURE_CLIENT_SECRET'],
  certificate: [...application, 'AZURE_CLIENT_CERTIFICATE_PATH'],
  'workload identity': [...application, 'AZURE_FEDERATED_TOKEN_FILE'],
  'managed identity': [],
  az: [],
};

export function credentialFrom(options: CredentialOptions): TokenCredential {
  const credentials = credentialKinds(options.env).map((kind) => credentialOf(kind, options));
  const [only, ...others] = credentials;
  return only !== undefined && others.length === 0
    ? only
    : new ChainedTokenCredential(...credentials);
}

function credentialOf(
  kind: Kind,
  { env, cloud, certificateAuthority }: CredentialOptions,
): TokenCredential {
  const value = (name: string): string => env[name] ?? '';
  const [tenantId, clientId] = [value('AZURE_TENANT_ID'), value('AZURE_CLIENT_ID')];
  // The webhook of workload identity says where tokens come from; it knows the cloud as well as we do.
  const authorityHost = env['AZURE_AUTHORITY_HOST'] ?? cloud.authorityHost;
  const options = {
    authorityHost,
    disableInstanceDiscovery: !isAzureAuthority(authorityHost),
    ...(certificateAuthority !== undefined && { tlsOptions: { ca: certificateAuthority } }),
  };
  switch (kind) {
    case 'client secret':
      return new ClientSecretCredential(tenantId, clientId, value('AZURE_CLIENT_SECRET'), options);
    case 'certificate':
      return new ClientCertificateCredential(
        tenantId,
        clientId,
        value('AZURE_CLIENT_CERTIFICATE_PATH'),
        options,
      );
    case 'workload identity':
      return new WorkloadIdentityCredential({
        ...options,
        tenantId,
        clientId,
        tokenFilePath: value('AZURE_FEDERATED_TOKEN_FILE'),
      });
    case 'managed identity':
      return clientId === ''
        ? new ManagedIdentityCredential(options)
        : new ManagedIdentityCredential({ ...options, clientId });
    default:
      return new AzureCliCredential(tenantId === '' ? {} : { tenantId });
  }
}
