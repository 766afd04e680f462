import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { customDataOf } from './custom-data.ts';
import { decodeCustomData } from './decode-custom-data.ts';

function scriptOf(variables: Record<string, string>): string {
  const result = customDataOf(variables);
  return result.ok ? Buffer.from(result.customData, 'base64').toString() : result.reason;
}

describe('the script of a node', () => {
  test('exports everything, waits for the image and hands over', () => {
    expect(scriptOf({ A: '1', B: '' })).toBe(`#!/bin/bash
set -o allexport
echo '#EOF' >> /opt/azure/manifest.json
mkdir -p /var/log/azure/Microsoft.Azure.Extensions.CustomScript/events
echo "$(date),$(hostname)" > /var/log/azure/cluster-provision-cse-output.log
waited=0
until grep -Fq EOF /opt/azure/containers/provision.sh; do
  waited=$((waited + 1))
  if [ "$waited" -ge 1200 ]; then exit 100; fi
  sleep 1
done
A="1"
B=""
/usr/bin/nohup /bin/bash -c "/bin/bash /opt/azure/containers/provision_start.sh"
`);
  });

  test('takes no setting for a command', () => {
    const value = '"; rm -rf / #$(reboot)`reboot`\\';
    expect(scriptOf({ A: value })).toContain(String.raw`A="\"; rm -rf / #\$(reboot)\`reboot\`\\"`);
  });

  test('says what it was told, whatever that is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]*$/), (value) => {
        const result = customDataOf({ A: value });
        expect(result.ok && decodeCustomData(result.customData)['A']).toBe(value);
      }),
    );
  });

  test('goes compressed when it would not fit, and is refused when even that does not', () => {
    const long = customDataOf({ A: 'a'.repeat(70_000) });
    const bytes = Buffer.from(long.ok ? long.customData : '', 'base64');
    expect(bytes.length).toBeLessThan(65_536);
    expect(gunzipSync(bytes).toString()).toContain('aaa');
    let noise = '';
    for (let i = 0; i < 20_000; i++) noise += ((i * 2_654_435_761) % 2 ** 32).toString(36);
    expect(customDataOf({ A: noise })).toEqual({
      ok: false,
      reason: expect.stringMatching(/custom data has \d+ bytes compressed, but Azure takes 65535/),
    });
  });
});
