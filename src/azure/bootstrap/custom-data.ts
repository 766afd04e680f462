// The script that makes a machine a node, as custom data of the machine. In: variables. Out: base64 of a bash script,
// which cloud-init runs at first boot; the image holds the scripts that do the work.
//   export everything · leave the marks that the image's scripts wait for · wait for the image · hand over
// 1. Values are quoted for bash: a setting of a user is never a command. 2. Azure takes 64 KiB at most; what is longer
//    goes compressed, which cloud-init recognises; what is too long even so is refused here, not by Azure.
import { gzipSync } from 'node:zlib';
import type { Variables } from './boot-variables.ts';

export type CustomData =
  | { readonly ok: true; readonly customData: string }
  | { readonly ok: false; readonly reason: string };

const largestBytes = 65_535;
const waitSeconds = 1200;
const log = '/var/log/azure';
const containers = '/opt/azure/containers';

const opening = `#!/bin/bash
set -o allexport
echo '#EOF' >> /opt/azure/manifest.json
mkdir -p ${log}/Microsoft.Azure.Extensions.CustomScript/events
echo "$(date),$(hostname)" > ${log}/cluster-provision-cse-output.log
waited=0
until grep -Fq EOF ${containers}/provision.sh; do
  waited=$((waited + 1))
  if [ "$waited" -ge ${waitSeconds} ]; then exit 100; fi
  sleep 1
done
`;

const closing = `/usr/bin/nohup /bin/bash -c "/bin/bash ${containers}/provision_start.sh"\n`;

export function customDataOf(variables: Variables): CustomData {
  const assignments = Object.entries(variables).map(
    ([name, value]) => `${name}=${quoted(value)}\n`,
  );
  const script = Buffer.from(opening + assignments.join('') + closing);
  const bytes = script.length <= largestBytes ? script : gzipSync(script);
  if (bytes.length <= largestBytes) return { ok: true, customData: bytes.toString('base64') };
  return {
    ok: false,
    reason: `custom data has ${bytes.length} bytes compressed, but Azure takes ${largestBytes}; use fewer labels, taints or localDNS overrides`,
  };
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["$\\`]/g, String.raw`\$&`)}"`;
}
