// How a machine becomes a node, from the very payload that Azure hands it. In: custom data and the commands of its script
// extensions. Out: instructions, or that it still waits for an extension, or why it will never join.
// Nothing is filled in that the payload does not say: a node made from a wrong payload is wrong in the same way.
import { parse } from 'yaml';
import type { Json } from '../../../api/meta.ts';
import { objectsAt, textAt } from '../../kube/json.ts';
import { readUserData } from './custom-data.ts';
import { kubeletSettings, type KubeletSettings } from './kubelet-settings.ts';
import { shellVariables } from './shell-variables.ts';

export interface BootInstructions {
  /** Host, with a port where it is not 443. */
  readonly apiServer: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly bootstrapToken: string;
  /** `1.33.2` */
  readonly kubernetesVersion: string;
  readonly networkPlugin: string;
  readonly hasGpuDriver: boolean;
  readonly kubelet: KubeletSettings;
}

export type BootReading =
  | { readonly outcome: 'boots'; readonly instructions: BootInstructions }
  | { readonly outcome: 'waits'; readonly reason: string }
  | { readonly outcome: 'fails'; readonly reason: string };

const needed = [
  'API_SERVER_NAME',
  'KUBE_CA_CRT',
  'KUBERNETES_VERSION',
  'KUBELET_FLAGS',
  'KUBELET_NODE_LABELS',
] as const;

export function readBoot(payload: {
  readonly customData: Uint8Array | string;
  /** Of custom script extensions, in the order they were installed. */
  readonly commands: readonly string[];
}): BootReading {
  const data = readUserData(payload.customData);
  if (data.kind === 'unreadable') return fails(data.reason);
  const scripts = [...(data.kind === 'script' ? [data.text] : []), ...payload.commands];
  const variables = new Map<string, string>();
  for (const script of scripts) {
    const read = shellVariables(script);
    if (!read.ok) return fails(read.reason);
    for (const [name, value] of read.variables) variables.set(name, value);
  }
  const missing = needed.find((name) => !variables.has(name));
  if (missing !== undefined) {
    if (data.kind !== 'script' && payload.commands.length === 0) {
      return { outcome: 'waits', reason: 'waits for its custom script extension' };
    }
    return fails(`${missing} is not set`);
  }
  const files = data.kind === 'cloud-config' ? data.files : new Map<string, string>();
  return toInstructions(variables, files);
}

function fails(reason: string): BootReading {
  return { outcome: 'fails', reason };
}

function toInstructions(
  variables: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
): BootReading {
  const value = (name: string): string => variables.get(name) ?? '';
  const kubernetesVersion = value('KUBERNETES_VERSION');
  const minor = /^\d+\.(\d+)\.\d+/.exec(kubernetesVersion)?.[1];
  if (minor === undefined) return fails(`KUBERNETES_VERSION ${kubernetesVersion} is no version`);
  const kubelet = kubeletSettings({
    flags: value('KUBELET_FLAGS'),
    labels: value('KUBELET_NODE_LABELS'),
    minor: Number(minor),
  });
  if (!kubelet.ok) return fails(`kubelet: ${kubelet.reason}`);
  const token = value('TLS_BOOTSTRAP_TOKEN') || tokenIn(files);
  if (token === '') return fails('TLS_BOOTSTRAP_TOKEN is empty');
  const certificateAuthority = Buffer.from(value('KUBE_CA_CRT'), 'base64').toString('utf8');
  return {
    outcome: 'boots',
    instructions: {
      apiServer: value('API_SERVER_NAME'),
      certificateAuthority,
      bootstrapToken: token,
      kubernetesVersion,
      networkPlugin: value('NETWORK_PLUGIN'),
      hasGpuDriver: value('GPU_NODE') === 'true' && value('CONFIG_GPU_DRIVER_IF_NEEDED') === 'true',
      kubelet: kubelet.value,
    },
  };
}

function tokenIn(files: ReadonlyMap<string, string>): string {
  const text = files.get('/var/lib/kubelet/bootstrap-kubeconfig');
  if (text === undefined) return '';
  try {
    const [user] = objectsAt(parse(text) as Json, 'users');
    return textAt(user, 'user', 'token');
  } catch {
    return '';
  }
}
