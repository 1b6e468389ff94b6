import type { CallId, CallStatus, Micros, ReservationId } from '@outdial/contracts';

export interface OpenCall {
  readonly callId: CallId;
  readonly reservationId: ReservationId;
  readonly status: Exclude<CallStatus, 'ended'>;
  readonly currency: string;
  readonly holdMicros: Micros;
}

/** All calls that have not ended, with what bounds them. */
export interface SystemReading {
  /** As many as there are slots, at most. */
  readonly openCalls: readonly OpenCall[];
  /** How many calls the system may have open, as it is set. */
  readonly capacity: number;
  /** Of the accounts that have calls open, summed up. */
  readonly balances: readonly { readonly currency: string; readonly balanceMicros: Micros }[];
  /** How long the call that was accepted first among those queued has waited; 0 if none is. */
  readonly oldestQueuedSeconds: number;
  /** Calls whose lease is over: their worker is gone, and nobody has ended them yet. */
  readonly orphanedCalls: number;
  /** No new dial begins. */
  readonly diallingPaused: boolean;
}

/** Where operators read how the system is. One statement, which costs as much as there are open calls. */
export interface SystemReader {
  read(): Promise<SystemReading>;
}
