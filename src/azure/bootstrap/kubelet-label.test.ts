import { describe, expect, test } from 'vitest';
import { mayKubeletSet, mayMachineSet } from './kubelet-label.ts';

describe('a kubelet', () => {
  test.each([
    'team',
    'example.com/team',
    'karpenter.sh/nodepool',
    'kubernetes.azure.com/mode',
    'kubernetes.io/hostname',
    'kubernetes.io/arch',
    'beta.kubernetes.io/os',
    'failure-domain.beta.kubernetes.io/zone',
    'topology.kubernetes.io/region',
    'node.kubernetes.io/instance-type',
    'node.kubernetes.io/windows-build',
    'sub.node.kubernetes.io/anything',
    'kubelet.kubernetes.io/anything',
    'sub.kubelet.kubernetes.io/anything',
    'notkubernetes.io/anything',
  ])('may set %s', (key) => {
    expect(mayKubeletSet(key)).toBe(true);
  });

  test.each([
    'kubernetes.io/anything',
    'k8s.io/anything',
    'sub.k8s.io/anything',
    'node-restriction.kubernetes.io/team',
    'node-role.kubernetes.io/agent',
    'notnode.kubernetes.io/anything',
  ])('may not set %s', (key) => {
    expect(mayKubeletSet(key)).toBe(false);
  });
});

describe('for an AKS machine', () => {
  test.each(['team', 'karpenter.sh/nodepool', 'node.kubernetes.io/windows-build'])(
    '%s is passed on',
    (key) => {
      expect(mayMachineSet(key)).toBe(true);
    },
  );

  test.each([
    'kubernetes.azure.com/mode',
    'agentpool',
    'storageprofile',
    'storagetier',
    'accelerator',
    'kubernetes.io/hostname',
    'topology.kubernetes.io/zone',
    'node.kubernetes.io/instance-type',
    'beta.kubernetes.io/arch',
    'kubernetes.io/anything',
  ])('%s is left to the service', (key) => {
    expect(mayMachineSet(key)).toBe(false);
  });
});
