import { describe, expect, test } from 'vitest';
import { containerdConfig } from './containerd-config.ts';

/** Table → its entries, as text. */
function tablesOf(toml: string): Record<string, string[]> {
  const tables: Record<string, string[]> = { '': [] };
  let current = '';
  for (const line of toml.trimEnd().split('\n')) {
    const header = /^\[(.*)\]$/.exec(line)?.[1];
    if (header === undefined) tables[current]?.push(line);
    else tables[(current = header.replaceAll('plugins."io.containerd.grpc.v1.cri"', 'cri'))] = [];
  }
  return tables;
}

const common = {
  '': ['version = 2', 'oom_score = 0'],
  cri: ['sandbox_image = "mcr.microsoft.com/oss/kubernetes/pause:3.6"'],
  'cri.registry': ['config_path = "/etc/containerd/certs.d"'],
  'cri.registry.headers': ['X-Meta-Source-Client = ["azure/aks"]'],
  metrics: ['address = "0.0.0.0:10257"'],
  'cri.containerd.runtimes.untrusted': ['runtime_type = "io.containerd.runc.v2"'],
};

describe('containerd', () => {
  test('runs containers with runc', () => {
    expect(tablesOf(containerdConfig({ nvidia: false, artifactStreaming: false }))).toEqual({
      ...common,
      'cri.containerd': ['default_runtime_name = "runc"'],
      'cri.containerd.runtimes.runc': ['runtime_type = "io.containerd.runc.v2"'],
      'cri.containerd.runtimes.runc.options': [
        'BinaryName = "/usr/bin/runc"',
        'SystemdCgroup = true',
      ],
      'cri.containerd.runtimes.untrusted.options': ['BinaryName = "/usr/bin/runc"'],
    });
  });

  test('hands GPUs to all containers where a driver is', () => {
    const binary = 'BinaryName = "/usr/bin/nvidia-container-runtime"';
    const runtime = 'cri.containerd.runtimes.nvidia-container-runtime';
    expect(tablesOf(containerdConfig({ nvidia: true, artifactStreaming: false }))).toEqual({
      ...common,
      'cri.containerd': ['default_runtime_name = "nvidia-container-runtime"'],
      [runtime]: ['runtime_type = "io.containerd.runc.v2"'],
      [`${runtime}.options`]: [binary, 'SystemdCgroup = true'],
      'cri.containerd.runtimes.untrusted.options': [binary],
    });
  });

  test('reads images as they are needed where they are streamed', () => {
    const tables = tablesOf(containerdConfig({ nvidia: false, artifactStreaming: true }));
    expect([tables['cri.containerd'], tables['proxy_plugins.overlaybd']]).toEqual([
      [
        'snapshotter = "overlaybd"',
        'disable_snapshot_annotations = false',
        'default_runtime_name = "runc"',
      ],
      ['type = "snapshot"', 'address = "/run/overlaybd-snapshotter/overlaybd.sock"'],
    ]);
  });
});
