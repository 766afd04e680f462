import { describe, expect, test } from 'vitest';
import { requirementsOf } from '../../model/requirements.ts';
import { architectureOf } from './node-plan.ts';
import { testPlan } from './test-node.ts';

describe('the architecture of a node', () => {
  test('is that of its type', () => {
    const plans = [testPlan(), testPlan({ architecture: 'arm64' })];
    expect(plans.map(architectureOf)).toEqual(['amd64', 'arm64']);
  });

  test('is amd64 when the type does not say', () => {
    const { instanceType } = testPlan();
    const silent = { ...instanceType, requirements: requirementsOf([]) };
    expect(architectureOf({ instanceType: silent })).toBe('amd64');
  });
});
