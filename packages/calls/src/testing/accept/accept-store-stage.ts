import type { Call } from '../../call.ts';
import type { AcceptRow, AcceptStore, ScheduleRow } from '../../ports/accept-store.ts';
import type { Stage } from '../stage-for-each.ts';

export interface AcceptStoreStage extends Stage {
  readonly store: AcceptStore;
  /** A reserved request of an account that exists, under the current token of the gate. */
  readonly row: (changes?: Partial<AcceptRow>) => Promise<AcceptRow>;
  /** A request for a scheduled call of an account that exists: the same one each time. */
  readonly scheduleRow: (changes?: Partial<ScheduleRow>) => Promise<ScheduleRow>;
  /** The stored call of the row's account; null if there is none. */
  readonly find: (row: Pick<AcceptRow, 'accountId' | 'callId'>) => Promise<Call | null>;
  /** Puts a number on the do-not-call list of an account. */
  readonly suppress: (row: Pick<AcceptRow, 'accountId' | 'calleeNumber'>) => Promise<void>;
  /** The account has a calling policy whose cap the number has reached. */
  readonly reachCap: (row: Pick<AcceptRow, 'accountId' | 'calleeNumber'>) => Promise<void>;
  /** Another generation of the gate: earlier tokens are stale from now on. */
  readonly nextGeneration: () => Promise<void>;
}
