/**
 * Every metric of the product: its name, its help, its label with all possible values, its buckets. In seconds and currency
 * units, as Prometheus recommends. No label contains a telephone number, a key, or the id of an account or call.
 */
import { ADMISSIONS, DRIFT_KINDS, LEASE_LOSSES, PUBLICATIONS, RECONCILE_FINDINGS } from '@outdial/calls';
import {
  endedReasons,
  DASHBOARD_ERROR_CODES,
  ERROR_CODES,
  LLM_PROVIDERS,
  PROVIDERS,
  WAITING_FOR,
  type OptOutEvidence,
} from '@outdial/contracts';

export const ACCEPT_OUTCOMES = ['accepted', 'replayed', 'refused', 'failed'] as const;
export const DRIVEN_STATUSES = ['dialing', 'ringing', 'in_progress'] as const;
export const OPEN_STATUSES = ['queued', ...DRIVEN_STATUSES] as const;
/** `nothing`: they are due, and a worker has not admitted them yet. */
export const CAMPAIGN_GAUGE_STATES = ['scheduled', 'running', 'paused', 'cancelling'] as const;
export const SCHEDULED_STATES = [...WAITING_FOR, 'nothing'] as const;
/** The ended reasons of calls that a policy refuses later are the same. */
export const POLICY_REFUSALS = ['outside_calling_window', 'frequency_capped'] as const;
export const RECORDING_OUTCOMES = ['available', 'pending', 'none'] as const;
export const ANALYSIS_TRIES = ['completed', 'failed', 'skipped', 'retried'] as const;
/** How the callee said it, in a call. */
export const OPT_OUTS = ['key', 'tool'] as const satisfies readonly OptOutEvidence[];
export const UPLOAD_OUTCOMES = ['stored', 'unplayable', 'failed'] as const;
/** `waiting` jobs want a worker; `delayed` ones wait for a trunk's pace or a pause, and no further worker helps them. */
export const JOB_STATES = ['waiting', 'delayed', 'active'] as const;
/** After `retry` another attempt follows; `gone`: the receiver answered 410. */
export const WEBHOOK_ATTEMPTS = ['delivered', 'retry', 'failed', 'gone'] as const;
/** `dropped`: Redis was away or slow. */
export const MONITOR_SOUND = ['published', 'dropped'] as const;
/** `dropped`: the browser read too slowly. */
export const MONITOR_MESSAGES = ['sent', 'dropped'] as const;
/** After `retry` another attempt follows; `dropped`: the link was used, replaced or withdrawn. */
export const EMAIL_ATTEMPTS = ['sent', 'retry', 'failed', 'dropped'] as const;
export const RETENTION_DELETED = ['calls', 'events', 'audit_entries', 'idempotency_keys'] as const;
export const READINGS = [
  'postgres',
  'open_calls',
  'queue',
  'gate',
  'drift',
  'trunks',
  'breakers',
  'webhooks',
  'emails',
] as const;

const ANSWERING_USES = [
  'deepgram/stt',
  'local/stt',
  ...LLM_PROVIDERS.map((provider) => `${provider}/llm` as const),
  'elevenlabs/tts',
  'cartesia/tts',
  'deepgram/tts',
  'local/tts',
] as const;

export type PolicyRefusal = (typeof POLICY_REFUSALS)[number];
export type AcceptedAs = (typeof ACCEPT_OUTCOMES)[number];
export type ReadingName = (typeof READINGS)[number];

/** A response is due within a second; the gate and Postgres take milliseconds. */
const ACCEPT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.8, 1, 2.5] as const;
/** From immediate to the ten minutes that a call may wait by default. */
const QUEUE_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600] as const;

/** From the pause between two rounds to an outage. */
const LATENESS_BUCKETS = [0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** A person answers within a second; from eight seconds on, an agent gives up. */
const TURN_BUCKETS = [0.2, 0.3, 0.5, 0.7, 0.8, 1, 1.2, 1.5, 2, 3, 5, 8] as const;

/** The parts are shorter. */
const ANSWER_BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1, 1.5, 2, 3, 5, 8] as const;

