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
 * What requests of the account whose old calls are deleted feel of it, with a worker that deletes and is stopped in
 * turns, and how fast it deletes.
 */
export async function measureRetention({ sites, stores }: HistoryApi): Promise<readonly Figure[]> {
  await query(
    stores.databaseUrl,
    `INSERT INTO retention_settings (kind, days, changed_at, changed_by) VALUES ('calls', $1, now(), 'bench')`,
    [KEPT_DAYS],
  );
  // It runs a round of retention at once, and dials what the probes create.
  const worker = await startWorker(stores, SIMULATED_CALLS);
  try {
    const samples = new Map(PROBED.map((probe) => [probe, { deleting: [] as number[], idle: [] as number[] }]));
    const speeds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await storedCalls(stores);
      const beganMs = performance.now();
      for (const [probe, { deleting }] of samples) deleting.push(await latency(probe, sites.large));
      const tookSeconds = (performance.now() - beganMs) / 1_000;
      speeds.push((before - (await storedCalls(stores))) / tookSeconds);
      process.kill(worker.pid, 'SIGSTOP');
      for (const [probe, { idle }] of samples) idle.push(await latency(probe, sites.large));
      process.kill(worker.pid, 'SIGCONT');
    }
    return [...[...samples].map(([{ name }, times]) => compared(name, times)), deletedPerSecond(speeds)];
  } finally {
    await worker.stop();
  }
}

async function storedCalls({ databaseUrl }: StageStores): Promise<number> {
  const [row] = await query<{ calls: number }>(databaseUrl, 'SELECT count(*)::int AS calls FROM calls');
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
