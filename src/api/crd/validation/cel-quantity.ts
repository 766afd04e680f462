// Quantities inside CEL rules (`quantity('1Gi').isLessThan(…)`): exact, in billionths, which is as fine as
// Kubernetes itself goes.

const NANO = 1_000_000_000n;

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

const binaryExponents: Readonly<Record<string, bigint>> = {
  Ki: 10n,
  Mi: 20n,
  Gi: 30n,
  Ti: 40n,
  Pi: 50n,
  Ei: 60n,
};

const shape = /^([+-]?)(\d*)(?:\.(\d*))?([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/;

/** Rounded away from zero, as Kubernetes rounds what is too fine for it. */
function divideUp(value: bigint, by: bigint): bigint {
  return value / by + (value % by === 0n ? 0n : 1n);
}

export class CelQuantity {
  readonly #nano: bigint;

  constructor(nano: bigint) {
    this.#nano = nano;
  }

  /** Undefined when the text is no quantity. */
  static parse(text: string): CelQuantity | undefined {
    const match = shape.exec(text);
    if (match === null) return undefined;
    const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
    if (whole === '' && fraction === '') return undefined;
    const digits = BigInt(`${whole}${fraction}`);
    const magnitude = CelQuantity.#scale(digits, fraction.length, suffix);
    return new CelQuantity(sign === '-' ? -magnitude : magnitude);
  }

  static #scale(digits: bigint, fractionDigits: number, suffix: string): bigint {
    const binary = binaryExponents[suffix];
    if (binary !== undefined) {
      return divideUp((digits << binary) * NANO, 10n ** BigInt(fractionDigits));
    }
    const exponent = /^[eE][+-]?\d/.test(suffix)
      ? Number(suffix.slice(1))
      : (decimalExponents[suffix] ?? 0);
    const power = exponent + 9 - fractionDigits;
    return power >= 0 ? digits * 10n ** BigInt(power) : divideUp(digits, 10n ** BigInt(-power));
  }

  compareTo(other: CelQuantity): bigint {
    if (this.#nano === other.#nano) return 0n;
    return this.#nano < other.#nano ? -1n : 1n;
  }

  sign(): bigint {
    return this.compareTo(new CelQuantity(0n));
  }

  isInteger(): boolean {
    return this.#nano % NANO === 0n;
  }

  toInteger(): bigint {
    return this.#nano / NANO;
  }

  toFloat(): number {
    return Number(this.#nano) / Number(NANO);
  }

  add(other: CelQuantity): CelQuantity {
    return new CelQuantity(this.#nano + other.#nano);
  }

  subtract(other: CelQuantity): CelQuantity {
    return new CelQuantity(this.#nano - other.#nano);
  }

  static ofInteger(value: bigint): CelQuantity {
    return new CelQuantity(value * NANO);
  }
}
