// All that is asked of an API server, in one list: the emulated one and a real one are held to the same. In: how to reach
// one, and what is known to differ there. Out: tests.
// 1. A listed difference must differ: its case has to fail, and there has to be such a case.
import { beforeEach, expect, test } from 'vitest';
import { describeCustomResources } from './custom-resources.ts';
import { describeDefaults } from './defaults.ts';
import type { Difference } from './differences.ts';
import { describeHostile } from './hostile/hostile.ts';
import { describeObjects } from './objects.ts';
import { describePods } from './pods.ts';
import { describeRefusals } from './refusals.ts';
import type { KubeSession } from './session.ts';

export function describeApiServer(
  open: () => KubeSession,
  differences: readonly Difference[],
): void {
  const listed = new Set(differences.map(({ name }) => name));
  const met = new Set<string>();
  beforeEach(({ task }) => {
    if (!listed.has(task.name)) return;
    met.add(task.name);
    Object.assign(task, { fails: true });
  });

  describeRefusals(open);
  describeObjects(open);
  describeDefaults(open);
  describeCustomResources(open);
  describePods(open);
  describeHostile(open);

  test('every listed difference is a case', () => {
    expect([...listed].filter((name) => !met.has(name))).toEqual([]);
  });
}
