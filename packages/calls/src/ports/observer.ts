/**
 * What reconciling set right. `orphaned_call`: its worker was gone. `lost_job`: it was queued in Postgres alone.
 * `hold_of_ended_call`, `hold_without_call`: held in the gate for nothing. `stale_account`: the gate knew an older
 * balance or capacity. `stale_gate`: the gate's contents were not of the current generation.
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

/** `fenced`: somebody else owns the call. `not_renewed`: Postgres did not take a renewal in time. */
export const LEASE_LOSSES = ['fenced', 'not_renewed'] as const;
export type LeaseLoss = (typeof LEASE_LOSSES)[number];

/** `superseded`: a later rebuild, or another Redis, made this one void. */
export const PUBLICATIONS = ['rebuilt', 'superseded'] as const;
export type Publication = (typeof PUBLICATIONS)[number];

/** Hears what operators are to know and no outcome of a port tells. Neither throws nor waits. */
export interface Observer {
  found(finding: ReconcileFinding, count: number): void;
  /** Once for a call that this process drove. */
  leaseLost(loss: LeaseLoss): void;
  rebuilt(publication: Publication): void;
}
