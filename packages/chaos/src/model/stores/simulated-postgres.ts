import type { AccountId, CallId, CallingPolicySettings, Driver, E164 } from '@outdial/contracts';
import { Client } from 'pg';
import type { WorldClock } from '../world/clock.ts';
import { TablesToEmpty } from './tables-to-empty.ts';

/**
 * Functions that shadow those of the same name in `pg_catalog`, so that the product's statements run unchanged with
 * the world's clock and the world's server identity.
 */
const SCHEMA = `
  CREATE SCHEMA simulated;
  CREATE TABLE simulated.host (now timestamptz NOT NULL, started_at timestamptz NOT NULL, timeline int NOT NULL);
  INSERT INTO simulated.host VALUES (now(), now(), 1);
  CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$ SELECT now FROM simulated.host $$;
  CREATE FUNCTION simulated.pg_postmaster_start_time() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$ SELECT started_at FROM simulated.host $$;
  CREATE FUNCTION simulated.pg_walfile_name(at pg_lsn) RETURNS text LANGUAGE sql STABLE
    AS $$ SELECT lpad(timeline::text, 8, '0') || repeat('0', 16) FROM simulated.host $$;
  CREATE TABLE simulated.drivers (remainder int PRIMARY KEY, driver text);
  CREATE FUNCTION simulated.add_model_call() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO public.model_calls (call_id, driver)
    SELECT NEW.id, d.driver FROM simulated.drivers d WHERE d.driver IS NOT NULL AND d.remainder
      = ('x' || right(NEW.id::text, 6))::bit(24)::int / 2 % NULLIF((SELECT count(*) FROM simulated.drivers), 0)
    -- Acceptance has added the row of a call whose agent is conducted.
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER add_model_call AFTER INSERT OR UPDATE OF status ON public.calls FOR EACH ROW
    WHEN (NEW.status = 'queued') EXECUTE FUNCTION simulated.add_model_call();
`;

const SEARCH_PATH = 'simulated, pg_catalog, public';

/** Tables that a failover may revert, ordered so that each refers only to earlier ones. */
const LIVE_TABLES = [
  'wallets',
  'reservations',
  'campaigns',
  'campaign_lanes',
  'campaign_uploads',
  'campaign_contacts',
  'campaign_counts',
  'dial_turns',
  'calls',
  'call_schedules',
  'model_calls',
  'call_events',
  'call_attempts',
  'transfer_legs',
  'ledger_entries',
  'gate',
  'suppressions',
];
const OTHER_TABLES = ['accounts', 'calling_policies', 'dial_counts', 'agents', 'agent_versions', 'audit_entries'];

/** The world's only Postgres: a real one, whose time and restarts the schedule controls. */
export class SimulatedPostgres {
  readonly client: Client;
  readonly #clock: WorldClock;
  readonly #tables: TablesToEmpty;
  #toldMs = 0;
  /** Since when no dial may begin. */
  pausedAtMs = Infinity;

  constructor(url: string, clock: WorldClock) {
    this.client = new Client({ connectionString: url });
    this.#clock = clock;
    this.#tables = new TablesToEmpty(this.client);
  }

  /** Call it before the product connects: a connection's search path is fixed when it opens. */
  async open(): Promise<void> {
    await this.client.connect();
    const { rows } = await this.client.query<{ name: string; installed: boolean }>(
      `SELECT current_database() AS name, to_regnamespace('simulated') IS NOT NULL AS installed`,
    );
    if (rows[0]?.installed !== true) {
      await this.client.query(SCHEMA);
      for (const table of LIVE_TABLES) {
        await this.client.query(`CREATE TABLE simulated.saved_${table} AS TABLE ${table} WITH NO DATA`);
      }
      const database = `ALTER DATABASE "${rows[0]?.name}"`;
      // A plan for the parameters would depend on how often the statement has run before.
      await this.client.query(`${database} SET plan_cache_mode = force_generic_plan`);
      await this.client.query(`${database} SET search_path = ${SEARCH_PATH}`);
    }
    await this.client.query(`SET search_path = ${SEARCH_PATH}`);
    await this.#tables.open([...OTHER_TABLES, ...LIVE_TABLES]);
  }

  /** Resets the database to its state after the migrations. */
  async reset(): Promise<void> {
    this.#toldMs = 0;
    this.pausedAtMs = Infinity;
    await this.#tables.empty();
    await this.client.query(`
      INSERT INTO gate DEFAULT VALUES;
      UPDATE system_settings SET capacity_version = 1, dialling_paused = false, default_policy = NULL, policy_floor = NULL;
      UPDATE simulated.host SET timeline = 1, started_at = to_timestamp(${this.#clock.nowMs / 1_000} - 86400)`);
  }

  /** Of an account's slots, how many campaigns may use. */
  async setCampaignPercent(account: AccountId, percent: number): Promise<void> {
    await this.client.query('UPDATE accounts SET campaign_percent = $2 WHERE id = $1', [account, percent]);
  }

