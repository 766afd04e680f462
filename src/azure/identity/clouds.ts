// Which Azure. In: the name of a cloud, or the path of a file that describes one. Out: where its Resource Manager and its
// directory are and what tokens are for. An unknown name is refused: a guess would send a token to the wrong place.
import { CodedError } from '../../base/errors.ts';

export interface AzureCloud {
  /** As node images name it. */
  readonly name: string;
  readonly armEndpoint: string;
  readonly authorityHost: string;
  readonly tokenScope: string;
  /** Extension that bills for AKS; other clouds do not have it. */
  readonly hasBillingExtension: boolean;
}

const publicCloud = known({
  name: 'AzurePublicCloud',
  armEndpoint: 'https://management.azure.com',
  authorityHost: 'https://login.microsoftonline.com',
});

const byName: ReadonlyMap<string, AzureCloud> = new Map([
  ['', publicCloud],
  ['AZUREPUBLICCLOUD', publicCloud],
  ['AZURECLOUD', publicCloud],
  ...['AZUREUSGOVERNMENT', 'AZUREUSGOVERNMENTCLOUD'].map(
    (name) =>
      [
        name,
        known({
          name: 'AzureUSGovernmentCloud',
          armEndpoint: 'https://management.usgovcloudapi.net',
          authorityHost: 'https://login.microsoftonline.us',
        }),
      ] as const,
  ),
  [
    'AZURECHINACLOUD',
    known({
      name: 'AzureChinaCloud',
      armEndpoint: 'https://management.chinacloudapi.cn',
      authorityHost: 'https://login.chinacloudapi.cn',
    }),
  ],
]);

/** Only Azure's own directory can vouch for an authority, and only for its own. */
export function isAzureAuthority(authorityHost: string): boolean {
  const host = authorityHost.replace(/\/$/, '');
  return [...byName.values()].some((cloud) => cloud.authorityHost === host);
}

interface CloudFile {
  readonly name?: string;
  readonly resourceManagerEndpoint?: string;
  readonly activeDirectoryEndpoint?: string;
  readonly tokenAudience?: string;
}

const fileVariable = 'AZURE_ENVIRONMENT_FILEPATH';

/** `readFile` is only called for a cloud that is described by a file. */
export function cloudFrom(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): AzureCloud {
  const name = env['ARM_CLOUD']?.trim() ?? '';
  const path = env[fileVariable]?.trim() ?? '';
  if (name !== '' && path !== '') {
    throw refused(`ARM_CLOUD and ${fileVariable} are both set; unset one of them`);
  }
  if (path !== '') return cloudOfFile(path, readFile);
  const cloud = byName.get(name.toUpperCase());
  if (cloud !== undefined) return cloud;
  throw refused(
    `ARM_CLOUD is ${name}, which is none of AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud; for another cloud set ${fileVariable}`,
  );
}

function cloudOfFile(path: string, readFile: (path: string) => string): AzureCloud {
  if (!path.startsWith('/')) throw refused(`${fileVariable} is ${path}; give an absolute path`);
  const file = parseFile(path, readFile);
  const field = (name: keyof CloudFile): string => {
    const value = file[name]?.trim() ?? '';
    if (value === '') throw refused(`${fileVariable} ${path} has no ${name}; add it`);
    return value;
  };
  return {
    name: file.name?.trim() ?? 'AzureStackCloud',
    armEndpoint: field('resourceManagerEndpoint'),
    authorityHost: field('activeDirectoryEndpoint'),
    tokenScope: `${field('tokenAudience')}/.default`,
    hasBillingExtension: false,
  };
}

function parseFile(path: string, readFile: (path: string) => string): CloudFile {
  try {
    return JSON.parse(readFile(path)) as CloudFile;
  } catch (cause) {
    throw refused(`${fileVariable} ${path} cannot be read as JSON; see the cause`, cause);
  }
}

/** Tokens of the named clouds are for the endpoint with a slash behind it; the double slash is what Azure expects. */
function known(cloud: Pick<AzureCloud, 'name' | 'armEndpoint' | 'authorityHost'>): AzureCloud {
  return {
    ...cloud,
    tokenScope: `${cloud.armEndpoint}//.default`,
    hasBillingExtension: true,
  };
}

function refused(reason: string, cause?: unknown): CodedError {
  return new CodedError('CloudUnknown', 'cannot tell which azure cloud to use', {
    fields: { reason },
    cause,
  });
}
