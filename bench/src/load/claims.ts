import { callIdSchema, type CallId } from '@outdial/contracts';
import { createDatabase, createDriveStore } from '@outdial/persistence';
import type { BenchAccount } from '../seed.ts';
import { query } from '../stage.ts';

const SAMPLES = 200;
const WARM_UP_SAMPLES = 20;
/** Of one statement: a busy worker claims as many at once. */
export const CALLS_OF_A_CLAIM = 32;

export interface Callee {
  readonly number: string;
  readonly zones?: readonly string[];
  readonly regions?: readonly string[];
}

/** Claims 32 calls at a time in each of two databases, which take turns. @returns how long each took, in milliseconds */
export async function claimInTurns(
  databaseUrls: readonly [string, string],
  { account, callee }: { readonly account: BenchAccount; readonly callee: () => Callee },
): Promise<readonly [readonly number[], readonly number[]]> {
  const [first, second] = databaseUrls;
  const one = { ...openClaims(first, account, callee), samples: new Array<number>() };
  const other = { ...openClaims(second, account, callee), samples: new Array<number>() };
  try {
    for (let sample = 0; sample < WARM_UP_SAMPLES + SAMPLES; sample += 1) {
      // Who begins changes: the first may warm up what both share.
      for (const each of sample % 2 === 0 ? [one, other] : [other, one]) {
        const tookMs = await each.claim();
        if (sample >= WARM_UP_SAMPLES) each.samples.push(tookMs);
      }
    }
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
  return [one.samples, other.samples];
}

function openClaims(databaseUrl: string, account: BenchAccount, callee: () => Callee) {
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  const store = createDriveStore(database);
  const claim = (callId: CallId) => store.claim({ callId, workerId: 'bench', leaseMs: 60_000, writeAheadDial: false });
  return {
    async claim(): Promise<number> {
      const callIds = await addQueuedCalls(databaseUrl, account, callee);
      const startedMs = performance.now();
      const outcomes = await Promise.all(callIds.map(claim));
      const tookMs = performance.now() - startedMs;
      const claimed = outcomes.filter(({ kind }) => kind === 'claimed').length;
      if (claimed !== CALLS_OF_A_CLAIM) throw new Error(`${claimed} calls were claimed instead of ${CALLS_OF_A_CLAIM}`);
      return tookMs;
    },
    close: () => database.close(),
  };
}

async function addQueuedCalls(
  databaseUrl: string,
  { accountId, agentId }: BenchAccount,
  callee: () => Callee,
): Promise<readonly CallId[]> {
  const callees = JSON.stringify(Array.from({ length: CALLS_OF_A_CLAIM }, callee));
  const rows = await query<{ id: string }>(
    databaseUrl,
    `INSERT INTO calls (
       id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
       connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
       hold_micros, max_duration_seconds, ring_timeout_seconds, request_id, created_at, expires_at, callee_zones, callee_regions)
     SELECT gen_random_uuid(), $1, $2, 1, '+12025550199', c.number, 'queued', 'USD', '1', 0, 12000, 60, 60, gen_random_uuid(),
       24000, 1800, 30, 'bench', now(), now() + interval '10 minutes', c.zones, c.regions
     FROM jsonb_to_recordset($3::jsonb) AS c(number text, zones text[], regions text[])
     RETURNING id`,
    [accountId, agentId, callees],
  );
  return rows.map(({ id }) => callIdSchema.parse(id));
}
