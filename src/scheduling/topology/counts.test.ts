import { expect, test } from 'vitest';
import { BitSet } from '../../base/bitset.ts';
import { TopologyCounts } from './counts.ts';
import { DomainTable } from './domain-table.ts';
import { anyNode, type TopologyGroup } from './group.ts';

function group(index: number): TopologyGroup {
  const table = new DomainTable('zone', ['z1', 'z2']);
  const rule = { key: 'zone', matchers: [], maxSkew: 1, minDomains: undefined, filter: anyNode };
  return {
    ...rule,
    kind: 'spread',
    ownDomainsOnly: true,
    index,
    isHostname: false,
    table,
    known: BitSet.full(2),
  };
}

test('a fork sees what was counted before, and nobody sees what it counts', () => {
  const [one, other] = [group(0), group(1)];
  const parent = new TopologyCounts();
  parent.addGroup(one);
  parent.addGroup(other);
  parent.countInDomain(one, 0, 3);
  parent.countOnHost(other, 7, 1);
  parent.countTotal(one, 3);
  const fork = parent.fork();
  const twin = parent.fork();
  fork.countInDomain(one, 0, 2);
  fork.countInDomain(one, 1, 1);
  fork.countOnHost(other, 7, -1);
  fork.countTotal(one, 3);
  const seen = (counts: TopologyCounts) => [
    counts.inDomain(one, 0),
    counts.inDomain(one, 1),
    counts.onHost(other, 7),
    counts.onHost(other, 8),
    counts.total(one),
  ];
  expect([seen(fork), seen(parent), seen(twin)]).toEqual([
    [5, 1, 0, 0, 6],
    [3, 0, 1, 0, 3],
    [3, 0, 1, 0, 3],
  ]);
});

test('a group that is added to a fork is counted there only', () => {
  const parent = new TopologyCounts();
  parent.addGroup(group(0));
  const fork = parent.fork();
  const later = group(1);
  fork.addGroup(later);
  fork.countInDomain(later, 1, 4);
  expect([fork.inDomain(later, 1), parent.inDomain(later, 1)]).toEqual([4, 0]);
});
