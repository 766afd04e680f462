// A UID for an object that was written without one. In: kind, namespace, name. Out: the same UID in every run and in
// every program that reads the format: the first 16 bytes of SHA-1 over `kind/namespace/name`. The last tie between
// pods is broken by UID, so another UID would be another plan. SHA-1 is here because what solves may not import Node.

export function stableUid(kind: string, namespace: string, name: string): string {
  const digest = sha1(new TextEncoder().encode(`${kind}/${namespace}/${name}`));
  const hex = digest.map((word) => word.toString(16).padStart(8, '0')).join('');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-');
}

const rounds = [
  { constant: 0x5a827999, mix: (b: number, c: number, d: number) => (b & c) | (~b & d) },
  { constant: 0x6ed9eba1, mix: (b: number, c: number, d: number) => b ^ c ^ d },
  { constant: 0x8f1bbcdc, mix: (b: number, c: number, d: number) => (b & c) | (b & d) | (c & d) },
  { constant: 0xca62c1d6, mix: (b: number, c: number, d: number) => b ^ c ^ d },
];

type State = readonly [number, number, number, number, number];

function sha1(message: Uint8Array): number[] {
  const blocks = padded(message);
  let state: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let at = 0; at < blocks.length; at += 16) state = digestBlock(state, blocks, at);
  return state.map((word) => word >>> 0);
}

/** One bit, zeros, and the length in bits, as big-endian words. */
function padded(message: Uint8Array): Uint32Array {
  const words = new Uint32Array(Math.ceil((message.length + 9) / 64) * 16);
  const put = (i: number, byte: number): void => {
    words[i >> 2] = (words[i >> 2] ?? 0) | (byte << (24 - 8 * (i % 4)));
  };
  for (const [i, byte] of message.entries()) put(i, byte);
  put(message.length, 0x80);
  words[words.length - 1] = message.length * 8;
  return words;
}

function digestBlock(state: State, blocks: Uint32Array, at: number): State {
  const schedule = new Uint32Array(80);
  schedule.set(blocks.subarray(at, at + 16));
  const word = (i: number): number => schedule[i] ?? 0;
  for (let i = 16; i < 80; i++) {
    schedule[i] = rotate(word(i - 3) ^ word(i - 8) ^ word(i - 14) ^ word(i - 16), 1);
  }
  let [a, b, c, d, e] = state;
  for (const [quarter, { constant, mix }] of rounds.entries()) {
    for (let i = 20 * quarter; i < 20 * quarter + 20; i++) {
      const next = (rotate(a, 5) + mix(b, c, d) + e + constant + word(i)) | 0;
      [a, b, c, d, e] = [next, a, rotate(b, 30), c, d];
    }
  }
  const [h0, h1, h2, h3, h4] = state;
  return [(h0 + a) | 0, (h1 + b) | 0, (h2 + c) | 0, (h3 + d) | 0, (h4 + e) | 0];
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
