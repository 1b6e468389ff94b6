import { randomUUID } from 'node:crypto';
import { campaignIdSchema, type CampaignId } from '@outdial/contracts';
import type { SeededAccount } from '@outdial/persistence/seeding';
import { query } from '../stage.ts';

export interface CampaignPlan {
  readonly contacts: number;
  readonly callsPerSecond?: number;
  readonly maxConcurrent?: number;
  readonly weight?: number;
}

/** Enough for a number of each contact: calls of all campaigns may end in the same database. */
const FIRST_NUMBER = 12_020_000_000;

/** A running campaign with its contacts, as an upload leaves them. It is not due: see `makeDue`. */
export async function addCampaign(
  databaseUrl: string,
  { id: accountId, agentId, fromNumber }: Pick<SeededAccount, 'id' | 'agentId' | 'fromNumber'>,
  { contacts, callsPerSecond, maxConcurrent, weight = 10 }: CampaignPlan,
): Promise<CampaignId> {
  const id = campaignIdSchema.parse(randomUUID());
  // One statement: a worker completes a running campaign whose contacts it cannot see yet.
  await query(
    databaseUrl,
    `WITH campaign AS (
       INSERT INTO campaigns (id, account_id, name, state, agent_id, agent_version, caller_number, columns, calls_per_second,
         max_concurrent, weight, max_duration_seconds, ring_timeout_seconds, created_by, started_at, contact_count)
       VALUES ($1, $2, 'Bench', 'running', $3, 1, $4, '{}', $5, $6, $7, 600, 30, 'bench', now(), $8)
     ), lane AS (
       INSERT INTO campaign_lanes (campaign_id) VALUES ($1)
     ), upload AS (
       INSERT INTO campaign_uploads (campaign_id, number, state, rows, accepted, ended_at) VALUES ($1, 1, 'ready', $8, $8, now())
     )
     INSERT INTO campaign_contacts (campaign_id, upload, line, number, variables)
     SELECT $1, 1, i + 1, $9::bigint + i, '{"name": "Ada"}' FROM generate_series(1, $8::int) AS i`,
    [id, accountId, agentId, fromNumber, callsPerSecond ?? null, maxConcurrent ?? null, weight, contacts, FIRST_NUMBER],
  );
  await query(databaseUrl, 'VACUUM (ANALYZE) campaigns, campaign_contacts, campaign_uploads, campaign_lanes');
  return id;
}

/** Calls that busy first attempts left, due or not, as a settlement schedules them: attempt 2 of the first contacts. */
export async function addRetries(
  databaseUrl: string,
  campaignId: CampaignId,
  { count, due }: { readonly count: number; readonly due: number },
): Promise<void> {
  await query(
    databaseUrl,
    `WITH planned AS MATERIALIZED (
       SELECT gen_random_uuid() AS id, g.account_id, g.agent_id, g.caller_number, t.upload, t.line, t.number,
         now() + CASE WHEN t.line <= $3::int + 1 THEN interval '-1 hour' ELSE interval '1 hour' END AS due_at
       FROM campaigns g JOIN campaign_contacts t ON t.campaign_id = g.id WHERE g.id = $1 ORDER BY t.line LIMIT $2::int
     ), moved AS (
       UPDATE campaign_lanes SET cursor_upload = 1, cursor_line = (SELECT max(line) FROM planned), passed = $2::int WHERE campaign_id = $1
     ), stored AS (
       INSERT INTO calls (
         id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
         connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, hold_micros,
         max_duration_seconds, ring_timeout_seconds, request_id, created_at, expires_at, campaign_id)
       SELECT p.id, p.account_id, p.agent_id, 1, p.caller_number, '+' || p.number, 'scheduled', 'USD', '', 0, 0, 1, 1, 0, 600, 30,
         'bench', now(), now() + interval '1 day', $1 FROM planned p
     )
     INSERT INTO call_schedules (
       call_id, account_id, scheduled_for, give_up_at, due_at, is_waiting, queue_ttl_seconds, attempt, retry_of, retry, campaign_id, contact_upload,
       contact_line)
     SELECT p.id, p.account_id, p.due_at, now() + interval '1 day', p.due_at, true, 600, 2, gen_random_uuid(), '{}', $1, p.upload, p.line FROM planned p`,
    [campaignId, count, due],
  );
  await query(databaseUrl, 'VACUUM (ANALYZE) calls, call_schedules, campaign_lanes');
}

/** Gives its account a turn. */
export async function makeDue(databaseUrl: string, campaignId: CampaignId): Promise<void> {
  await query(databaseUrl, 'SELECT make_campaign_due($1, now())', [campaignId]);
}

/** When its calls were admitted, in milliseconds since the first of them. */
export async function admittedAtMs(databaseUrl: string, campaignId: CampaignId): Promise<readonly number[]> {
  const rows = await query<{ ms: number }>(
    databaseUrl,
    `SELECT (extract(epoch FROM queued_at - min(queued_at) OVER ()) * 1000)::float8 AS ms
     FROM calls WHERE campaign_id = $1 AND queued_at IS NOT NULL ORDER BY queued_at`,
    [campaignId],
  );
  return rows.map(({ ms }) => ms);
}
