import type {
  AccountId,
  AgentId,
  CallId,
  CallingWeek,
  CampaignHold,
  CampaignId,
  E164,
  EndedReason,
  Micros,
  ReservationId,
  WaitingFor,
} from '@outdial/contracts';
import type { CalleePlace } from '@outdial/policies';
import type { CallLimits } from '../call.ts';
import type { ConductedCall } from '../conducted-call.ts';
import type { Rate } from '../rate-deck.ts';
import type { GateToken } from './gate.ts';

/** One worker's right to admit scheduled calls of one account, for `TURN_MS`. */
export interface Turn {
  readonly accountId: AccountId;
  /** Raised by every turn of the account: what an earlier turn writes has no effect. */
  readonly epoch: number;
  /** Slots that neither an open call nor a call of an earlier turn takes; may be negative. */
  readonly freeSlots: number;
  /** Calls that are due and that no worker admits now; counted up to `MOST_DUE_COUNTED`. */
  readonly dueCalls: number;
  /** How long the first of them may wait in the queue once it is admitted. */
  readonly queueTtlSeconds: number;
  /** Of the free slots, those that campaigns may use; may be negative. */
  readonly campaignSlots: number;
  /** The running campaigns, in the order of their ids. */
  readonly campaigns: readonly CampaignLane[];
}

/** A running campaign at the beginning of a turn. */
export interface CampaignLane {
  readonly campaignId: CampaignId;
  /** Who conducts its calls. */
  readonly agentId: AgentId;
  readonly agentVersion: number;
  readonly weight: number;
  /** Of its earlier shares: see `shareOut`. */
  readonly deficit: number;
  /** Calls that are due and that no worker admits now; counted up to `MOST_DUE_COUNTED`. */
  readonly dueCalls: number;
  readonly queueTtlSeconds: number;
  /** Contacts without a call; counted as far as a turn may stock them. */
  readonly contactsLeft: number;
  /** Calls that hold a slot. */
  readonly openCalls: number;
  /** Of them, those that no worker has claimed. */
  readonly queuedCalls: number;
  /** Calls that an earlier turn took and may still admit. */
  readonly admittingCalls: number;
  readonly maxConcurrent: number | null;
  /** How many calls its pace allows now; null: any number. */
  readonly paceCalls: number | null;
  readonly callsPerSecond: number | null;
  /** Of its budget, what neither ended calls cost nor open ones hold; null: it has none. */
  readonly budgetLeftMicros: Micros | null;
  /** The hours in which it calls, as a calling policy has them; null: any. */
  readonly window: CampaignWindow | null;
}

export interface CampaignWindow {
  readonly timeZone: string;
  readonly week: CallingWeek;
}

/** What a turn notes of a campaign at its end. */
export interface CampaignNote {
  readonly campaignId: CampaignId;
  readonly deficit: number;
  readonly heldBy: CampaignHold | null;
  /** When it is of use to look again, from now. */
  readonly notBeforeMs: number;
}

/** How long a turn lasts, and how long a call that it took may be admitted. */
export const TURN_MS = 10_000;
/** More than a turn ever admits. */
export const MOST_DUE_COUNTED = 200;

/** A call that a turn took: no other turn admits it until its time is over. */
export interface TakenCall {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly agentId: AgentId;
  /** The version of the request: a later one does not change the call. */
  readonly agentVersion: number;
  readonly callerNumber: E164;
  readonly calleeNumber: E164;
  readonly limits: CallLimits;
  readonly variables: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Each taking has its own: what is done under an earlier one has no effect. */
  readonly admitToken: string;
  readonly scheduledForMs: number;
  readonly giveUpAtMs: number;
  /** As the request gave it. */
  readonly calleeTimeZone: string | null;
}

/** A scheduled call with a reservation, on its way into the queue. */
export interface AdmitRow {
  readonly callId: CallId;
  readonly admitToken: string;
  readonly reservationId: ReservationId;
  readonly token: GateToken;
  readonly holdMicros: Micros;
  readonly rate: Rate;
  /** Null for a scripted agent. */
  readonly conducted: ConductedCall | null;
  readonly place: CalleePlace;
}

