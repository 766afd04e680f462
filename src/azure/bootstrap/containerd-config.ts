// The configuration of containerd on a node. In: whether containers get GPUs, and whether images are streamed. Out: the
// file, in TOML.
import { pauseImage } from './kubelet-flags.ts';

type Value = boolean | number | string | readonly string[];

const cri = 'plugins."io.containerd.grpc.v1.cri"';

export function containerdConfig(node: {
  readonly nvidia: boolean;
  readonly artifactStreaming: boolean;
}): string {
  const runtime = node.nvidia ? 'nvidia-container-runtime' : 'runc';
  const binary = `/usr/bin/${runtime}`;
  const lazily = { snapshotter: 'overlaybd', disable_snapshot_annotations: false };
  return [
    table('', { version: 2, oom_score: 0 }),
    table(cri, { sandbox_image: pauseImage }),
    table(`${cri}.containerd`, {
      ...(node.artifactStreaming && lazily),
      default_runtime_name: runtime,
    }),
    ...runtimeTables(runtime, { BinaryName: binary, SystemdCgroup: true }),
    ...runtimeTables('untrusted', { BinaryName: binary }),
    table(`${cri}.registry`, { config_path: '/etc/containerd/certs.d' }),
    table(`${cri}.registry.headers`, { 'X-Meta-Source-Client': ['azure/aks'] }),
    table('metrics', { address: '0.0.0.0:10257' }),
    ...(node.artifactStreaming
      ? [
          table('proxy_plugins.overlaybd', {
            type: 'snapshot',
            address: '/run/overlaybd-snapshotter/overlaybd.sock',
          }),
        ]
      : []),
  ].join('');
}

function runtimeTables(name: string, options: Readonly<Record<string, Value>>): readonly string[] {
  const path = `${cri}.containerd.runtimes.${name}`;
  return [
    table(path, { runtime_type: 'io.containerd.runc.v2' }),
    table(`${path}.options`, options),
  ];
}

/** Texts, numbers and lists of texts read the same in TOML as in JSON. */
function table(path: string, entries: Readonly<Record<string, Value>>): string {
  const lines = Object.entries(entries).map(
    ([key, value]) => `${key} = ${JSON.stringify(value)}\n`,
  );
  return (path === '' ? '' : `[${path}]\n`) + lines.join('');
}