/** From the hint to the loop that finds what Redis did not announce, and then to an outage. */
const WEBHOOK_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 15, 60, 300] as const;

/** Counted in the process where the event happens; sum over all processes. */
export const EVENT_METRICS = {
  accepting: {
    name: 'outdial_accept_duration_seconds',
    help: 'Time from a valid request for a call to its outcome, without authentication.',
    label: 'outcome',
    values: ACCEPT_OUTCOMES,
    buckets: ACCEPT_BUCKETS,
    exemplars: true,
  },
  refusals: {
    name: 'outdial_api_refusals_total',
    help: 'Requests that were rejected with this error code.',
    label: 'code',
    values: [...ERROR_CODES, ...DASHBOARD_ERROR_CODES],
  },
  spansDropped: {
    name: 'outdial_spans_dropped_total',
    help: 'Spans that the trace collector did not get: it was away or too slow.',
  },
  policyRefusals: {
    name: 'outdial_policy_refusals_total',
    help: 'Requests for calls that a calling policy refused: the callee’s hours were closed, or its number had reached a cap.',
    label: 'reason',
    values: POLICY_REFUSALS,
  },
  ended: {
    name: 'outdial_calls_ended_total',
    help: 'Calls that ended and were settled.',
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
    help: 'Time from the acceptance of a call, or the admission of a scheduled one, to its claim by a worker.',
    buckets: QUEUE_BUCKETS,
    exemplars: true,
  },
  admissions: {
    name: 'outdial_admissions_total',
    help: 'Scheduled calls whose turn it was, by what became of them. Only `admitted` and `refused` are final; `capacity` and `funds`: they wait for them; `postponed`: a calling policy makes them wait.',
    label: 'outcome',
    values: ADMISSIONS,
  },
  scheduleLateness: {
    name: 'outdial_schedule_lateness_seconds',
    help: 'Time from when a scheduled call was due until it was queued, without calls that waited for slots, funds or trunks, and without those of campaigns.',
    buckets: LATENESS_BUCKETS,
  },
  missedTurns: {
    name: 'outdial_missed_turns_total',
    help: 'Accounts with due calls that no worker would have looked at. Each is a defect, and was repaired.',
  },
  settleRetries: {
    name: 'outdial_settle_retries_total',
    help: 'Failed attempts to settle a call. Each is retried.',
  },
  renewalFailures: {
    name: 'outdial_lease_renewal_failures_total',
    help: 'Failed lease renewals. Each is retried while the lease lasts.',
  },
  leasesLost: {
    name: 'outdial_leases_lost_total',
    help: 'Calls whose worker lost its lease and hung up.',
    label: 'cause',
    values: LEASE_LOSSES,
  },
  findings: {
    name: 'outdial_reconcile_findings_total',
    help: 'Inconsistencies that the reconcile loop repaired.',
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
    help: 'Answered calls by the status of their recording at settlement.',
    label: 'status',
    values: RECORDING_OUTCOMES,
  },
  optOuts: {
    name: 'outdial_opt_outs_total',
    help: 'Callees that asked in a call for no more calls, by how they said it: `key`, or `tool` as a model understood.',
    label: 'evidence',
    values: OPT_OUTS,
  },
  uploads: {
    name: 'outdial_recording_uploads_total',
    help: 'Uploads of recordings. Failed ones are retried.',
    label: 'outcome',
    values: UPLOAD_OUTCOMES,
  },
  analyses: {
    name: 'outdial_analyses_total',
    help: 'Tries to analyze an ended call. After `retried` another one follows.',
    label: 'outcome',
    values: ANALYSIS_TRIES,
  },
  turnLatency: {
    name: 'outdial_turn_latency_seconds',
    help: 'Time from the end of the callee’s speech to the first sound of the answer, by the provider of the realtime or language model.',
    label: 'provider',
    values: PROVIDERS,
    buckets: TURN_BUCKETS,
  },
  answerDelays: {
    name: 'outdial_answer_delay_seconds',
    help: 'Parts of the time to an answer of a chain of models, by provider and component: `deepgram/stt` to the end of the turn, `openai/llm` from there to the first token, `cartesia/tts` from there to the first sound.',
    label: 'use',
    values: ANSWERING_USES,
    buckets: ANSWER_BUCKETS,
  },
  webhookAttempts: {
    name: 'outdial_webhook_attempts_total',
    help: 'Requests to receivers of webhooks. After `retry` another one follows; `gone`: the receiver answered 410.',
    label: 'outcome',
    values: WEBHOOK_ATTEMPTS,
  },
  webhookFirstAttempt: {
    name: 'outdial_webhook_first_attempt_seconds',
    help: 'Time from an event to the first request that reports it.',
    buckets: WEBHOOK_BUCKETS,
  },
  retentionDeleted: {
    name: 'outdial_retention_deleted_total',
    help: 'What was deleted because it was older than its retention.',
    label: 'kind',
    values: RETENTION_DELETED,
  },
  emailAttempts: {
    name: 'outdial_email_attempts_total',
    help: 'Attempts to send an e-mail. After `retry` another one follows; `dropped`: its link was used, replaced or withdrawn.',
    label: 'outcome',
    values: EMAIL_ATTEMPTS,
  },
  monitorSound: {
    name: 'outdial_monitor_sound_total',
    help: 'Tenths of a second of live calls that a worker sent to members who listen. `dropped`: Redis was away or slow.',
    label: 'outcome',
    values: MONITOR_SOUND,
  },
  monitorMessages: {
    name: 'outdial_monitor_messages_total',
    help: 'Messages with the sound of live calls to browsers. `dropped`: the browser read too slowly.',
    label: 'outcome',
    values: MONITOR_MESSAGES,
  },
  outages: { name: 'outdial_store_outages_total', help: 'Outages of a store.', label: 'store' },
} as const;

