import type { AccountId, CallId, CallStatus, Driver } from '@outdial/contracts';
import type { Client } from 'pg';

/** Amounts and versions as JSON numbers: in a model's world they are small. */
export interface CallView {
  readonly id: CallId;
  readonly account: AccountId;
  readonly status: CallStatus;
  /** Null while it is scheduled, and for good if it was never admitted. */
  readonly reservation: string | null;
  readonly hold: number;
  readonly cost: number;
  readonly billableSeconds: number;
  readonly epoch: number;
  readonly worker: string | null;
  readonly reason: string | null;
  /** The telephone that it calls. */
  readonly callee: string;
  /** The time zone that its request named. */
  readonly zone: string | null;
  /** The idempotency key of its request. */
  readonly key: string | null;
  readonly createdMs: number;
  /** When a scheduled call was admitted. */
  readonly queuedMs: number | null;
  readonly claimedMs: number | null;
  readonly expiresMs: number;
  readonly leaseEndsMs: number | null;
  readonly endedMs: number | null;
  readonly endRequested: boolean;
  readonly charges: number;
  /** Null for a scripted call. */
  readonly driver: Driver | null;
  /** Null until it is claimed with lines. */
  readonly lines: readonly string[] | null;
  /** Null for a call that is dialed once, at once. */
  readonly schedule: ScheduleView | null;
}

/** A second leg of a call. */
export interface LegView {
  readonly id: CallId;
  readonly call: CallId;
  readonly account: AccountId;
  readonly reservation: string;
  readonly hold: number;
  readonly cost: number;
  readonly answeredMs: number | null;
  readonly endedMs: number | null;
  readonly isSettled: boolean;
}

export interface ScheduleView {
  /** Null for a call that was to be dialed at once. */
  readonly forMs: number | null;
  readonly giveUpMs: number;
  readonly dueMs: number;
  readonly isWaiting: boolean;
  readonly admitToken: string | null;
  readonly admittingUntilMs: number | null;
  readonly attempt: number;
  /** Calls to the contact before it that were returned. */
  readonly givenBack: number;
  readonly retryOf: CallId | null;
  readonly retry: RetryView | null;
  /** Of which campaign. */
  readonly campaign: string | null;
  /** Its upload and line; null: of no campaign. */
  readonly contact: string | null;
}

export interface RetryView {
  readonly max_attempts: number;
  readonly on: readonly string[];
  readonly after_seconds: readonly number[];
}

/** When an account is due to have its calls admitted. */
export interface TurnView {
  readonly account: string;
  /** Null: never. */
  readonly dueMs: number | null;
  readonly heldUntilMs: number | null;
  readonly epoch: number;
}

/** An entry of a do-not-call list; also one that was removed. */
export interface SuppressionView {
  /** Null: of the platform. */
  readonly account: string | null;
  readonly callee: string;
  readonly kind: 'opt_out' | 'manual';
  readonly createdMs: number;
  readonly removedMs: number | null;
}

/** How many dials to a number the product counts. */
export interface DialCountView {
  readonly account: string;
  readonly callee: string;
  readonly dials: number;
}

export interface AccountView {
  readonly id: string;
  readonly capacity: number;
  readonly balance: number;
  readonly version: number;
  readonly ledger: number;
}

export interface PostgresView {
  readonly generation: number;
  readonly timeline: string;
  readonly systemCapacity: number;
  readonly calls: readonly CallView[];
  readonly legs: readonly LegView[];
  readonly accounts: readonly AccountView[];
  readonly turns: readonly TurnView[];
  readonly used: readonly string[];
  readonly suppressions: readonly SuppressionView[];
  readonly dialCounts: readonly DialCountView[];
}

