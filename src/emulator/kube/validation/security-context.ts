// Security contexts of pods and containers. In: a pod spec, or one container's context. Out: field errors, in the server's
// words and order. Privileged containers are allowed, as clusters allow them.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  type JsonObject,
} from '../json.ts';
import { dnsSubdomainErrors } from './names.ts';
import { descendingPathErrors } from './relative-path.ts';

const highestId = 2_147_483_647;
const profiles = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function idErrors(value: unknown, field: string): readonly FieldError[] {
  if (typeof value !== 'number' || (value >= 0 && value <= highestId)) return [];
  return [invalid(field, value, `must be between 0 and ${highestId}, inclusive`)];
}

function choiceErrors(
  owner: JsonObject,
  name: string,
  { field, known }: { readonly field: string; readonly known: readonly string[] },
): readonly FieldError[] {
  const value = stringAt(owner, name);
  if (value === undefined || known.includes(value)) return [];
  return [notSupported(`${field}.${name}`, value, known)];
}

export function podSecurityErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const context = objectAt(spec, 'securityContext') ?? {};
  const below = `${field}.securityContext`;
  const isShared = at(spec, 'shareProcessNamespace') === true && at(spec, 'hostPID') === true;
  const share = 'ShareProcessNamespace and HostPID cannot both be enabled';
  const policy = (name: string, ...known: string[]): readonly FieldError[] =>
    choiceErrors(context, name, { field: below, known });
  return [
    ...idErrors(context['fsGroup'], `${below}.fsGroup`),
    ...idErrors(context['runAsUser'], `${below}.runAsUser`),
    ...idErrors(context['runAsGroup'], `${below}.runAsGroup`),
    ...listAt(context, 'supplementalGroups').flatMap((group, index) =>
      idErrors(group, `${below}.supplementalGroups[${index}]`),
    ),
    ...(isShared ? [invalid(`${below}.shareProcessNamespace`, true, share)] : []),
    ...sysctlErrors(objectsAt(context, 'sysctls'), `${below}.sysctls`),
    ...policy('fsGroupChangePolicy', 'Always', 'OnRootMismatch'),
    ...seccompErrors(objectAt(context, 'seccompProfile'), `${below}.seccompProfile`),
    ...windowsErrors(objectAt(context, 'windowsOptions'), `${below}.windowsOptions`),
    ...appArmorErrors(objectAt(context, 'appArmorProfile'), `${below}.appArmorProfile`),
    ...policy('supplementalGroupsPolicy', 'Merge', 'Strict'),
    ...policy('seLinuxChangePolicy', 'MountOption', 'Recursive'),
    ...hostUserErrors(spec, field),
  ];
}

/** Users of its own go with none of the host's other namespaces. */
function hostUserErrors(spec: JsonObject, field: string): readonly FieldError[] {
  if (at(spec, 'hostUsers') !== false) return [];
  const shown = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' };
  return Object.entries(shown)
    .filter(([name]) => at(spec, name) === true)
    .map(([, name]) => forbidden(`${field}.${name}`, 'when `hostUsers` is false'));
}

const sysctlText = String.raw`^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`;
const sysctlPattern = new RegExp(sysctlText);
const longestSysctl = 253;

function sysctlErrors(sysctls: readonly JsonObject[], field: string): readonly FieldError[] {
  const names = sysctls.map((sysctl) => textAt(sysctl, 'name'));
  const rule = `must have at most ${longestSysctl} characters and match regex ${sysctlText}`;
  return names.flatMap((name, index) => {
    const path = `${field}[${index}].name`;
    if (name === '') return [required(path)];
    if (name.length > longestSysctl || !sysctlPattern.test(name))
      return [invalid(path, name, rule)];
    return names.indexOf(name) < index ? [duplicate(path, name)] : [];
  });
}

function seccompErrors(profile: JsonObject | undefined, field: string): readonly FieldError[] {
  if (profile === undefined) return [];
  const type = textAt(profile, 'type');
  const path = stringAt(profile, 'localhostProfile');
  const below = `${field}.localhostProfile`;
  if (type === 'Localhost') {
    return path === undefined
      ? [required(below, 'must be set when seccomp type is Localhost')]
      : descendingPathErrors(path, below);
  }
  const misplaced = { Type: type, LocalhostProfile: path ?? null };
  return [
    ...(profiles.includes(type) ? [] : [unsupportedProfile(type, field)]),
    ...(path === undefined
      ? []
      : [invalid(below, misplaced, 'can only be set when seccomp type is Localhost')]),
  ];
}

function unsupportedProfile(type: string, field: string): FieldError {
  return type === ''
    ? required(`${field}.type`, 'type is required when seccompProfile is set')
    : notSupported(`${field}.type`, type, profiles);
}