  /** Calls are of these kinds, in turn: see `kindOf`. */
  async setKinds(drivers: readonly (Driver | null)[]): Promise<void> {
    await this.client.query('DELETE FROM simulated.drivers');
    for (const [remainder, driver] of drivers.entries())
      await this.client.query('INSERT INTO simulated.drivers VALUES ($1, $2)', [remainder, driver]);
  }

  /** Call it before each statement: the server's clock is the world's. */
  async tellTime(): Promise<void> {
    const { nowMs } = this.#clock;
    if (nowMs === this.#toldMs) return;
    this.#toldMs = nowMs;
    await this.client.query(`UPDATE simulated.host SET now = to_timestamp(${nowMs / 1_000}::double precision)`);
  }

  /** An operator pauses or resumes dialing. */
  async pauseDialling(paused: boolean): Promise<void> {
    this.pausedAtMs = paused ? Math.min(this.pausedAtMs, this.#clock.nowMs) : Infinity;
    await this.client.query(`
      UPDATE system_settings SET dialling_paused = ${paused}, dialling_changed_at = now(), dialling_changed_by = 'model'`);
  }

  /** A customer puts the number on the account's list, or an operator on the platform's. */
  async suppress({ callee, account }: { readonly callee: E164; readonly account: AccountId | null }): Promise<void> {
    await this.tellTime();
    await this.client.query(
      `INSERT INTO suppressions (account_id, number, kind, source, created_by, created_at)
       VALUES ($1, substr($2, 2)::bigint, 'manual', 'api', 'model', clock_timestamp()) ON CONFLICT DO NOTHING`,
      [account, callee],
    );
  }

  /** One of the entries in force is removed, an opt-out too. */
  async unsuppress(pick: number): Promise<void> {
    await this.tellTime();
    await this.client.query(
      `UPDATE suppressions SET removed_at = clock_timestamp(), removed_by = 'model', removal_reason = 'a change of mind'
       WHERE id = (SELECT id FROM suppressions WHERE removed_at IS NULL ORDER BY number, account_id, kind
         OFFSET $1::int % GREATEST((SELECT count(*)::int FROM suppressions WHERE removed_at IS NULL), 1) LIMIT 1)`,
      [pick],
    );
  }

  /** A customer saves a calling policy, or an operator the floor. */
  async savePolicy(owner: AccountId | null, settings: CallingPolicySettings | null): Promise<void> {
    await this.tellTime();
    if (owner === null) {
      await this.client.query('UPDATE system_settings SET policy_floor = $1', [settings && JSON.stringify(settings)]);
      return;
    }
    await this.client.query(
      `WITH raised AS (
         UPDATE accounts SET policy_version = policy_version + 1 WHERE id = $1 RETURNING id, policy_version
       )
       INSERT INTO calling_policies (account_id, version, settings, saved_by, saved_at)
       SELECT r.id, r.policy_version, $2, 'model', clock_timestamp() FROM raised r`,
      [owner, JSON.stringify(settings)],
    );
  }

  /** One of the queued calls has no time zones, as if the previous version had accepted it. */
  async forgetZones(pick: number): Promise<CallId | null> {
    const { rows } = await this.client.query<{ id: CallId }>(
      `UPDATE calls SET callee_zones = NULL, callee_regions = NULL, callee_time_zone = NULL
       WHERE id = (SELECT id FROM calls WHERE status = 'queued' ORDER BY id
         OFFSET $1::int % GREATEST((SELECT count(*)::int FROM calls WHERE status = 'queued'), 1) LIMIT 1)
       RETURNING id`,
      [pick],
    );
    return rows[0]?.id ?? null;
  }

  /** The server restarts with all committed data. */
  async restart(): Promise<void> {
    await this.client.query(
      `UPDATE simulated.host SET started_at = to_timestamp(${this.#clock.nowMs / 1_000}::double precision)`,
    );
  }

  /** Another server takes over; with a synchronous standby it has all committed data. */
  async failOver(): Promise<void> {
    await this.restart();
    await this.client.query('UPDATE simulated.host SET timeline = timeline + 1');
  }

  /** Saves what a standby has received by now. */
  async replicate(): Promise<void> {
    for (const table of LIVE_TABLES) {
      await this.client.query(
        `DELETE FROM simulated.saved_${table}; INSERT INTO simulated.saved_${table} TABLE public.${table}`,
      );
    }
  }

  /** A standby takes over that has not received everything: commits are lost. */
  async failOverWithLoss(): Promise<void> {
    const restoring = LIVE_TABLES.map((table) => `INSERT INTO public.${table} TABLE simulated.saved_${table};`);
    await this.client.query(`${emptying(LIVE_TABLES)} ${restoring.join(' ')}`);
    await this.failOver();
  }
}

function emptying(tables: readonly string[]): string {
  return tables
    .toReversed()
    .map((table) => `DELETE FROM public.${table};`)
    .join(' ');
}
