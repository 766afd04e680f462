import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { fakeHost, type FakeHost } from '../../../test/support/config-host.ts';
import { ExecCredentials, type ExecPlugin } from './exec-credentials.ts';

const apiVersion = 'client.authentication.k8s.io/v1beta1';

function setting(plugin: Partial<ExecPlugin> = {}): {
  host: FakeHost;
  clock: VirtualClock;
  credentials: ExecCredentials;
} {
  const host = fakeHost();
  const clock = new VirtualClock();
  const credentials = new ExecCredentials({
    host,
    clock,
    plugin: {
      apiVersion,
      command: 'kubelogin',
      args: [],
      env: {},
      interactiveMode: 'IfAvailable',
      ...plugin,
    },
  });
  let count = 0;
  host.program = () => answer({ token: `token-${++count}` });
  return { host, clock, credentials };
}

function answer(
  status: object | undefined,
  version = apiVersion,
): { found: true; exitCode: number; stdout: string } {
  return { found: true, exitCode: 0, stdout: JSON.stringify({ apiVersion: version, status }) };
}

async function token(credentials: ExecCredentials): Promise<string | undefined> {
  return (await credentials.current()).headers['authorization'];
}

describe('a credential program', () => {
  test('runs once, however many ask, and its answer is kept while it does not expire', async () => {
    const { host, clock, credentials } = setting();
    expect(await Promise.all([token(credentials), token(credentials)])).toEqual([
      'Bearer token-1',
      'Bearer token-1',
    ]);
    await clock.advance(24 * 3600 * 1000);
    expect([await token(credentials), host.commands.length]).toEqual(['Bearer token-1', 1]);
  });

  test('runs again when its answer has expired, by the wall clock', async () => {
    const { host, clock, credentials } = setting();
    let count = 0;
    host.program = () =>
      answer({
        token: `t${++count}`,
        expirationTimestamp: new Date(clock.now() + 60_000).toISOString(),
      });
    expect(await token(credentials)).toBe('Bearer t1');
    await clock.advance(59_000);
    expect(await token(credentials)).toBe('Bearer t1');
    clock.jump(2000);
    expect(await token(credentials)).toBe('Bearer t2');
  });

  test('runs again when its answer is refused, but not for what it gave a moment ago', async () => {
    const { host, clock, credentials } = setting();
    const first = await credentials.current();
    expect([await credentials.refused(first), host.commands.length]).toEqual([false, 1]);
    await clock.advance(10_000);
    expect([await credentials.refused(first), await token(credentials)]).toEqual([
      true,
      'Bearer token-2',
    ]);
    // A second request that was refused with the old one finds it renewed already.
    expect([await credentials.refused(first), host.commands.length]).toEqual([true, 2]);
  });

  test('may give a certificate, with or without a token', async () => {
    const { host, credentials } = setting();
    host.program = () => answer({ clientCertificateData: 'C', clientKeyData: 'K' });
    expect(await credentials.current()).toEqual({
      headers: {},
      certificate: { cert: 'C', key: 'K' },
    });
  });

  test.each([
    ['Never', true, false],
    ['IfAvailable', false, false],
    ['IfAvailable', true, true],
    ['Always', true, true],
  ] as const)(
    'mode %s with a terminal %s is interactive: %s',
    async (interactiveMode, terminal, expected) => {
      const { host, credentials } = setting({ interactiveMode });
      host.stdinIsTerminal = terminal;
      await credentials.current();
      const [command] = host.commands;
      expect(command?.interactive).toBe(expected);
      expect(JSON.parse(command?.env['KUBERNETES_EXEC_INFO'] ?? '')).toMatchObject({
        apiVersion,
        kind: 'ExecCredential',
        spec: { interactive: expected },
      });
    },
  );

  test('that needs a person is not started without one', async () => {
    const { host, credentials } = setting({ interactiveMode: 'Always' });
    await expect(credentials.current()).rejects.toMatchObject({
      code: 'CredentialsUnavailable',
      fields: { command: 'kubelogin', rule: expect.stringContaining('terminal') },
    });
    expect(host.commands).toEqual([]);
  });

  test('that is not installed says how to get it', async () => {
    const { host, credentials } = setting({ installHint: 'brew install kubelogin' });
    host.program = () => ({ found: false });
    await expect(credentials.current()).rejects.toMatchObject({
      fields: { installHint: 'brew install kubelogin', rule: expect.stringContaining('installed') },
    });
  });

  test.each([
    ['that fails', { found: true, exitCode: 7, stdout: '' }, { exitCode: 7 }],
    [
      'that speaks no JSON',
      { found: true, exitCode: 0, stdout: 'oops' },
      { rule: expect.stringContaining('JSON') },
    ],
    [
      'that answers in another version',
      answer({ token: 't' }, 'client.authentication.k8s.io/v1'),
      { wanted: apiVersion },
    ],
    ['without status', answer(undefined), { rule: expect.stringContaining('status') }],
    ['without token', answer({}), { rule: expect.stringContaining('neither') }],
    [
      'with half a certificate',
      answer({ clientCertificateData: 'C' }),
      { rule: expect.stringContaining('only one') },
    ],
    ['with an odd expiry', answer({ token: 't', expirationTimestamp: 'soon' }), { expiry: 'soon' }],
  ] as const)('%s is an error, and is asked again next time', async (_, outcome, fields) => {
    const { host, credentials } = setting();
    host.program = () => outcome;
    await expect(credentials.current()).rejects.toMatchObject({
      code: 'CredentialsUnavailable',
      fields,
    });
    host.program = () => answer({ token: 'good' });
    expect(await token(credentials)).toBe('Bearer good');
  });

  test('that cannot be started at all is an error with the reason', async () => {
    const { host, credentials } = setting();
    host.program = () => Promise.reject(new Error('permission denied'));
    await expect(credentials.current()).rejects.toMatchObject({
      code: 'CredentialsUnavailable',
      cause: { message: 'permission denied' },
    });
  });
});
