import { invariant } from '@outdial/kernel';
import type { Call } from '../../call.ts';
import type { AcceptRow, AcceptStore, ScheduleRow } from '../../ports/accept-store.ts';
import type { AdmitRow, ScheduleStore, TakenCall, Turn } from '../../ports/schedule-store.ts';
import type { Stage } from '../stage-for-each.ts';

/** A store with one account that has no call yet, and at least eight slots. Other accounts may have calls. */
export interface ScheduleStoreStage extends Stage {
  readonly store: ScheduleStore;
  readonly accepts: AcceptStore;
  /** A request of the account for a scheduled call. */
  readonly scheduleRow: (changes?: Partial<ScheduleRow>) => Promise<ScheduleRow>;
  /** The taken call with a reservation, under the current token of the gate. */
  readonly admitRow: (taken: TakenCall, changes?: Partial<AdmitRow>) => Promise<AdmitRow>;
  /** A stored call of the account; null if there is none. */
  readonly find: (call: Pick<AcceptRow, 'accountId' | 'callId'>) => Promise<Call | null>;
  /** Puts a number on the do-not-call list of the account. */
  readonly suppress: (row: Pick<AcceptRow, 'accountId' | 'calleeNumber'>) => Promise<void>;
  /** The account has a calling policy whose cap the number has reached. */
  readonly reachCap: (row: Pick<AcceptRow, 'accountId' | 'calleeNumber'>) => Promise<void>;
  /** Another generation of the gate: earlier tokens are stale from now on. */
  readonly nextGeneration: () => Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Other accounts may be due as well. */
const ALL = 1_000;

/** Schedules a call for `fromNowMs` from now, and returns what was stored. */
export async function scheduled(
  { accepts, scheduleRow }: ScheduleStoreStage,
  fromNowMs: number,
  changes: { readonly giveUpFromNowMs?: number } & Partial<Pick<ScheduleRow, 'place'>> = {},
): Promise<ScheduleRow> {
  const nowMs = Date.now();
  const giveUpAtMs = nowMs + (changes.giveUpFromNowMs ?? HOUR_MS);
  const { giveUpFromNowMs: _wait, ...given } = changes;
  const schedule = { scheduledForMs: nowMs + fromNowMs, giveUpAtMs, retry: null };
  const row = await scheduleRow({ ...given, schedule });
  const outcome = await accepts.schedule(row);
  invariant(outcome.kind === 'scheduled', `the call is scheduled, and not ${outcome.kind}`);
  return row;
}

/** The turn of the row's account, if it is due; null otherwise. */
export async function begun(
  { store }: ScheduleStoreStage,
  { accountId }: Pick<ScheduleRow, 'accountId'>,
  workerId = 'first',
): Promise<Turn | null> {
  const turns = await store.beginTurns({ workerId, limit: ALL });
  return turns.find((turn) => turn.accountId === accountId) ?? null;
}

export async function turnOf(stage: ScheduleStoreStage, row: Pick<ScheduleRow, 'accountId'>): Promise<Turn> {
  const turn = await begun(stage, row);
  invariant(turn !== null, 'the account is due');
  return turn;
}

/** The turn of the row's account, and the first call that it takes. */
export async function taken(
  stage: ScheduleStoreStage,
  row: Pick<ScheduleRow, 'accountId'>,
): Promise<{ readonly turn: Turn; readonly call: TakenCall }> {
  const turn = await turnOf(stage, row);
  const [call] = await stage.store.takeDue({ ...turn, limit: 1 });
  invariant(call, 'a call is due');
  return { turn, call };
}