const STATEMENT = {
  name: 'model-view',
  text: `
    SELECT json_build_object(
      'generation', (SELECT generation FROM gate),
      'timeline', postgres_timeline(),
      'systemCapacity', (SELECT capacity FROM system_settings),
      'calls', (SELECT COALESCE(json_agg(json_build_object(
        'id', c.id, 'account', c.account_id, 'status', c.status, 'reservation', c.reservation_id,
        'hold', c.hold_micros, 'cost', c.cost_micros, 'billableSeconds', c.billable_seconds, 'epoch', c.epoch, 'worker', c.worker_id,
        'reason', c.ended_reason, 'callee', c.callee_number, 'zone', c.callee_time_zone, 'key', c.idempotency_key,
        'createdMs', epoch_ms(c.created_at), 'queuedMs', epoch_ms(c.queued_at), 'claimedMs', epoch_ms(c.started_at), 'expiresMs', epoch_ms(c.expires_at),
        'leaseEndsMs', epoch_ms(c.lease_expires_at), 'driver', m.driver, 'lines', m.lines,
        'endedMs', epoch_ms(c.ended_at), 'endRequested', c.end_requested_at IS NOT NULL,
        'schedule', CASE WHEN s.call_id IS NOT NULL THEN json_build_object(
          'forMs', epoch_ms(s.scheduled_for), 'giveUpMs', epoch_ms(s.give_up_at), 'dueMs', epoch_ms(s.due_at),
          'isWaiting', s.is_waiting, 'admitToken', s.admit_token, 'admittingUntilMs', epoch_ms(s.admitting_until),
          'attempt', s.attempt, 'givenBack', s.given_back, 'retryOf', s.retry_of, 'retry', s.retry, 'campaign', s.campaign_id,
          'contact', s.contact_upload || '.' || s.contact_line) END,
        'charges', (SELECT count(*) FROM ledger_entries l WHERE l.call_id = c.id)) ORDER BY c.id), '[]')
        FROM calls c LEFT JOIN model_calls m ON m.call_id = c.id LEFT JOIN call_schedules s ON s.call_id = c.id),
      'legs', (SELECT COALESCE(json_agg(json_build_object(
        'id', t.id, 'call', t.call_id, 'account', c.account_id, 'reservation', t.reservation_id, 'hold', t.hold_micros,
        'cost', t.cost_micros, 'answeredMs', epoch_ms(t.answered_at), 'endedMs', epoch_ms(t.ended_at),
        'isSettled', t.settled_at IS NOT NULL) ORDER BY t.id), '[]')
        FROM transfer_legs t JOIN calls c ON c.id = t.call_id),
      'turns', (SELECT COALESCE(json_agg(json_build_object(
        'account', t.account_id, 'dueMs', CASE WHEN isfinite(t.due_at) THEN epoch_ms(t.due_at) END,
        'heldUntilMs', CASE WHEN isfinite(t.held_until) THEN epoch_ms(t.held_until) END, 'epoch', t.epoch)), '[]')
        FROM dial_turns t),
      'accounts', (SELECT json_agg(json_build_object(
        'id', a.id, 'capacity', a.capacity, 'balance', w.balance_micros, 'version', w.version,
        'ledger', (SELECT sum(l.amount_micros) FROM ledger_entries l WHERE l.account_id = a.id)) ORDER BY a.id)
        FROM accounts a JOIN wallets w ON w.account_id = a.id),
      'suppressions', (SELECT COALESCE(json_agg(json_build_object(
        'account', x.account_id, 'callee', '+' || x.number, 'kind', x.kind,
        'createdMs', epoch_ms(x.created_at), 'removedMs', epoch_ms(x.removed_at))), '[]') FROM suppressions x),
      'dialCounts', (SELECT COALESCE(json_agg(json_build_object(
        'account', k.account_id, 'callee', '+' || k.number, 'dials', cardinality(k.dialed_at))), '[]') FROM dial_counts k),
      'used', (SELECT COALESCE(json_agg(r.id), '[]') FROM reservations r WHERE r.state = 'used')
    ) AS view`,
};

/** It takes a slot, and has a hold: neither scheduled nor ended. */
export function isOpen({ status, reservation }: CallView): boolean {
  return status !== 'ended' && reservation !== null;
}

/** What takes slots and holds money: open calls, and their second legs. */
export function heldOf({
  calls,
  legs,
}: PostgresView): readonly Pick<LegView, 'id' | 'account' | 'reservation' | 'hold'>[] {
  const open = calls.flatMap(({ id, account, reservation, hold, ...call }) =>
    reservation !== null && call.status !== 'ended' ? [{ id, account, reservation, hold }] : [],
  );
  return [...open, ...legs.filter(({ isSettled }) => !isSettled)];
}

/** Read without the product's own code. */
export async function viewPostgres(client: Client): Promise<PostgresView> {
  const { rows } = await client.query<{ view: PostgresView }>(STATEMENT);
  const view = rows[0]?.view;
  if (!view) throw new Error('the view has one row');
  return view;
}
