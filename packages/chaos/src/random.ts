/** Seeded random numbers: the same seed injects the same faults in the same order. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  unit(): number;
  /** Both inclusive. */
  integer(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** `purpose` gives every fault its own sequence, whichever faults run before it. */
export function createRandom(seed: number, purpose: string): Random {
  let state = seed >>> 0;
  for (const character of purpose) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193) >>> 0;

  // Mulberry32.
  function unit(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  return {
    unit,
    integer: (min, max) => min + Math.floor(unit() * (max - min + 1)),
    pick(items) {
      const item = items[Math.floor(unit() * items.length)];
      if (item === undefined) throw new Error('there is something to pick from');
      return item;
    },
  };
}
