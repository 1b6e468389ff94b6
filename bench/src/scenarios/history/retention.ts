import { median, type Figure } from '../../report.ts';
import { query, type StageStores } from '../../stage.ts';
import { SIMULATED_CALLS, startWorker } from '../../worker.ts';
import { latency, PROBES } from './probes.ts';
import type { HistoryApi } from './site.ts';

const ROUNDS = 5;
/** The stored calls go back 23 days: a few hundred thousand are older. */
const KEPT_DAYS = 8;
const PROBED = PROBES.filter(({ name }) => ['create', 'read', 'list: no filter', 'list: to_number'].includes(name));

/**
 * How much slower requests are while a worker deletes old calls of their account, and how fast it deletes. Rounds without and
 * with deletion alternate. A worker starts for each, and dials what the requests create.
 */
export async function measureRetention({ sites, stores }: HistoryApi): Promise<readonly Figure[]> {
  const samples = new Map(PROBED.map((probe) => [probe, { deleting: [] as number[], idle: [] as number[] }]));
  const speeds: number[] = [];
  const measure = async (which: 'deleting' | 'idle') => {
    await keepCallsFor(stores, which === 'deleting' ? KEPT_DAYS : null);
    const worker = await startWorker(stores, SIMULATED_CALLS);
    const before = await oldCalls(stores);
    const beganMs = performance.now();
    try {
      for (const [probe, times] of samples) times[which].push(await latency(probe, sites.large));
    } finally {
      await worker.stop();
    }
    const tookSeconds = (performance.now() - beganMs) / 1_000;
    if (which === 'deleting') speeds.push((before - (await oldCalls(stores))) / tookSeconds);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await measure('idle');
    await measure('deleting');
  }
  return [...[...samples].map(([{ name }, times]) => compared(name, times)), deletedPerSecond(speeds)];
}

/** @param days null: for ever. A worker reads it when it starts, and each hour. */
async function keepCallsFor({ databaseUrl }: StageStores, days: number | null): Promise<void> {
  await query(databaseUrl, `DELETE FROM retention_settings WHERE kind = 'calls'`);
  if (days === null) return;
  await query(
    databaseUrl,
    `INSERT INTO retention_settings (kind, days, changed_at, changed_by) VALUES ('calls', $1, now(), 'bench')`,
    [days],
  );
}

async function oldCalls({ databaseUrl }: StageStores): Promise<number> {
  const [row] = await query<{ calls: number }>(
    databaseUrl,
    'SELECT count(*)::int AS calls FROM calls WHERE created_at < now() - make_interval(days => $1)',
    [KEPT_DAYS],
  );
  return row?.calls ?? 0;
}

function compared(
  name: string,
  { deleting, idle }: { readonly deleting: readonly number[]; readonly idle: readonly number[] },
): Figure {
  return {
    name: `${name}: while old calls of a million are deleted against not`,
    value: median(deleting.map((ms, round) => ms / (idle[round] ?? NaN))),
    unit: '×',
    goal: { atMost: 1.2 },
    absolute: { 'deleting ms': median(deleting), 'idle ms': median(idle) },
  };
}

function deletedPerSecond(speeds: readonly number[]): Figure {
  return {
    name: 'old calls deleted while requests come',
    value: median(speeds),
    unit: 'per second',
    goal: { atLeast: 200 },
    absolute: { least: Math.min(...speeds), most: Math.max(...speeds) },
  };
}
