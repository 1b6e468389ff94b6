import { randomUUID } from 'node:crypto';
import type { AccountId } from '@outdial/contracts';
import type { Database } from '../src/index.ts';
import type { Party } from './world.ts';

/**
 * Inserts thousands of ended calls, three per second into the past, spread over agents, numbers and reasons. One
 * statement, because it would take minutes through the store.
 */
export async function insertEndedCalls({ side }: Database, parties: readonly Party[], count: number): Promise<void> {
  const accounts = JSON.stringify(parties.map(({ accountId, agentId }) => ({ account: accountId, agent: agentId })));
  await side.$executeRaw`
    INSERT INTO calls (id, account_id, agent_id, agent_version, caller_number, callee_number, status, ended_reason,
      currency, rate_prefix, connection_fee_micros, price_per_minute_micros, initial_increment_seconds,
      increment_seconds, reservation_id, hold_micros, max_duration_seconds, ring_timeout_seconds, request_id,
      created_at, expires_at, started_at, ended_at, settled_at)
    SELECT gen_random_uuid(), p.account, p.agent, 1, '+12025550100', '+1202555' || lpad((n % 997)::text, 4, '0'),
      'ended', CASE n % 5 WHEN 0 THEN 'busy' WHEN 1 THEN 'no_answer' WHEN 2 THEN 'cancelled'
                          ELSE 'agent_hangup' END::ended_reason,
      'USD', '1', 0, 12000, 60, 60, gen_random_uuid(), 12000, 1800, 30, 'many', t.at, t.at + interval '10 minutes',
      t.at + interval '1 second', t.at + interval '9 seconds', t.at + interval '9 seconds'
    FROM generate_series(1, ${count}::int) AS n,
      LATERAL (SELECT date_trunc('second', now()) - (n / 3) * interval '1 second' AS at) t,
      LATERAL (SELECT (a->>'account')::uuid AS account, (a->>'agent')::uuid AS agent
               FROM (SELECT ${accounts}::jsonb -> (n % ${parties.length}::int) AS a) x) p`;
  await side.$executeRaw`ANALYZE calls`;
}

/** Inserts thousands of scheduled calls, one per second from `fromMs` after now on. */
export async function insertScheduledCalls(
  { side }: Database,
  { accountId, agentId }: Party,
  { count, fromMs }: { readonly count: number; readonly fromMs: number },
): Promise<void> {
  await side.$executeRaw`
    WITH made AS (
      INSERT INTO calls (id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
        connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, hold_micros,
        max_duration_seconds, ring_timeout_seconds, metadata, request_id, created_at, expires_at)
      SELECT gen_random_uuid(), ${accountId}::uuid, ${agentId}::uuid, 1, '+12025550100',
        '+1202556' || lpad(n::text, 4, '0'), 'scheduled', 'USD', '1', 0, 12000, 60, 60, 0, 1800, 30,
        json_build_object('customer', 'c' || n), 'many', now(),
        now() + ${fromMs}::double precision * interval '1 millisecond' + n * interval '1 second'
      FROM generate_series(1, ${count}::int) AS n
      RETURNING id, account_id, expires_at
    )
    INSERT INTO call_schedules (call_id, account_id, scheduled_for, give_up_at, due_at, is_waiting, waiting_for,
      queue_ttl_seconds)
    SELECT id, account_id, expires_at, expires_at + interval '30 days', expires_at, true, 'time', 600 FROM made`;
  await side.$executeRaw`
    INSERT INTO dial_turns (account_id, due_at, new_due, held_until)
    VALUES (${accountId}::uuid, now() - interval '1 second', 'infinity', '-infinity')
    ON CONFLICT (account_id) DO UPDATE SET due_at = excluded.due_at`;
  await side.$executeRaw`ANALYZE calls, call_schedules`;
}

/** Creates another agent of the account, and moves some of its calls to it. */
export async function moveCallsToNewAgent({ side }: Database, accountId: AccountId, every: number): Promise<string> {
  const agentId = randomUUID();
  await side.$executeRaw`INSERT INTO agents (id, account_id) VALUES (${agentId}::uuid, ${accountId}::uuid)`;
  await side.$executeRaw`
    INSERT INTO agent_versions (agent_id, version, settings) VALUES (${agentId}::uuid, 1, '{"name": "Ben"}')`;
  await side.$executeRaw`
    UPDATE calls SET agent_id = ${agentId}::uuid
    WHERE account_id = ${accountId}::uuid AND abs(hashtext(id::text)) % ${every}::int = 0`;
  return agentId;
}
