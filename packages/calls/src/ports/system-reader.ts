import type { CampaignState, Micros, WaitingFor } from '@outdial/contracts';
import type { OpenStatus } from '../call-state.ts';

/** The open calls, summed up: no row of a call leaves Postgres. */
export interface OpenCallsReading {
  /** Statuses and currencies without an open call are left out. */
  readonly openCalls: readonly {
    readonly status: OpenStatus;
    readonly currency: string;
    readonly calls: number;
    readonly heldMicros: Micros;
  }[];
  /** The waiting time of the call that was queued first; 0 if none is queued. */
  readonly oldestQueuedSeconds: number;
  /** Calls whose lease is over: their worker is gone, and no other worker has ended them yet. */
  readonly orphanedCalls: number;
  /** Calls that workers drive, by the reports of the last minute. */
  readonly liveCalls: number;
}

/** The limits of the system, and what waits beside the open calls. */
export interface SystemReading {
  /** The configured maximum number of open calls. */
  readonly capacity: number;
  /** Sums over the accounts with open calls. */
  readonly balances: readonly { readonly currency: string; readonly balanceMicros: Micros }[];
  /** How long ago the first call ended that is not analyzed yet; 0 if none waits. */
  readonly oldestAnalysisSeconds: number;
  /** Calls that wait to be admitted, by what they wait for; null: for nothing. */
  readonly scheduledCalls: readonly { readonly waitingFor: WaitingFor | null; readonly calls: number }[];
  /**
   * When the scheduled call that has been due for the longest was due; null if none is. Accounts whose calls wait for a slot or
   * for funds are left out, and so are calls of campaigns: their pace and their part of the slots make them wait.
   */
  readonly oldestDueScheduledMs: number | null;
  /** Campaigns that have started and are not over, by state. */
  readonly campaigns: readonly { readonly state: CampaignState; readonly campaigns: number }[];
  /** Scheduled calls of campaigns. */
  readonly stockCalls: number;
  /** How long ago old data was last deleted completely. */
  readonly retentionLagSeconds: number;
  /** No new dial begins. */
  readonly diallingPaused: boolean;
}

/** Reads the state of the system for operators. */
export interface SystemReader {
  /** One statement, whose cost grows with the number of open calls. */
  openCalls(): Promise<OpenCallsReading>;
  /** One statement. */
  read(): Promise<SystemReading>;
}
