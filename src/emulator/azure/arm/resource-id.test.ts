import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idText, parentOf, parsePath, parseResourceId } from './resource-id.ts';

describe('paths', () => {
  test.each([
    ['/subscriptions', 'Microsoft.Resources', ['subscriptions'], []],
    [
      '/subscriptions/s/resourcegroups/g',
      'Microsoft.Resources',
      ['subscriptions', 'resourcegroups'],
      ['s', 'g'],
    ],
    [
      '/subscriptions/s/providers/Microsoft.Compute',
      'Microsoft.Resources',
      ['subscriptions', 'providers'],
      ['s', 'Microsoft.Compute'],
    ],
    [
      '/subscriptions/s/providers/Microsoft.Compute/register',
      'Microsoft.Resources',
      ['subscriptions', 'providers', 'register'],
      ['s', 'Microsoft.Compute'],
    ],
    ['/subscriptions/s/providers/Microsoft.Compute/skus', 'Microsoft.Compute', ['skus'], []],
    [
      '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/v/start',
      'Microsoft.Compute',
      ['virtualMachines', 'start'],
      ['v'],
    ],
    [
      '/subscriptions/s/resourceGroups/providers/providers/Microsoft.Compute/disks/d',
      'Microsoft.Compute',
      ['disks'],
      ['d'],
    ],
    [
      '//subscriptions/s/providers/Microsoft.Authorization/roleAssignments/r',
      'Microsoft.Authorization',
      ['roleAssignments'],
      ['r'],
    ],
    ['/providers/Microsoft.ResourceGraph/resources', 'Microsoft.ResourceGraph', ['resources'], []],
    ['/subscriptions/s/resourceGroups/a%20b/providers/N.X/t/n', 'N.X', ['t'], ['n']],
  ])('%s is read part by part', (path, namespace, types, names) => {
    expect(parsePath(path)).toMatchObject({ namespace, types, names });
  });

  test('a role assignment stands behind the resource it is for', () => {
    const vnet = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v';
    const path = parsePath(`${vnet}/providers/Microsoft.Authorization/roleAssignments`);
    expect(path).toMatchObject({ scope: vnet, resourceGroup: 'g', types: ['roleAssignments'] });
  });

  test.each(['', '/', '/subscriptions/%zz'])('%j addresses nothing', (path) => {
    expect(parsePath(path)).toBeUndefined();
  });
});

describe('ids', () => {
  test.each(['no-slash', '/subscriptions', '/subscriptions/s/resourceGroups', ''])(
    '%j names no resource',
    (text) => {
      expect(parseResourceId(text)).toBeUndefined();
    },
  );

  test('the parent of a subnet is its network, and that has none', () => {
    const vnet = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v';
    expect(parentOf(parseResourceId(`${vnet}/subnets/n`)!)).toBe(vnet);
    expect(parentOf(parseResourceId(vnet)!)).toBeUndefined();
  });

  test('an id made of parts is read back as those parts', () => {
    const word = fc.stringMatching(/^[A-Za-z][\w-]{0,10}$/);
    fc.assert(
      fc.property(
        word,
        word,
        fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 3 }),
        (s, g, pairs) => {
          const scope = `/subscriptions/${s}/resourceGroups/${g}`;
          const types = pairs.map(([type]) => type);
          const names = pairs.map(([, name]) => name);
          const id = idText({ scope, type: `Microsoft.Test/${types.join('/')}`, names });
          expect(parseResourceId(id)).toMatchObject({
            text: id,
            key: id.toLowerCase(),
            subscriptionId: s,
            resourceGroup: g,
            namespace: 'Microsoft.Test',
            types,
            names,
          });
        },
      ),
    );
  });
});
