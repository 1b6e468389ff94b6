/**
 * Every metric of the product: its name, its help, its label with all values that it may have, its buckets. Seconds and
 * currency units, as Prometheus wants them. No label carries a telephone number, a key, or the id of an account or call.
 */
import { LEASE_LOSSES, PUBLICATIONS, RECONCILE_FINDINGS } from '@outdial/calls';
import { endedReasons, DASHBOARD_ERROR_CODES, ERROR_CODES } from '@outdial/contracts';

export const ACCEPT_OUTCOMES = ['accepted', 'replayed', 'refused', 'failed'] as const;
export const DRIVEN_STATUSES = ['dialing', 'ringing', 'in_progress'] as const;
export const OPEN_STATUSES = ['queued', ...DRIVEN_STATUSES] as const;
export const RECORDING_OUTCOMES = ['available', 'pending', 'none'] as const;
export const UPLOAD_OUTCOMES = ['stored', 'unplayable', 'failed'] as const;
export const DRIFT_KINDS = ['call_not_held', 'hold_without_call', 'hold_too_small'] as const;
export const READINGS = ['postgres', 'gate', 'trunks'] as const;

export type AcceptedAs = (typeof ACCEPT_OUTCOMES)[number];
export type DriftKind = (typeof DRIFT_KINDS)[number];
export type ReadingName = (typeof READINGS)[number];

/** An answer is due within a second; the gate and Postgres take milliseconds. */
const ACCEPT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.8, 1, 2.5] as const;
/** From at once to the ten minutes that a call may wait unless told otherwise. */
const QUEUE_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600] as const;

/** Counted where it happens, in the process in which it does: summed up over all processes. */
export const EVENT_METRICS = {
  accepting: {
    name: 'outdial_accept_duration_seconds',
    help: 'From a valid request for a call to its outcome, without authentication.',
    label: 'outcome',
    values: ACCEPT_OUTCOMES,
    buckets: ACCEPT_BUCKETS,
  },
  refusals: {
    name: 'outdial_api_refusals_total',
    help: 'Requests of any kind that were answered with this error code.',
    label: 'code',
    values: [...ERROR_CODES, ...DASHBOARD_ERROR_CODES],
  },
  ended: {
    name: 'outdial_calls_ended_total',
    help: 'Calls that were ended and settled.',
    label: 'reason',
    values: endedReasons,
  },
  entered: {
    name: 'outdial_calls_entered_total',
    help: 'Calls that reached this status.',
    label: 'status',
    values: DRIVEN_STATUSES,
  },
  queueWait: {
    name: 'outdial_queue_wait_seconds',
    help: 'From the acceptance of a call to its claim by a worker.',
    buckets: QUEUE_BUCKETS,
  },
  settleRetries: {
    name: 'outdial_settle_retries_total',
    help: 'Attempts to settle a call that failed. Each is repeated.',
  },
  renewalFailures: {
    name: 'outdial_lease_renewal_failures_total',
    help: 'Renewals of leases that failed. Each is repeated for as long as the lease lasts.',
  },
  leasesLost: {
    name: 'outdial_leases_lost_total',
    help: 'Calls whose worker lost its right to them and hung up.',
    label: 'cause',
    values: LEASE_LOSSES,
  },
  findings: {
    name: 'outdial_reconcile_findings_total',
    help: 'What the reconcile loop set right.',
    label: 'kind',
    values: RECONCILE_FINDINGS,
  },
  rebuilds: {
    name: 'outdial_gate_rebuilds_total',
    help: 'Rebuilds of the admission gate by this process.',
    label: 'outcome',
    values: PUBLICATIONS,
  },
  recordings: {
    name: 'outdial_recordings_total',
    help: 'Answered calls by what became of their recording when they were settled.',
    label: 'status',
    values: RECORDING_OUTCOMES,
  },
  uploads: {
    name: 'outdial_recording_uploads_total',
    help: 'Uploads of recordings. Failed ones are repeated.',
    label: 'outcome',
    values: UPLOAD_OUTCOMES,
  },
  outages: { name: 'outdial_store_outages_total', help: 'Times that a store went away.', label: 'store' },
} as const;

/** Of one process, as it is now. */
export const PROCESS_GAUGES = {
  storeAway: { name: 'outdial_store_away', help: '1 while this process finds the store away.', label: 'store' },
  liveCalls: { name: 'outdial_worker_live_calls', help: 'Calls that this worker has claimed and not yet settled.' },
  liveCallsLimit: { name: 'outdial_worker_live_calls_limit', help: 'Calls that this worker may have at once.' },
  certificateExpiresAt: {
    name: 'outdial_sip_certificate_expires_at_seconds',
    help: 'When the certificate that this worker shows by TLS expires, in seconds since 1970. Absent without one.',
  },
} as const;

/** Of the whole system, as each worker finds it, and the API its gate: to be read with max, not with sum. */
export const SYSTEM_GAUGES = {
  readable: {
    name: 'outdial_reading_success',
    help: '1 if the last reading succeeded. What a failed one would tell is left out.',
    label: 'reading',
  },
  openCalls: { name: 'outdial_open_calls', help: 'Calls that have not ended, in Postgres.', label: 'status' },
  oldestQueued: { name: 'outdial_oldest_queued_call_seconds', help: 'Age of the oldest queued call; 0 without one.' },
  orphanedCalls: { name: 'outdial_orphaned_calls', help: 'Open calls whose lease is over: their worker is gone.' },
  diallingPaused: { name: 'outdial_dialling_paused', help: '1 while an operator has paused dialling; calls wait.' },
  slotsInUse: { name: 'outdial_slots_in_use', help: 'Slots that the admission gate in Redis holds.' },
  slotsLimit: { name: 'outdial_slots_limit', help: 'Calls that the system may have open, as it is set.' },
  fundsHeld: {
    name: 'outdial_funds_held_currency_units',
    help: 'Money that open calls hold, in Postgres.',
    label: 'currency',
  },
  fundsLimit: {
    name: 'outdial_funds_limit_currency_units',
    help: 'Balances of the accounts that have calls open.',
    label: 'currency',
  },
  gateOpen: { name: 'outdial_gate_open', help: '1 while the admission gate is open; 0: no call is accepted.' },
  gateDrift: {
    name: 'outdial_gate_drift',
    help: 'Differences between the gate in Redis and the open calls in Postgres that two readings in a row found.',
    label: 'kind',
  },
  trunkUp: { name: 'outdial_trunk_up', help: '1 while this worker gives calls to the trunk.', label: 'trunk' },
  trunkChannels: { name: 'outdial_trunk_channels', help: 'Calls that the trunk may carry at once.', label: 'trunk' },
  trunkChannelsInUse: { name: 'outdial_trunk_channels_in_use', help: 'Open calls on the trunk.', label: 'trunk' },
} as const;
