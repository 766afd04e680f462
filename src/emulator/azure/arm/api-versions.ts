// Which api-versions each provider answers, and what it says to others. In: a namespace and a version. Out: nothing, or
// the refusal of the real front door. One table: a version that a client needs and Azure has is one entry away.
import {
  invalidApiVersion,
  missingApiVersion,
  noRegisteredProvider,
  type ArmError,
} from '../errors.ts';

const versionShape = /^\d{4}-\d{2}-\d{2}(-[a-z]+)?$/i;

/** By namespace in lower case, newest first. */
const versions: Readonly<Record<string, readonly string[]>> = {
  'microsoft.resources': list(`
    2025-04-01 2025-03-01 2024-11-01 2024-08-01 2024-07-01 2024-03-01 2023-07-01 2022-12-01
    2022-09-01 2022-06-01 2021-04-01 2021-01-01 2020-10-01 2020-08-01 2020-06-01 2020-01-01
    2019-11-01 2019-10-01 2019-08-01 2019-07-01 2019-06-01 2019-05-10 2019-05-01 2018-05-01
    2018-02-01 2017-05-10 2016-09-01 2016-06-01 2016-02-01 2015-11-01`),
  'microsoft.features': list(`
    2021-07-01 2015-12-01`),
  'microsoft.authorization': list(`
    2022-05-01-preview 2022-04-01 2020-10-01-preview 2020-08-01-preview 2020-04-01-preview
    2020-03-01-preview 2018-09-01-preview 2018-07-01 2018-01-01-preview 2017-10-01-preview
    2017-04-01 2016-09-01 2015-07-01`),
  'microsoft.compute': list(`
    2026-04-01 2026-03-02 2026-03-01 2025-12-03 2025-11-01 2025-04-01 2025-03-03 2025-02-01
    2025-01-02 2024-11-01 2024-07-01 2024-03-03 2024-03-02 2024-03-01 2023-10-02 2023-09-01
    2023-07-03 2023-07-01 2023-04-02 2023-03-01 2023-01-02 2022-11-01 2022-08-03 2022-08-01
    2022-07-02 2022-03-03 2022-03-02 2022-03-01 2022-01-03 2021-12-01 2021-11-01 2021-10-01
    2021-08-01 2021-07-01 2021-04-01 2021-03-01 2020-12-01 2020-09-30 2020-06-30 2020-06-01
    2020-05-01 2019-12-01 2019-11-01 2019-07-01 2019-04-01 2019-03-01 2018-10-01 2018-06-01
    2018-04-01 2017-12-01 2017-09-01 2017-03-30 2016-04-30-preview 2015-06-15`),
  'microsoft.network': list(`
    2026-01-01 2025-07-01 2025-05-01 2025-03-01 2025-01-01 2024-10-01 2024-07-01 2024-05-01
    2024-03-01 2024-01-01 2023-11-01 2023-09-01 2023-06-01 2023-05-01 2023-04-01 2023-02-01
    2022-11-01 2022-09-01 2022-07-01 2022-05-01 2022-01-01 2021-12-01 2021-08-01 2021-05-01
    2021-03-01 2021-02-01 2020-11-01 2020-08-01 2020-07-01 2020-06-01 2020-05-01 2020-04-01
    2020-03-01 2019-12-01 2019-11-01 2019-09-01 2019-08-01 2019-07-01 2019-06-01 2019-04-01
    2019-02-01 2018-12-01 2018-11-01 2018-10-01 2018-08-01 2018-07-01 2018-06-01 2018-04-01
    2018-02-01 2018-01-01 2017-11-01 2017-10-01 2017-09-01 2017-08-01`),
  'microsoft.managedidentity': list(`
    2025-05-31-preview 2025-01-31-preview 2024-11-30 2023-07-31-preview 2023-01-31
    2022-01-31-preview 2021-09-30-preview 2018-11-30 2015-08-31-preview`),
  'microsoft.containerservice': list(`
    2026-06-01 2026-05-02-preview 2026-05-01 2026-04-02-preview 2026-04-01 2026-03-02-preview
    2026-03-01 2026-02-02-preview 2026-02-01 2026-01-01 2025-10-02-preview 2025-10-01
    2025-09-02-preview 2025-09-01 2025-08-01 2025-07-02-preview 2025-07-01 2025-06-02-preview
    2025-05-01 2025-04-01 2025-03-01 2025-02-01 2025-01-01 2024-10-01 2024-09-01 2024-08-01
    2024-07-01 2024-05-01 2024-02-01 2024-01-01 2023-11-01 2023-10-01`),
  'microsoft.resourcegraph': list(`
    2024-04-01 2022-10-01 2021-03-01 2020-04-01-preview 2019-04-01 2018-09-01-preview`),
};

function list(text: string): string[] {
  return text.trim().split(/\s+/);
}

export function supportedVersions(namespace: string): readonly string[] {
  return versions[namespace.toLowerCase()] ?? [];
}

export function checkedApiVersion(options: {
  readonly version: string | null;
  readonly namespace: string;
  readonly type: string;
  readonly location: string;
  readonly locations: readonly string[];
}): string {
  const { version, namespace } = options;
  if (version === null || version === '') throw missingApiVersion();
  const supported = supportedVersions(namespace);
  if (supported.includes(version.toLowerCase())) return version;
  throw unsupported(version, { ...options, supported });
}

function unsupported(
  version: string,
  options: {
    readonly namespace: string;
    readonly type: string;
    readonly location: string;
    readonly locations: readonly string[];
    readonly supported: readonly string[];
  },
): ArmError {
  if (!versionShape.test(version)) return invalidApiVersion(version, options.supported);
  return noRegisteredProvider({
    location: options.location,
    version,
    type: options.type,
    versions: options.supported,
    locations: options.locations,
  });
}
