import { createDatabase, createScheduleStore } from '@outdial/persistence';
import { median, type Figure } from '../../report.ts';
import { addAccounts, addScheduledCalls } from '../../schedules/scheduled-calls.ts';
import { copyOfSubject, query, type Stage } from '../../stage.ts';

const SMALL = 1_000;
const LARGE = 100_000;
const SAMPLES = 100;
const WARM_UP_SAMPLES = 10;
/** What a turn takes at most. */
const TAKEN = 100;
/** Fewer than a turn counts: it must not look for more among the others. */
const FEW_DUE = 150;
const HOUR_MS = 3_600_000;

const lanes = {
  small: { calls: SMALL, due: SMALL },
  due: { calls: LARGE, due: LARGE },
  later: { calls: LARGE, due: FEW_DUE },
} as const;
type Lane = keyof typeof lanes;

/** What the statements of a turn take with so many scheduled calls of the account. The turns of the lanes alternate. */
export async function measureTurn(stage: Stage, say: (text: string) => void): Promise<Figure[]> {
  say(`making ${2 * LARGE} scheduled calls`);
  const opened = {
    small: await openLane(stage, 'small'),
    due: await openLane(stage, 'due'),
    later: await openLane(stage, 'later'),
  };
  const samples: Record<Lane, number[]> = { small: [], due: [], later: [] };
  try {
    for (let sample = 0; sample < WARM_UP_SAMPLES + SAMPLES; sample += 1) {
      for (const lane of ['small', 'due', 'later'] as const) {
        const tookMs = await opened[lane].turn();
        if (sample >= WARM_UP_SAMPLES) samples[lane].push(tookMs);
      }
    }
  } finally {
    await Promise.all(Object.values(opened).map((lane) => lane.close()));
  }
  const smallMs = median(samples.small);
  const figure = (lane: Lane, name: string): Figure => ({
    name: `the statements of a turn with 100,000 scheduled calls of the account${name} against 1,000`,
    value: median(samples[lane]) / smallMs,
    unit: '×',
    goal: { atMost: 1.2 },
    absolute: { '100k ms': median(samples[lane]), '1k ms': smallMs },
  });
  return [figure('due', ', all due,'), figure('later', `, ${FEW_DUE} due,`)];
}

async function openLane(stage: Stage, lane: Lane) {
  const { calls, due } = lanes[lane];
  const databaseUrl = await copyOfSubject(stage, `bench_schedules_turn_${lane}`);
  // The wait for the disk is the same for both, and would hide a difference.
  await query(databaseUrl, `ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET synchronous_commit = off`);
  const accounts = await addAccounts(databaseUrl, { count: 1, capacity: 10 * TAKEN });
  const plan = { firstDueAt: new Date(Date.now() - HOUR_MS), count: due, everyMs: HOUR_MS / due };
  await addScheduledCalls(databaseUrl, accounts, plan);
  const later = { firstDueAt: new Date(Date.now() + HOUR_MS), count: calls - due, everyMs: 1 };
  if (later.count > 0) await addScheduledCalls(databaseUrl, accounts, later);
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1 });
  const store = createScheduleStore(database);
  return {
    async turn(): Promise<number> {
      const startedMs = performance.now();
      const [turn] = await store.beginTurns({ workerId: 'bench', limit: 1 });
      if (!turn) throw new Error('the account is due');
      const taken = await store.takeDue({ ...turn, limit: TAKEN });
      await store.endTurn({ ...turn, notBeforeMs: 0 });
      const tookMs = performance.now() - startedMs;
      if (taken.length !== TAKEN) throw new Error(`${taken.length} calls were taken instead of ${TAKEN}`);
      await store.putBack({ calls: taken, waitingFor: null });
      return tookMs;
    },
    close: () => database.close(),
  };
}
