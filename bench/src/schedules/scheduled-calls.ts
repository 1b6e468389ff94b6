import { accountSeed, type SeededAccount } from '@outdial/persistence/seeding';
import { BALANCE_MICROS } from '../seed.ts';
import { query } from '../stage.ts';

export async function addAccounts(
  databaseUrl: string,
  { count, capacity }: { readonly count: number; readonly capacity: number },
): Promise<readonly SeededAccount[]> {
  const accounts: SeededAccount[] = [];
  for (let index = 0; index < count; index += 1) {
    // Their balances together must fit into the same number.
    const balanceMicros = BALANCE_MICROS / 1_000n;
    const { account, plantIn } = accountSeed({ name: `Scheduler ${index}`, capacity, balanceMicros, rate: null });
    await plantIn((text, values) => query(databaseUrl, text, values));
    accounts.push(account);
  }
  return accounts;
}

export interface SchedulePlan {
  /** Of each account. */
  readonly count: number;
  readonly firstDueAt: Date;
  /** Between the calls of an account. The accounts take turns within it. */
  readonly everyMs: number;
}

/** Scheduled calls as the API stores them, without the first event of their timelines. */
export async function addScheduledCalls(
  databaseUrl: string,
  accounts: readonly SeededAccount[],
  { count, firstDueAt, everyMs }: SchedulePlan,
): Promise<void> {
  await query(
    databaseUrl,
    `WITH planned AS MATERIALIZED (
       SELECT gen_random_uuid() AS id, a.account_id, a.agent_id, a.number,
         $5::timestamptz + (i + (a.place - 1)::float8 / cardinality($1::uuid[])) * $6::float8 * interval '1 ms' AS due_at
       FROM unnest($1::uuid[], $2::uuid[], $3::text[]) WITH ORDINALITY AS a(account_id, agent_id, number, place),
         generate_series(0, $4::int - 1) AS i
     ), stored AS (
       INSERT INTO calls (
         id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
         connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, hold_micros,
         max_duration_seconds, ring_timeout_seconds, request_id, created_at, expires_at)
       SELECT id, account_id, agent_id, 1, number, '+12025550105', 'scheduled', 'USD', '1', 0, 12000, 60, 60, 0, 1800, 30,
         'bench', now(), due_at + interval '1 day' FROM planned
     ), lanes AS (
       INSERT INTO call_schedules (
         call_id, account_id, scheduled_for, give_up_at, due_at, is_waiting, waiting_for, queue_ttl_seconds)
       SELECT id, account_id, due_at, due_at + interval '1 day', due_at, true, 'time', 600 FROM planned
     )
     INSERT INTO dial_turns AS t (account_id, due_at, new_due, held_until)
     SELECT account_id, min(due_at), min(due_at), '-infinity' FROM planned GROUP BY account_id
     ON CONFLICT (account_id) DO UPDATE
       SET due_at = LEAST(t.due_at, excluded.due_at), new_due = LEAST(t.new_due, excluded.due_at)`,
    [
      accounts.map(({ id }) => id),
      accounts.map(({ agentId }) => agentId),
      accounts.map(({ fromNumber }) => fromNumber),
      count,
      firstDueAt,
      everyMs,
    ],
  );
  await query(databaseUrl, 'VACUUM (ANALYZE) calls, call_schedules, dial_turns');
}
