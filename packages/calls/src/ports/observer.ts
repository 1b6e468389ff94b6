import type { NotPermitted } from './schedule-store.ts';

/**
 * What reconciling repaired. `orphaned_call`: its worker was gone. `lost_job`: it was queued only in Postgres.
 * `hold_of_ended_call`, `hold_without_call`: the gate held it without need. `stale_account`: the gate had an older balance
 * or capacity. `stale_gate`: the gate's contents were not of the current generation.
 */
export const RECONCILE_FINDINGS = [
  'orphaned_call',
  'lost_job',
  'hold_of_ended_call',
  'hold_without_call',
  'stale_account',
  'stale_gate',
] as const;
export type ReconcileFinding = (typeof RECONCILE_FINDINGS)[number];

/** `fenced`: another worker owns the call. `not_renewed`: Postgres did not take a renewal in time. */
export const LEASE_LOSSES = ['fenced', 'not_renewed'] as const;
export type LeaseLoss = (typeof LEASE_LOSSES)[number];

/** `superseded`: a later rebuild, or another Redis instance, made this one void. */
export const PUBLICATIONS = ['rebuilt', 'superseded'] as const;
export type Publication = (typeof PUBLICATIONS)[number];

/** Receives events for operators that no outcome of a port reports. Its methods neither throw nor wait. */
export interface Observer {
  found(finding: ReconcileFinding, count: number): void;
  /** Called once per call that this process drove. */
  leaseLost(loss: LeaseLoss): void;
  rebuilt(publication: Publication): void;
}

/**
 * What became of a scheduled call that a turn took. `refused`: it may not be dialed any more. `capacity`, `funds`: it waits
 * for them. `postponed`: the calling policy makes it wait. `gone`: it had ended. `unavailable`: a store did not answer, or the gate was closed.
 */
export const ADMISSIONS = ['admitted', 'refused', 'capacity', 'funds', 'postponed', 'gone', 'unavailable'] as const;
export type Admission = (typeof ADMISSIONS)[number];

/** Receives what becomes of scheduled calls, for operators. Its methods neither throw nor wait. */
export interface AdmissionObserver {
  admission(outcome: Admission): void;
  /** From the time at which a call was due until it was queued, unless slots, funds or trunks held it up. */
  late(ms: number): void;
  /** Scheduled calls that ended. */
  ended(reason: NotPermitted['reason'] | 'schedule_expired' | 'cancelled', count: number): void;
}
