import type { Turn } from '../ports/schedule-store.ts';

/** Its calls are admitted well within the time of the turn. */
export const MOST_PER_TURN = 100;

/**
 * How many due calls a turn takes: no more than there are free slots for. Without a free slot it takes one, since only the
 * gate knows: a slot that is free there and not yet in Postgres would be left unused.
 */
export function shareOut({ freeSlots, dueCalls }: Pick<Turn, 'freeSlots' | 'dueCalls'>): number {
  return Math.min(Math.max(1, freeSlots), dueCalls, MOST_PER_TURN);
}
