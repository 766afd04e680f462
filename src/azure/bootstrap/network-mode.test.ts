import { describe, expect, test } from 'vitest';
import { imageNetworkPlugin, isOverlay, maxPodsOf } from './network-mode.ts';

const modes = [
  { plugin: 'azure', pluginMode: 'overlay', dataplane: 'cilium', image: 'none', pods: 250 },
  { plugin: 'azure', pluginMode: 'overlay', dataplane: 'azure', image: 'none', pods: 250 },
  { plugin: 'azure', pluginMode: '', dataplane: 'azure', image: 'azure', pods: 30 },
  { plugin: 'azure', pluginMode: '', dataplane: 'cilium', image: 'none', pods: 30 },
  { plugin: 'none', pluginMode: '', dataplane: '', image: 'none', pods: 250 },
] as const;

describe('a network', () => {
  test.each(modes)('$plugin, $pluginMode, $dataplane: image sets up $image, $pods pods', (mode) => {
    expect([imageNetworkPlugin(mode), maxPodsOf({}, mode)]).toEqual([mode.image, mode.pods]);
  });

  test.each(modes)('$plugin, $pluginMode gives way to the pods that a class asks for', (mode) => {
    expect(maxPodsOf({ maxPods: 42 }, mode)).toBe(42);
  });

  test('is an overlay only with the plugin of Azure', () => {
    expect(isOverlay({ plugin: 'none', pluginMode: 'overlay' })).toBe(false);
  });
});