function appArmorErrors(profile: JsonObject | undefined, field: string): readonly FieldError[] {
  if (profile === undefined) return [];
  const type = textAt(profile, 'type');
  const name = stringAt(profile, 'localhostProfile');
  const below = `${field}.localhostProfile`;
  if (type === 'Localhost') return localProfileErrors(name, below);
  const alone = 'can only be set when AppArmor type is Localhost';
  const missing = 'type is required when appArmorProfile is set';
  return [
    ...(type === '' ? [required(`${field}.type`, missing)] : []),
    ...(type === '' || profiles.includes(type)
      ? []
      : [notSupported(`${field}.type`, type, profiles)]),
    ...(name === undefined ? [] : [invalid(below, name, alone)]),
  ];
}

function localProfileErrors(name: string | undefined, field: string): readonly FieldError[] {
  const missing = 'must be set when AppArmor type is Localhost';
  if (name === undefined) return [required(field, missing)];
  if (name.trim() !== name) return [invalid(field, name, 'must not be padded with whitespace')];
  return name === '' ? [required(field, missing)] : [];
}

const longestUser = 104;

function windowsErrors(options: JsonObject | undefined, field: string): readonly FieldError[] {
  const credential = stringAt(options, 'gmsaCredentialSpecName');
  const user = stringAt(options, 'runAsUserName');
  const rule = user === undefined ? undefined : userRule(user);
  return [
    ...(credential === undefined
      ? []
      : dnsSubdomainErrors(credential).map((error) =>
          invalid(`${field}.gmsaCredentialSpecName`, credential, error),
        )),
    ...(rule === undefined
      ? []
      : [invalid(`${field}.runAsUserName`, user ?? '', `runAsUserName${rule}`)]),
  ];
}

function userRule(name: string): string | undefined {
  if (name === '') return ' cannot be an empty string';
  if (/\p{Cc}/u.test(name)) return ' cannot contain control characters';
  const parts = name.split('\\');
  if (parts.length > 2) return ' cannot contain more than one backslash';
  const user = parts.at(-1) ?? '';
  if (user === '') return "'s User cannot be empty";
  if (user.length > longestUser)
    return `'s User length must not be longer than ${longestUser} characters`;
  return /^[. ]+$/.test(user) ? "'s User cannot contain only periods or spaces" : undefined;
}

export function containerSecurityErrors(
  context: JsonObject | undefined,
  field: string,
  hasHostUsers: boolean,
): readonly FieldError[] {
  if (context === undefined) return [];
  return [
    ...idErrors(context['runAsUser'], `${field}.runAsUser`),
    ...idErrors(context['runAsGroup'], `${field}.runAsGroup`),
    ...mountErrors(textAt(context, 'procMount'), `${field}.procMount`, hasHostUsers),
    ...seccompErrors(objectAt(context, 'seccompProfile'), `${field}.seccompProfile`),
    ...escalationErrors(context, field),
    ...windowsErrors(objectAt(context, 'windowsOptions'), `${field}.windowsOptions`),
    ...appArmorErrors(objectAt(context, 'appArmorProfile'), `${field}.appArmorProfile`),
  ];
}

const mounts = ['Default', 'Unmasked'];

function mountErrors(mount: string, field: string, hasHostUsers: boolean): readonly FieldError[] {
  if (mount === '') return [];
  if (!mounts.includes(mount)) return [notSupported(field, mount, mounts)];
  const isOpen = mount === 'Unmasked' && hasHostUsers;
  return isOpen ? [invalid(field, mount, '`hostUsers` must be false to use `Unmasked`')] : [];
}

function escalationErrors(context: JsonObject, field: string): readonly FieldError[] {
  if (at(context, 'allowPrivilegeEscalation') !== false) return [];
  const add = listAt(context, 'capabilities', 'add');
  const shown = goContext(context);
  const clash = (what: string): FieldError =>
    invalid(field, shown, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`);
  return [
    ...(at(context, 'privileged') === true ? [clash('`privileged` to true')] : []),
    ...(add.includes('CAP_SYS_ADMIN') ? [clash('`capabilities.Add` CAP_SYS_ADMIN')] : []),
  ];
}

const contextFields = [
  'Capabilities',
  'Privileged',
  'SELinuxOptions',
  'WindowsOptions',
  'RunAsUser',
  'RunAsGroup',
  'RunAsNonRoot',
  'ReadOnlyRootFilesystem',
  'AllowPrivilegeEscalation',
  'ProcMount',
  'SeccompProfile',
  'AppArmorProfile',
];

/** The server shows the whole context as its own language has it. */
function goContext(context: JsonObject): JsonObject {
  const capabilities = objectAt(context, 'capabilities');
  const list = (name: string) => at(capabilities, name) ?? null;
  return Object.fromEntries(
    contextFields.map((name) => {
      if (name === 'Capabilities' && capabilities !== undefined) {
        return [name, { Add: list('add'), Drop: list('drop') }];
      }
      const field = name.startsWith('SE') ? 'seLinuxOptions' : lowered(name);
      return [name, numberAt(context, field) ?? at(context, field) ?? null];
    }),
  );
}

function lowered(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
