// The user of a kubeconfig as credentials. In: its entry. Out: something that gives headers and certificates.
// Where several are given: a token file before a token, and either before a credential program.
import type { Clock } from '../../base/clock.ts';
import type { ConfigHost } from './host.ts';
import type { ConfigSection } from './section.ts';
import {
  basic,
  bearer,
  FileCredentials,
  staticCredentials,
  type Credential,
  type Credentials,
} from './credentials.ts';
import { execApiVersions, ExecCredentials, type ExecPlugin } from './exec-credentials.ts';

export interface UserContext {
  readonly host: ConfigHost;
  readonly clock: Clock;
  /** What a program is told about the server, if it asks. */
  readonly cluster: object;
}

export async function userCredentials(
  user: ConfigSection,
  context: UserContext,
): Promise<Credentials> {
  if (user.has('auth-provider')) {
    throw user.fault('auth-provider', 'is no longer supported by Kubernetes', {
      fix: 'use an exec plugin; for AKS: kubelogin convert-kubeconfig',
    });
  }
  const headers = fixedHeaders(user);
  const certificate = await fixedCertificate(user, context.host);
  const tokenFile = user.filePath('tokenFile');
  const certificateFiles = certificate === undefined ? pathPair(user) : undefined;
  const fixed: Credential = { headers, certificate };
  if (tokenFile !== undefined || certificateFiles !== undefined) {
    const credentials = new FileCredentials({
      ...context,
      source: { tokenFile, certificateFiles, fixed },
    });
    return credentials;
  }
  const known = Object.keys(headers).length > 0 || certificate !== undefined;
  if (known || !user.has('exec')) return staticCredentials(fixed);
  return new ExecCredentials({ ...context, plugin: execPlugin(user.section('exec'), context) });
}

/** Whom to act as: the server checks that we may. */
export function impersonationHeaders(
  user: ConfigSection,
): Readonly<Record<string, string | readonly string[]>> {
  const name = user.text('as');
  const extra = user.section('as-user-extra');
  if (name === undefined) {
    const orphan = ['as-uid', 'as-groups', 'as-user-extra'].find((field) => user.has(field));
    if (orphan !== undefined) throw user.fault(orphan, 'needs the field `as` beside it');
    return {};
  }
  const headers: Record<string, string | readonly string[]> = { 'impersonate-user': name };
  const uid = user.text('as-uid');
  if (uid !== undefined) headers['impersonate-uid'] = uid;
  if (user.has('as-groups')) headers['impersonate-group'] = user.texts('as-groups');
  for (const key of extra.names()) {
    headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = extra.texts(key);
  }
  return headers;
}

function fixedHeaders(user: ConfigSection): Readonly<Record<string, string>> {
  const token = user.text('token');
  const username = user.text('username');
  if (token !== undefined && username !== undefined) {
    throw user.fault('username', 'cannot be combined with a token', { fix: 'remove one of them' });
  }
  if (token !== undefined) return bearer(token);
  return username === undefined ? {} : basic(username, user.text('password') ?? '');
}

async function fixedCertificate(
  user: ConfigSection,
  host: ConfigHost,
): Promise<Credential['certificate']> {
  const given = (name: string): boolean => user.has(name) || user.has(`${name}-data`);
  if (given('client-certificate') !== given('client-key')) {
    const missing = given('client-key') ? 'client-certificate' : 'client-key';
    throw user.fault(missing, 'certificate and key must be given together');
  }
  if (!given('client-certificate') || pathPair(user) !== undefined) return undefined;
  const cert = await user.dataOrFile('client-certificate', host);
  const key = await user.dataOrFile('client-key', host);
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

/** Both in files: then they may be replaced while we run. */
function pathPair(user: ConfigSection): { cert: string; key: string } | undefined {
  if (user.has('client-certificate-data') || user.has('client-key-data')) return undefined;
  const cert = user.filePath('client-certificate');
  const key = user.filePath('client-key');
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

const interactiveModes = ['Never', 'IfAvailable', 'Always'] as const;

function execPlugin(exec: ConfigSection, context: UserContext): ExecPlugin {
  const apiVersion = exec.text('apiVersion');
  if (apiVersion === undefined || !execApiVersions.includes(apiVersion)) {
    const rule = `must be one of ${execApiVersions.join(', ')}`;
    const fix = 'update the plugin and its kubeconfig entry';
    throw exec.fault('apiVersion', rule, { value: apiVersion, fix });
  }
  const command = commandOf(exec);
  const mode = exec.text('interactiveMode') ?? 'IfAvailable';
  const interactiveMode = interactiveModes.find((known) => known === mode);
  if (interactiveMode === undefined) {
    const rule = `must be one of ${interactiveModes.join(', ')}`;
    throw exec.fault('interactiveMode', rule, { value: mode });
  }
  return {
    apiVersion,
    command,
    args: exec.texts('args'),
    env: execEnvironment(exec),
    interactiveMode,
    installHint: exec.text('installHint'),
    cluster: exec.flag('provideClusterInfo') ? context.cluster : undefined,
  };
}

/** A bare name is looked up in PATH; one with a slash is a file, from the folder of the kubeconfig. */
function commandOf(exec: ConfigSection): string {
  const command = exec.text('command');
  if (command === undefined) throw exec.fault('command', 'must be given');
  return command.includes('/') ? (exec.filePath('command') ?? command) : command;
}

function execEnvironment(exec: ConfigSection): Record<string, string> {
  const env: Record<string, string> = {};
  for (const variable of exec.sections('env')) {
    const name = variable.text('name');
    if (name === undefined) throw variable.fault('name', 'must be given');
    env[name] = variable.text('value') ?? '';
  }
  return env;
}
