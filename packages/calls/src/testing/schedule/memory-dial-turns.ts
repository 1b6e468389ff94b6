import type { AccountId } from '@outdial/contracts';
import { TURN_MS } from '../../ports/schedule-store.ts';

/** An account's row of `dial_turns`. */
export interface DialTurn {
  dueAtMs: number;
  /** The earliest due time that was written since the last turn began. */
  newDueMs: number;
  heldUntilMs: number;
  epoch: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** The turns of accounts, and who holds one. */
export class MemoryDialTurns {
  readonly rows = new Map<AccountId, DialTurn>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  dueBy(accountId: AccountId, dueAtMs: number): void {
    const turn = this.rows.get(accountId) ?? { dueAtMs: NEVER, newDueMs: NEVER, heldUntilMs: 0, epoch: 0 };
    turn.dueAtMs = Math.min(turn.dueAtMs, dueAtMs);
    turn.newDueMs = Math.min(turn.newDueMs, dueAtMs);
    this.rows.set(accountId, turn);
  }

  /** The accounts that are due longest, each with its new epoch. */
  begin(limit: number): readonly (readonly [AccountId, number])[] {
    const nowMs = this.#nowMs();
    return [...this.rows]
      .filter(([, { dueAtMs, heldUntilMs }]) => dueAtMs <= nowMs && heldUntilMs <= nowMs)
      .toSorted(([, left], [, right]) => left.dueAtMs - right.dueAtMs)
      .slice(0, limit)
      .map(([accountId, turn]) => {
        turn.epoch += 1;
        turn.heldUntilMs = turn.dueAtMs = nowMs + TURN_MS;
        turn.newDueMs = NEVER;
        return [accountId, turn.epoch];
      });
  }

  /** The turn, if it is held with this epoch. */
  held(accountId: AccountId, epoch: number): DialTurn | null {
    const turn = this.rows.get(accountId);
    return turn?.epoch === epoch && turn.heldUntilMs > this.#nowMs() ? turn : null;
  }

  /** Whether the account's turn comes later than that, or never. */
  isDueAfter(accountId: AccountId, atMs: number): boolean {
    return (this.rows.get(accountId)?.dueAtMs ?? NEVER) > atMs;
  }
}
