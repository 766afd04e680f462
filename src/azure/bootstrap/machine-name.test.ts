import { describe, expect, test } from 'vitest';
import { machineNameOf, machineNameOfVm } from './machine-name.ts';

const long = 'this-is-a-very-long-nodepool-name-indeed-a1b2c';

describe('an AKS machine', () => {
  test.each(['default-a1b2c', 'a'.repeat(28) + '-a1b2c'])('is named after its claim %s', (name) => {
    expect(machineNameOf(name)).toEqual({ ok: true, name });
  });

  test('keeps the beginning and the end of a long name', () => {
    expect(machineNameOf(long)).toEqual({ ok: true, name: 'this-is-a-very-long-nohsg47w-a1b2c' });
  });

  test('has another name when the part that was cut off is another', () => {
    const names = ['x', 'y'].map((end) => machineNameOf(`${'a'.repeat(29)}${end}-a1b2c`));
    expect(names[0]).not.toEqual(names[1]);
    expect(names.map((it) => it.ok && it.name.length)).toEqual([34, 34]);
  });

  test.each(['a'.repeat(35), `a-${'b'.repeat(40)}`])('cannot be named after %s', (name) => {
    expect(machineNameOf(name)).toEqual({ ok: false, reason: expect.stringContaining(name) });
  });

  test.each([
    ['aks-pool-default-a1b2c-12345678-vm', 'default-a1b2c'],
    ['aks-pool-a-b-c-d-12345678-vm', 'a-b-c-d'],
    ['aks-other-default-a1b2c-12345678-vm', undefined],
    ['aks-pool-default-a1b2c-12345678', undefined],
    ['aks-pool-default-vm', undefined],
    ['aks-default-a1b2c', undefined],
  ])('is found by its virtual machine %s: %s', (vmName, machine) => {
    expect(machineNameOfVm('pool', vmName)).toBe(machine);
  });
});
