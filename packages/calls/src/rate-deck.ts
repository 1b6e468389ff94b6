import type { E164, Micros } from '@outdial/contracts';

/**
 * The price of a call to one group of destinations. Increments in the field's notation: 60/60 bills whole minutes,
 * 6/6 tenths of a minute, 30/6 the first 30 seconds and then tenths, 1/1 seconds.
 */
export interface Rate {
  /** Digits after the plus sign: `1202` covers +1 202 …. */
  readonly prefix: string;
  readonly connectionFeeMicros: Micros;
  readonly pricePerMinuteMicros: Micros;
  readonly initialIncrementSeconds: number;
  readonly incrementSeconds: number;
}

/** The rates of one currency, found by the longest prefix of the dialed number. */
export interface RateDeck {
  readonly currency: string;
  readonly version: number;
  /** The rate with the longest prefix of `number`. Null if no prefix matches: such a destination is never dialed. */
  find(number: E164): Rate | null;
}

export function createRateDeck(input: {
  readonly currency: string;
  readonly version: number;
  readonly rates: readonly Rate[];
}): RateDeck {
  const byPrefix = new Map(input.rates.map((rate) => [rate.prefix, rate]));
  const longest = input.rates.reduce((length, rate) => Math.max(length, rate.prefix.length), 0);
  return {
    currency: input.currency,
    version: input.version,
    find(number) {
      const digits = number.slice(1);
      for (let length = Math.min(longest, digits.length); length > 0; length -= 1) {
        const rate = byPrefix.get(digits.slice(0, length));
        if (rate) return rate;
      }
      return null;
    },
  };
}
