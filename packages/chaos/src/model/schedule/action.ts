import type { World } from '../world/world.ts';

/** Does it, if there is anything to do it to. */
export type Act = (world: World, pick: number) => Promise<void> | void;

export function choose<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % items.length];
}

/** A second choice out of the same pick. */
export function rest(pick: number): number {
  return Math.floor(pick / 64);
}
