import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { campaignIdSchema, e164Schema, type AccountId, type CampaignId } from '@outdial/contracts';
import { createDatabase, openOwnAccount, type Database } from '@outdial/persistence';
import { campaignSettings, seedAccount } from '@outdial/persistence/seeding';
import { DatabaseError, Pool, type PoolClient, type QueryResultRow } from 'pg';
import type { Drill } from './drill.ts';

const CALLER = e164Schema.parse('+12025550100');
const PLAN = { agentVersion: 1, callerNumber: CALLER, maxDurationSeconds: 600, ringTimeoutSeconds: 30 };
const BOUNDS = { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 };
const CONTACTS = ['+12025550101', '+12025550102', '+12025550103'].map((number) => {
  return { number: e164Schema.parse(number), variables: {}, metadata: {}, timeZone: null };
});
const POLL_MS = 2;
const TRIES = 20;
/** The second statement waited longer than it may. */
const LOCK_NOT_AVAILABLE = '55P03';

interface Stage {
  readonly pool: Pool;
  readonly accountId: AccountId;
  readonly campaignId: CampaignId;
}

/** Of two stocks at once the second one begins while the first one is not committed. */
const stockedOnce: Drill = (databaseUrl) =>
  withCampaign(databaseUrl, async (stage) => {
    const { pool, accountId, campaignId } = stage;
    await pool.query(
      `UPDATE dial_turns SET epoch = 1, held_until = clock_timestamp() + interval '1 minute' WHERE account_id = $1`,
      [accountId],
    );
    const stock = 'SELECT stock_campaign($1, 1, $2, 10) AS stocked';
    const once: Statement = [stock, [accountId, campaignId]];
    if (!(await overlapping(pool, once, once))) return null;
    const { rows } = await pool.query<{ passed: number }>('SELECT passed FROM campaign_lanes WHERE campaign_id = $1', [
      campaignId,
    ]);
    const passed = rows[0]?.passed ?? 0;
    return passed === CONTACTS.length ? [] : [`the cursor passed ${passed} of ${CONTACTS.length} contacts`];
  });

/** A campaign whose contacts are all called gets another one, while a sweep judges whether it is over. */
const completedAnew: Drill = (databaseUrl) =>
  withCampaign(databaseUrl, async ({ pool, accountId, campaignId }) => {
    await pool.query('UPDATE campaign_lanes SET cursor_upload = 1, cursor_line = 3 WHERE campaign_id = $1', [
      campaignId,
    ]);
    const contact = JSON.stringify([{ line: 1, number: '12025550104', variables: {}, metadata: {} }]);
    const isMet = await overlapping(
      pool,
      [`SELECT add_campaign_contacts($1, $2, 'drill', $3, 100)`, [accountId, campaignId, contact]],
      ['SELECT state FROM move_campaigns(10)', []],
      // The sweep has its snapshot by the time it comes to this table.
      'LOCK TABLE campaign_uploads IN ACCESS EXCLUSIVE MODE',
    );
    if (!isMet) return null;
    const { rows } = await pool.query<{ state: string }>('SELECT state FROM campaigns WHERE id = $1', [campaignId]);
    return rows[0]?.state === 'running' ? [] : [`it is ${rows[0]?.state}, and has a contact that was not called`];
  });

type Statement = readonly [text: string, values: readonly unknown[]];

/**
 * Commits the first statement once the second one waits for it.
 *
 * @returns false if the second one waited longer than it may
 */
async function overlapping(pool: Pool, first: Statement, second: Statement, lock = 'SELECT 1'): Promise<boolean> {
  const [one, other] = [await pool.connect(), await pool.connect()];
  try {
    await one.query('BEGIN');
    await one.query(lock);
    await run(one, first);
    const running = run(other, second).catch((error: unknown) => error);
    await untilWaiting(pool, running);
    await one.query('COMMIT');
    const answer = await running;
    if (answer instanceof DatabaseError && answer.code === LOCK_NOT_AVAILABLE) return false;
    if (answer instanceof Error) throw answer;
    return true;
  } finally {
    one.release();
    other.release();
  }
}

function run(client: PoolClient, [text, values]: Statement): Promise<{ readonly rows: readonly QueryResultRow[] }> {
  return client.query(text, [...values]);
}

async function untilWaiting(pool: Pool, running: Promise<unknown>): Promise<void> {
  const over = running.then(() => true);
  for (;;) {
    const { rows } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows.length > 0 || (await Promise.race([over, sleep(POLL_MS).then(() => false)]))) return;
  }
}

/** On one campaign after the other, until what was to overlap has. */
async function withCampaign(
  databaseUrl: string,
  judge: (stage: Stage) => Promise<readonly string[] | null>,
): Promise<readonly string[]> {
  const pool = new Pool({ connectionString: databaseUrl, max: 3 });
  // The database is dropped afterwards, while connections may still be closing.
  pool.on('error', () => undefined);
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1 });
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const violated = await judge({ pool, ...(await startCampaign(database)) });
      if (violated !== null) return violated;
    }
    throw new Error('this machine is too slow for the drill');
  } finally {
    await Promise.all([pool.end(), database.close()]);
  }
}

async function startCampaign(database: Database): Promise<Omit<Stage, 'pool'>> {
  const { id: accountId, agentId } = await seedAccount(database, {});
  const { campaigns } = openOwnAccount(database, { accountId, actor: 'drill', bounds: BOUNDS });
  const campaignId = campaignIdSchema.parse(randomUUID());
  await campaigns.create(campaignId, campaignSettings(agentId));
  await campaigns.addContacts(campaignId, CONTACTS);
  await campaigns.changeState(campaignId, { kind: 'start', plan: PLAN });
  return { accountId, campaignId };
}

export const CAMPAIGN_DRILLS = { campaign_stocked_once: stockedOnce, campaign_completed_anew: completedAnew } as const;
