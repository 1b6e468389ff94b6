import type { CallId, CallStatus, Driver } from '@outdial/contracts';
import type { Client } from 'pg';

/** Amounts and versions as JSON numbers: in a model's world they are small. */
export interface CallView {
  readonly id: CallId;
  readonly account: string;
  readonly status: CallStatus;
  readonly reservation: string;
  readonly hold: number;
  readonly cost: number;
  readonly epoch: number;
  readonly worker: string | null;
  readonly reason: string | null;
  readonly claimedMs: number | null;
  readonly expiresMs: number;
  readonly leaseEndsMs: number | null;
  readonly charges: number;
  /** Null for a scripted call. */
  readonly driver: Driver | null;
  /** Null until it is claimed with lines. */
  readonly lines: readonly string[] | null;
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
  readonly accounts: readonly AccountView[];
  readonly used: readonly string[];
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
        'hold', c.hold_micros, 'cost', c.cost_micros, 'epoch', c.epoch, 'worker', c.worker_id,
        'reason', c.ended_reason, 'claimedMs', epoch_ms(c.started_at), 'expiresMs', epoch_ms(c.expires_at),
        'leaseEndsMs', epoch_ms(c.lease_expires_at), 'driver', m.driver, 'lines', m.lines,
        'charges', (SELECT count(*) FROM ledger_entries l WHERE l.call_id = c.id)) ORDER BY c.id), '[]')
        FROM calls c LEFT JOIN model_calls m ON m.call_id = c.id),
      'accounts', (SELECT json_agg(json_build_object(
        'id', a.id, 'capacity', a.capacity, 'balance', w.balance_micros, 'version', w.version,
        'ledger', (SELECT sum(l.amount_micros) FROM ledger_entries l WHERE l.account_id = a.id)) ORDER BY a.id)
        FROM accounts a JOIN wallets w ON w.account_id = a.id),
      'used', (SELECT COALESCE(json_agg(r.id), '[]') FROM reservations r WHERE r.state = 'used')
    ) AS view`,
};

/** Read without the product's own code. */
export async function viewPostgres(client: Client): Promise<PostgresView> {
  const { rows } = await client.query<{ view: PostgresView }>(STATEMENT);
  const view = rows[0]?.view;
  if (!view) throw new Error('the view has one row');
  return view;
}
