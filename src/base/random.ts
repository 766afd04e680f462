// Randomness as something handed in. In: a seed. Out: a stream of numbers that is the same for the same
// seed on every machine (xoshiro128**, seeded through splitmix32). Not for secrets.

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, bound). */
  integer(bound: number): number;
  /** A stream of its own, so that one consumer's draws do not shift another's. */
  fork(): Random;
}

export function seededRandom(seed: number): Random {
  let mixed = seed >>> 0;
  const splitmix = (): number => {
    mixed = (mixed + 0x9e3779b9) >>> 0;
    let z = mixed;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  const state = Uint32Array.from([splitmix(), splitmix(), splitmix(), splitmix()]);
  const draw = (): number => {
    const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = state;
    const product = Math.imul(s1, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const x2 = s2 ^ s0;
    const x3 = s3 ^ s1;
    state[0] = s0 ^ x3;
    state[1] = s1 ^ x2;
    state[2] = x2 ^ (s1 << 9);
    state[3] = (x3 << 11) | (x3 >>> 21);
    return result;
  };
  return {
    next: () => draw() / 2 ** 32,
    integer: (bound) => Math.floor((draw() / 2 ** 32) * bound),
    fork: () => seededRandom(draw()),
  };
}

/** A stream that differs at every start of the program. */
export function systemRandom(): Random {
  return seededRandom(Math.floor(Math.random() * 2 ** 32));
}

/** `items` in a random order; the argument is left alone. */
export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [result[i], result[j]] = [result[j] as T, result[i] as T];
  }
  return result;
}

const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Five letters that spell no word: what Kubernetes appends to a generateName. */
export function randomSuffix(random: Random, length = 5): string {
  return Array.from({ length }, () => nameAlphabet[random.integer(nameAlphabet.length)]).join('');
}
