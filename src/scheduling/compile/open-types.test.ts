import { describe, expect, test } from 'vitest';
import {
  arch,
  instanceType,
  is,
  nodePool,
  offering,
  problem,
  zone,
} from '../../../test/support/scheduling/builders.ts';
import { compileProblem } from '../../../test/support/scheduling/solve-problem.ts';
import { oneOf } from '../../model/requirement.ts';
import { requirementsOf } from '../../model/requirements.ts';

const compiled = compileProblem(
  problem({
    nodePools: [
      nodePool({ name: 'amd', weight: 2, requirements: [is(arch, 'amd64')] }),
      nodePool({ name: 'all', weight: 1 }),
    ],
    instanceTypes: [
      instanceType({ name: 'small', cpu: '2', memory: '4Gi', price: 0.1 }),
      instanceType({ name: 'dear', cpu: '2', memory: '4Gi', price: 0.15 }),
      instanceType({ name: 'memory', cpu: '2', memory: '32Gi', price: 0.2 }),
      instanceType({ name: 'large', cpu: '8', memory: '32Gi', price: 0.4 }),
      instanceType({ name: 'arm', arch: 'arm64', cpu: '2', memory: '4Gi', price: 0.05 }),
      instanceType({
        name: 'zonal',
        cpu: '8',
        memory: '64Gi',
        offerings: [offering({ zone: 'z1', price: 0.9 }), offering({ zone: 'z2', price: 0.01 })],
      }),
    ],
  }),
);
const { templates, openTypes, states, catalog } = compiled;

function names(list: Int32Array): string[] {
  return [...list].map((variant) => catalog.types[catalog.typeOf[variant]!]!.name);
}

function inZone(index: number, name: string) {
  const demand = states.intern(requirementsOf([oneOf(zone, [name])]));
  return states.join(templates[index]!.state, demand);
}

describe('what a claim may become', () => {
  test('is every type of its pool, cheapest first by what its requirements leave', () => {
    expect([
      names(openTypes.of(templates[0]!, inZone(0, 'z1'))),
      names(openTypes.of(templates[0]!, inZone(0, 'z2'))),
      names(openTypes.of(templates[1]!, inZone(1, 'z3'))),
    ]).toEqual([
      ['small', 'dear', 'memory', 'large', 'zonal'],
      ['zonal', 'small', 'dear', 'memory', 'large'],
      ['arm', 'small', 'dear', 'memory', 'large'],
    ]);
  });

  test('that is worth a look is what nothing cheaper is as large as', () => {
    expect([
      names(openTypes.bargains(templates[0]!, inZone(0, 'z1'))),
      names(openTypes.bargains(templates[0]!, inZone(0, 'z2'))),
    ]).toEqual([['small', 'memory', 'large', 'zonal'], ['zonal']]);
  });
});