/** In order of precedence. All but `admitted` leave no trace of the reservation. */
export type AdmitOutcome =
  /** The gate decided under stale contents. */
  | { readonly kind: 'gate_stale' }
  /** The reconcile loop voided this reservation before the row arrived. */
  | { readonly kind: 'voided' }
  /** It has ended, its time to be admitted is over, or it was taken again. */
  | { readonly kind: 'gone' }
  /** Its number is on a do-not-call list. */
  | { readonly kind: 'suppressed' }
  /** The number was called as often as the account's calling policy allows. */
  | { readonly kind: 'frequency_capped' }
  | { readonly kind: 'admitted'; readonly lateMs: number };

/** Why a call that may not be dialed ends instead of being admitted. `code`: as in the error of a request. */
export interface NotPermitted {
  readonly callId: CallId;
  readonly admitToken: string;
  readonly reason: Extract<EndedReason, 'not_permitted' | 'suppressed' | 'outside_calling_window' | 'frequency_capped'>;
  readonly code: string;
}

/**
 * Scheduled calls on their way into the queue. They lie in Postgres alone: nothing of them is in Redis before they are
 * admitted.
 */
export interface ScheduleStore {
  /** Begins turns of accounts that are due, at most `limit`, the longest due first. None while dialing is paused. */
  beginTurns(input: { readonly workerId: string; readonly limit: number }): Promise<readonly Turn[]>;
  /** Takes up to `limit` due calls, the longest due first; none once the turn is over. */
  takeDue(
    input: Pick<Turn, 'accountId' | 'epoch'> & {
      readonly limit: number;
      /** Of which campaign; absent: single calls. */
      readonly campaignId?: CampaignId;
    },
  ): Promise<readonly TakenCall[]>;
  /** Makes scheduled calls of the next contacts of a running campaign, at most `limit`. Returns how many; 0 once the turn is over. */
  stock(
    input: Pick<Turn, 'accountId' | 'epoch'> & { readonly campaignId: CampaignId; readonly limit: number },
  ): Promise<number>;
  /** Group-committed. A rejection means that the outcome is unknown, but for `RowRejected` and `WritesUnavailable`. */
  admit(row: AdmitRow): Promise<AdmitOutcome>;
  /** Gives taken calls back: the next turn may take them at once. Notes what they wait for where that has changed. */
  putBack(input: {
    readonly calls: readonly Pick<TakenCall, 'callId' | 'admitToken'>[];
    /** Null: nothing holds them up. */
    readonly waitingFor: Extract<WaitingFor, 'capacity' | 'funds'> | null;
  }): Promise<void>;
  /** Makes a taken call due later, because its calling policy makes it wait: no turn takes it before. */
  postpone(
    input: Pick<TakenCall, 'callId' | 'admitToken'> & {
      readonly waitingFor: Extract<WaitingFor, 'window' | 'cap'>;
      readonly dueAtMs: number;
    },
  ): Promise<void>;
  /** Ends a taken call that may not be dialed. False: another turn has it, or it has ended. */
  refuse(input: NotPermitted): Promise<boolean>;
  /**
   * Ends a turn: the account is due again with its next call, but not before `notBeforeMs` from now, unless a call is
   * scheduled during the turn that is due earlier. No effect once another turn has begun.
   */
  endTurn(
    input: Pick<Turn, 'accountId' | 'epoch'> & {
      readonly notBeforeMs: number;
      /** Of its running campaigns; absent: there are none. */
      readonly campaignNotes?: readonly CampaignNote[];
    },
  ): Promise<void>;
  /** Ends scheduled calls whose time is over (`schedule_expired`), at most `limit`. Returns how many. */
  endExpired(input: { readonly limit: number }): Promise<number>;
  /** Makes accounts due that have a due call and no turn. Each is a defect, and counted. */
  mendTurns(): Promise<number>;
}
