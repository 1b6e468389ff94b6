import { createDatabase, createDriveStore } from '@outdial/persistence';
import { callIdSchema, type CallId } from '@outdial/contracts';
import { median, type Figure } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';
import { query } from '../../stage.ts';
import { freeNumber, type Lists } from '../../suppressions/entries.ts';

const SAMPLES = 200;
const WARM_UP_SAMPLES = 20;
/** Of one statement: a busy worker claims as many at once. */
const CALLS = 32;

/** What a claim takes with so many numbers on the lists, against none. The databases take turns. */
export async function measureClaims(lists: Lists, account: BenchAccount): Promise<Figure> {
  const names = ['none', 'many'] as const;
  const opened = {
    none: openList(lists.none.databaseUrl, account, lists.entries),
    many: openList(lists.many.databaseUrl, account, lists.entries),
  };
  const samples: Record<(typeof names)[number], number[]> = { none: [], many: [] };
  try {
    for (let sample = 0; sample < WARM_UP_SAMPLES + SAMPLES; sample += 1) {
      // Who begins changes: the first may warm up what both share.
      for (const name of sample % 2 === 0 ? names : names.toReversed()) {
        const tookMs = await opened[name].claim();
        if (sample >= WARM_UP_SAMPLES) samples[name].push(tookMs);
      }
    }
  } finally {
    await Promise.all(names.map((name) => opened[name].close()));
  }
  return {
    name: `a claim of ${CALLS} calls with 10 million suppressions against none`,
    value: median(samples.many.map((tookMs, sample) => tookMs / (samples.none[sample] ?? NaN))),
    unit: '×',
    goal: { atMost: 1.1 },
    absolute: { '10M ms': median(samples.many), 'none ms': median(samples.none) },
  };
}

function openList(databaseUrl: string, account: BenchAccount, entries: number) {
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  const store = createDriveStore(database);
  const claim = (callId: CallId) => store.claim({ callId, workerId: 'bench', leaseMs: 60_000, writeAheadDial: false });
  return {
    async claim(): Promise<number> {
      const callIds = await addQueuedCalls(databaseUrl, account, entries);
      const startedMs = performance.now();
      const outcomes = await Promise.all(callIds.map(claim));
      const tookMs = performance.now() - startedMs;
      const claimed = outcomes.filter(({ kind }) => kind === 'claimed').length;
      if (claimed !== CALLS) throw new Error(`${claimed} calls were claimed instead of ${CALLS}`);
      return tookMs;
    },
    close: () => database.close(),
  };
}

async function addQueuedCalls(
  databaseUrl: string,
  { accountId, agentId }: BenchAccount,
  entries: number,
): Promise<readonly CallId[]> {
  const numbers = Array.from({ length: CALLS }, () => freeNumber(entries));
  const rows = await query<{ id: string }>(
    databaseUrl,
    `INSERT INTO calls (
       id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
       connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
       hold_micros, max_duration_seconds, ring_timeout_seconds, request_id, created_at, expires_at)
     SELECT gen_random_uuid(), $1, $2, 1, '+12025550199', number, 'queued', 'USD', '1', 0, 12000, 60, 60, gen_random_uuid(),
       24000, 1800, 30, 'bench', now(), now() + interval '10 minutes' FROM unnest($3::text[]) AS number
     RETURNING id`,
    [accountId, agentId, numbers],
  );
  return rows.map(({ id }) => callIdSchema.parse(id));
}
