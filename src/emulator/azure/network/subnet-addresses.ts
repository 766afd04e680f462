// Which address of a subnet belongs to whom. In: a subnet, and an IP configuration that wants an address in it. Out:
// the lowest free one, or that there is none. The first four addresses and the last of every subnet are Azure's own.
// 1. An address has at most one owner, an owner at most one address.
// 2. A released address may be given out again at once, as Azure does.
import { toKey } from '../arm/resource-id.ts';
import { addressText, type Prefix } from './ipv4.ts';

interface Pool {
  readonly owners: Map<number, string>;
  /** No address below it is free. */
  lowest: number;
}

const reservedAtStart = 4;
const reservedAtEnd = 1;

export class SubnetAddresses {
  readonly #pools = new Map<string, Pool>();
  readonly #byOwner = new Map<string, { readonly subnet: string; readonly address: number }>();

  /** The address that the owner has or gets; undefined when the subnet is full. */
  take(subnetId: string, prefix: Prefix, owner: string): string | undefined {
    const current = this.#byOwner.get(toKey(owner));
    if (current?.subnet === toKey(subnetId)) return addressText(current.address);
    this.release(owner);
    const pool = this.#pool(subnetId, prefix);
    const end = prefix.last - reservedAtEnd;
    while (pool.lowest <= end && pool.owners.has(pool.lowest)) pool.lowest++;
    if (pool.lowest > end) return undefined;
    this.#give(subnetId, pool, { owner, address: pool.lowest });
    return addressText(pool.lowest);
  }

  /** This very address; false when it is somebody else's or not for owners at all. */
  takeExactly(
    subnetId: string,
    prefix: Prefix,
    wanted: { readonly owner: string; readonly address: number },
  ): boolean {
    const pool = this.#pool(subnetId, prefix);
    const { address, owner } = wanted;
    if (address < prefix.first + reservedAtStart || address > prefix.last - reservedAtEnd) {
      return false;
    }
    const holder = pool.owners.get(address);
    if (holder !== undefined && toKey(holder) !== toKey(owner)) return false;
    this.release(owner);
    this.#give(subnetId, pool, wanted);
    return true;
  }

  release(owner: string): void {
    const current = this.#byOwner.get(toKey(owner));
    if (current === undefined) return;
    this.#byOwner.delete(toKey(owner));
    const pool = this.#pools.get(current.subnet);
    if (pool === undefined) return;
    pool.owners.delete(current.address);
    pool.lowest = Math.min(pool.lowest, current.address);
  }

  ownersIn(subnetId: string): string[] {
    return [...(this.#pools.get(toKey(subnetId))?.owners.values() ?? [])];
  }

  #pool(subnetId: string, prefix: Prefix): Pool {
    const key = toKey(subnetId);
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool: Pool = { owners: new Map(), lowest: prefix.first + reservedAtStart };
    this.#pools.set(key, pool);
    return pool;
  }

  #give(
    subnetId: string,
    pool: Pool,
    given: { readonly owner: string; readonly address: number },
  ): void {
    pool.owners.set(given.address, given.owner);
    this.#byOwner.set(toKey(given.owner), { subnet: toKey(subnetId), address: given.address });
  }
}
