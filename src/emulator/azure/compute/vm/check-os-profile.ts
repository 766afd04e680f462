// The operating system's profile: names, keys and custom data. In: the profile as it came. Out: nothing, or the compute
// provider's refusal. A machine that nobody can log in to, and custom data that is none, are refused as by Azure.
import { at, listAt, objectsAt, stringAt, textAt, type JsonObject } from '../../../kube/json.ts';
import { invalidParameter, requiredParameter } from '../../errors.ts';

/** 64 KiB, in base64. */
const maxCustomDataLength = 87_380;
const maxComputerName = 64;
const forbiddenInComputerNames = /[`~!@#$%^&*()=+_[\]{}\\|;:.'",<>/?\s]/;
const forbiddenUsers = new Set(
  'administrator admin user user1 test user2 test1 user3 admin1 1 123 a actuser adm admin2 aspnet backup console david guest john owner root server sql support support_388945a0 sys test2 test3 user4 user5'.split(
    ' ',
  ),
);
const sshKey = /^(ssh-rsa|ssh-ed25519|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/]+={0,2}(\s.*)?$/;

export function checkOsProfile(profile: JsonObject | undefined): void {
  if (profile === undefined) throw requiredParameter('osProfile');
  checkComputerName(stringAt(profile, 'computerName'));
  checkAdminUsername(stringAt(profile, 'adminUsername'));
  checkCustomData(stringAt(profile, 'customData'));
  checkLogin(profile);
}

function checkComputerName(name: string | undefined): void {
  if (name === undefined || name === '') throw requiredParameter('osProfile.computerName');
  if (name.length <= maxComputerName && !forbiddenInComputerNames.test(name)) return;
  throw invalidParameter(
    'computerName',
    `Linux host name cannot exceed ${maxComputerName} characters in length or contain the following characters: \` ~ ! @ # $ % ^ & * ( ) = + _ [ ] { } \\ | ; : . ' " , < > / ?.`,
  );
}

function checkAdminUsername(name: string | undefined): void {
  if (name === undefined || name === '') throw requiredParameter('osProfile.adminUsername');
  if (!forbiddenUsers.has(name.toLowerCase())) return;
  throw invalidParameter(
    'adminUsername',
    'The Admin Username specified is not allowed. For more information about disallowed usernames, see https://aka.ms/vmosprofile',
  );
}

function checkCustomData(data: string | undefined): void {
  if (data === undefined) return;
  const isBase64 = data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
  if (isBase64 && data.length <= maxCustomDataLength) return;
  throw invalidParameter(
    'customData',
    `Custom data in OSProfile must be in Base64 encoding and with a maximum length of ${maxCustomDataLength} characters.`,
  );
}

function checkLogin(profile: JsonObject): void {
  const isKeyOnly = at(profile, 'linuxConfiguration', 'disablePasswordAuthentication') === true;
  const keys = objectsAt(profile, 'linuxConfiguration', 'ssh', 'publicKeys');
  const hasPassword = stringAt(profile, 'adminPassword') !== undefined;
  if (isKeyOnly ? keys.length === 0 : !hasPassword && keys.length === 0) {
    throw invalidParameter(
      'linuxConfiguration',
      'Authentication using either SSH or by user name and password must be enabled in Linux profile.',
    );
  }
  const path = `/home/${textAt(profile, 'adminUsername')}/.ssh/authorized_keys`;
  for (const key of keys) checkKey(key, path);
  if (listAt(profile, 'secrets').length > 0) {
    throw invalidParameter('osProfile.secrets', 'This emulator has no key vaults.');
  }
}

function checkKey(key: JsonObject, path: string): void {
  if (textAt(key, 'path') !== path) {
    throw invalidParameter(
      'linuxConfiguration.ssh.publicKeys.path',
      `Destination path for SSH public keys is currently limited to its default value ${path}  due to a known issue in Linux provisioning agent.`,
    );
  }
  if (sshKey.test(textAt(key, 'keyData').trim())) return;
  throw invalidParameter(
    'linuxConfiguration.ssh.publicKeys.keyData',
    'The value of parameter linuxConfiguration.ssh.publicKeys.keyData is invalid.',
  );
}
