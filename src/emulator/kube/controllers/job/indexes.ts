// Sets of completion indexes, as a Job's status and success policy write them. In: `0-2,5`. Out: the numbers, and back.

/** Those below `limit`: a Job whose completions shrink forgets the rest. */
export function parseIndexes(text: string, limit = Infinity): Set<number> {
  const indexes = new Set<number>();
  for (const range of text.split(',').filter((part) => part !== '')) {
    const [first = 0, last = first] = range.split('-').map(Number);
    for (let index = first; index <= Math.min(last, limit - 1); index++) indexes.add(index);
  }
  return indexes;
}

/** Neighbours are joined by a comma, longer rows by a dash. */
export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...indexes].toSorted((a, b) => a - b);
  const ranges: [first: number, last: number][] = [];
  for (const index of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === index) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges
    .map(([first, last]) => {
      if (first === last) return `${first}`;
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
    })
    .join(',');
}
