import type { World } from '../world/world.ts';

/** Performs the action, if there is a target for it. */
export type Act = (world: World, pick: number) => Promise<void> | void;

export function choose<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % items.length];
}

/** A second choice from the same pick. */
export function rest(pick: number): number {
  return Math.floor(pick / 64);
}