/** The current state of one process. */
export const PROCESS_GAUGES = {
  storeAway: { name: 'outdial_store_away', help: '1 while the store is unavailable to this process.', label: 'store' },
  liveCalls: { name: 'outdial_worker_live_calls', help: 'Calls that this worker has claimed and not yet settled.' },
  monitors: { name: 'outdial_monitors', help: 'Members who listen to a live call over this process.' },
  liveCallsLimit: {
    name: 'outdial_worker_live_calls_limit',
    help: 'Maximum number of calls that this worker drives at once.',
  },
  certificateExpiresAt: {
    name: 'outdial_sip_certificate_expires_at_seconds',
    help: 'Expiry of the TLS certificate of this worker, in seconds since 1970. Absent without a certificate.',
  },
} as const;

/** The whole system as each worker sees it, and in part the API: aggregate with max, not with sum. */
export const SYSTEM_GAUGES = {
  readable: {
    name: 'outdial_reading_success',
    help: '1 if the last reading succeeded. The metrics of a failed reading are absent.',
    label: 'reading',
  },
  queueJobs: {
    name: 'outdial_queue_jobs',
    help: 'Jobs of calls in Redis. `waiting`: for a worker; `delayed`: for a trunk’s pace or the end of a pause, where no further worker helps; `active`: a worker has them.',
    label: 'state',
    values: JOB_STATES,
  },
  workerDemand: {
    name: 'outdial_worker_demand_calls',
    help: 'Calls that need a worker: those that workers drive, by their reports of the last minute, and those that wait for one. What to scale workers on.',
  },
  openCalls: { name: 'outdial_open_calls', help: 'Calls that have not ended, in Postgres.', label: 'status' },
  oldestQueued: {
    name: 'outdial_oldest_queued_call_seconds',
    help: 'Age of the oldest queued call; 0 if none is queued.',
  },
  scheduledCalls: {
    name: 'outdial_scheduled_calls',
    help: 'Scheduled calls, by what they wait for. `window`: the callee’s calling hours; `cap`: that the number may be called again; `campaign`: that their campaign goes on; `pace`: its pace; `provider`: a free line of the model’s provider; `nothing`: they are due.',
    label: 'waiting_for',
  },
  oldestDueScheduled: {
    name: 'outdial_oldest_due_scheduled_call_seconds',
    help: 'How late the longest due scheduled call is, of accounts whose calls wait for neither a slot nor funds, without those of campaigns; 0 if none is due.',
  },
  campaigns: {
    name: 'outdial_campaigns',
    help: 'Campaigns that have started and are not over.',
    label: 'state',
  },
  stockCalls: {
    name: 'outdial_stock_calls',
    help: 'Scheduled calls of campaigns: next contacts, and retries.',
  },
  orphanedCalls: { name: 'outdial_orphaned_calls', help: 'Open calls whose lease has expired: their worker is gone.' },
  oldestAnalysis: {
    name: 'outdial_oldest_pending_analysis_seconds',
    help: 'Time since the end of the first call that waits for its analysis; 0 if none waits.',
  },
  diallingPaused: { name: 'outdial_dialling_paused', help: '1 while an operator has paused dialing; calls wait.' },
  retentionLag: {
    name: 'outdial_retention_lag_seconds',
    help: 'Time since a worker last deleted all that is older than its retention. A round begins every hour.',
  },
  slotsInUse: { name: 'outdial_slots_in_use', help: 'Slots in use in the admission gate in Redis.' },
  slotsLimit: { name: 'outdial_slots_limit', help: 'Configured maximum number of open calls.' },
  fundsHeld: {
    name: 'outdial_funds_held_currency_units',
    help: 'Money held for open calls, in Postgres.',
    label: 'currency',
  },
  fundsLimit: {
    name: 'outdial_funds_limit_currency_units',
    help: 'Balances of the accounts with open calls.',
    label: 'currency',
  },
  gateOpen: { name: 'outdial_gate_open', help: '1 while the admission gate is open; 0: no call is accepted.' },
  gateDrift: {
    name: 'outdial_gate_drift',
    help: 'Differences between the gate in Redis and the open calls in Postgres that two consecutive comparisons found. One worker compares, at least every 30 seconds; the others have no value.',
    label: 'kind',
    values: DRIFT_KINDS,
  },
  breakersOpen: {
    name: 'outdial_breakers_open',
    help: 'Models at credentials of the operator that take no calls, since they failed for several accounts; by provider and component, as in openai/llm.',
    label: 'use',
  },
  webhooksPending: {
    name: 'outdial_webhook_pending',
    help: 'Webhooks that wait for their next request, at most 100,000.',
  },
  webhooksOldestDue: {
    name: 'outdial_webhook_oldest_due_seconds',
    help: 'How late the oldest due webhook is, of receivers that answer. 0 if none is due.',
  },
  webhookEndpointsDisabled: {
    name: 'outdial_webhook_endpoints_disabled',
    help: 'Webhook endpoints that were disabled because their receivers failed or are gone.',
  },
  emailsPending: {
    name: 'outdial_email_pending',
    help: 'E-mails that wait for the mail server, at most 10,000.',
  },
  emailsOldestDue: {
    name: 'outdial_email_oldest_due_seconds',
    help: 'How late the oldest due e-mail is. 0 if none is due.',
  },
  trunkUp: { name: 'outdial_trunk_up', help: '1 while this worker places calls over the trunk.', label: 'trunk' },
  trunkChannels: {
    name: 'outdial_trunk_channels',
    help: 'Maximum number of concurrent calls on the trunk.',
    label: 'trunk',
  },
  trunkChannelsInUse: { name: 'outdial_trunk_channels_in_use', help: 'Open calls on the trunk.', label: 'trunk' },
} as const;
