import type { ScheduleStore, Turn } from '../ports/schedule-store.ts';
import { createRunTurn, type RunTurnDeps } from './run-turn.ts';

export interface AdmitDueDeps extends Omit<RunTurnDeps, 'store'> {
  readonly store: RunTurnDeps['store'] & Pick<ScheduleStore, 'beginTurns' | 'endExpired'>;
  readonly workerId: string;
}

/** Admits scheduled calls whose time has come. */
export interface AdmitDue {
  /**
   * Begins the turns of accounts that are due. Does not wait for them: one account's slow turn delays no other's. Costs one
   * statement while nothing is due.
   */
  round(stopping: AbortSignal): Promise<void>;
  /** Ends calls that have waited too long. Apart from the rounds, which last for as long as accounts are due. */
  expire(stopping: AbortSignal): Promise<void>;
  /** Hears when a round at once would find calls to admit. */
  onMoreDue(listener: () => void): void;
  /** Resolves once no turn is running. */
  idle(): Promise<void>;
}

const TURNS_AT_ONCE = 10;
/** Of this worker. Each makes up to 64 reservations at once. */
const MOST_TURNS = 20;

const EXPIRED_AT_ONCE = 500;

export function createAdmitDue(deps: AdmitDueDeps): AdmitDue {
  const runTurn = createRunTurn(deps);
  const { clock, logger, store, workerId, observer } = deps;
  const running = new Set<Promise<void>>();
  const listeners: (() => void)[] = [];

  async function runToEnd(turn: Turn, startedMs: number, stopping: AbortSignal): Promise<void> {
    if (!(await runTurn(turn, startedMs, stopping))) return;
    for (const listener of listeners) listener();
  }

  function begin(turn: Turn, startedMs: number, stopping: AbortSignal): void {
    const { accountId } = turn;
    const ended = runToEnd(turn, startedMs, stopping)
      // Another worker may begin the account's next turn in ten seconds. Nothing else is lost.
      .catch((error: unknown) =>
        logger.warn({ event: 'admission.turn_failed', err: error, accountId }, 'a turn was broken off'),
      )
      .finally(() => running.delete(ended));
    running.add(ended);
  }

  async function round(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const limit = Math.min(TURNS_AT_ONCE, MOST_TURNS - running.size);
      if (limit === 0) {
        await Promise.race(running);
        continue;
      }
      const startedMs = clock.monotonicMs();
      const turns = await store.beginTurns({ workerId, limit });
      for (const turn of turns) begin(turn, startedMs, stopping);
      if (turns.length < limit) return;
    }
  }

  async function expire(stopping: AbortSignal): Promise<void> {
    let ended = EXPIRED_AT_ONCE;
    while (ended === EXPIRED_AT_ONCE && !stopping.aborted) {
      ended = await store.endExpired({ limit: EXPIRED_AT_ONCE });
      if (ended === 0) return;
      observer.ended('schedule_expired', ended);
      logger.info({ event: 'admission.calls_expired', count: ended }, 'scheduled calls have waited too long');
    }
  }

  return {
    round,
    expire,
    onMoreDue: (listener) => void listeners.push(listener),
    async idle() {
      await Promise.all(running);
    },
  };
}
