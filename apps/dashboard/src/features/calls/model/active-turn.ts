import type { Turn } from '@outdial/contracts';

/** The index of the turn heard at this moment: of those that cover it, the one that started last. Null: silence. */
export function activeTurn(turns: readonly Turn[], atMs: number): number | null {
  let active: number | null = null;
  for (const [index, turn] of turns.entries()) {
    if (turn.start_ms > atMs || turn.end_ms <= atMs) continue;
    const best = active === null ? undefined : turns[active];
    if (best === undefined || turn.start_ms >= best.start_ms) active = index;
  }
  return active;
}

/** The index of the turn that a step back or forward goes to. Null: there is none in that direction. */
export function neighboringTurn(turns: readonly Turn[], atMs: number, direction: 'back' | 'forward'): number | null {
  // A step back within the first second of a turn goes to the previous one, as in any player.
  const GRACE_MS = 1_000;
  if (direction === 'forward') {
    const next = turns.findIndex((turn) => turn.start_ms > atMs);
    return next === -1 ? null : next;
  }
  const before = turns.findLastIndex((turn) => turn.start_ms < atMs - GRACE_MS);
  return before === -1 ? null : before;
}
