import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { fakeHost } from '../../../test/support/config-host.ts';
import { FileCredentials } from './credentials.ts';

function setting() {
  const host = fakeHost({ '/token': 'one' });
  const clock = new VirtualClock();
  const source = { tokenFile: '/token', fixed: { headers: {} } };
  return { host, clock, credentials: new FileCredentials({ host, clock, source }) };
}

describe('credentials in files', () => {
  test('a refused token is read again at once', async () => {
    const { host, credentials } = setting();
    const first = await credentials.current();
    expect(await credentials.refused(first)).toBe(false);
    host.files.set('/token', 'two');
    expect(await credentials.refused(first)).toBe(true);
    expect((await credentials.current()).headers).toEqual({ authorization: 'Bearer two' });
  });

  test.each(['missing', 'empty'])(
    'the last token stands in while the file is %s',
    async (state) => {
      const { host, clock, credentials } = setting();
      await credentials.current();
      if (state === 'missing') host.files.delete('/token');
      else host.files.set('/token', '\n');
      await clock.advance(61_000);
      expect((await credentials.current()).headers).toEqual({ authorization: 'Bearer one' });
      host.files.set('/token', 'two');
      expect((await credentials.current()).headers).toEqual({ authorization: 'Bearer two' });
    },
  );

  test('a file that was never readable is an error that names it', async () => {
    const { host, credentials } = setting();
    host.files.clear();
    await expect(credentials.current()).rejects.toMatchObject({
      code: 'CredentialsUnavailable',
      fields: { tokenFile: '/token' },
    });
  });
});
