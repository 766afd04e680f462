// Items that no packing can tell apart, counted together. In: items with counts. Out: classes, and the items themselves
// again when a packing says how many of a class go to a node.
import { type CountedItem, type Item, itemText } from './item.ts';

interface ItemClass {
  readonly example: Item;
  count: number;
  readonly members: { readonly item: Item; left: number }[];
}

export class ItemClasses {
  readonly #classes: ItemClass[] = [];
  readonly #byText = new Map<string, number>();

  /** Index of the class that took the items in. */
  add({ item, count }: CountedItem): number {
    const text = itemText(item);
    let index = this.#byText.get(text);
    if (index === undefined) {
      index = this.#classes.push({ example: item, count: 0, members: [] }) - 1;
      this.#byText.set(text, index);
    }
    const found = this.#classes[index] as ItemClass;
    found.count += count;
    found.members.push({ item, left: count });
    return index;
  }

  /** One entry per class, in the order of indexes. */
  counted(): CountedItem[] {
    return this.#classes.map(({ example, count }) => ({ item: example, count }));
  }

  /** Takes out so many of a class, in the order in which they came. */
  deal(index: number, count: number): CountedItem[] {
    const { members } = this.#classes[index] as ItemClass;
    const dealt: CountedItem[] = [];
    let wanted = count;
    for (const member of members) {
      if (wanted === 0) break;
      const taken = Math.min(wanted, member.left);
      if (taken === 0) continue;
      member.left -= taken;
      wanted -= taken;
      dealt.push({ item: member.item, count: taken });
    }
    return dealt;
  }
}
