import { createCalls } from '../../load/create-calls.ts';
import { startSubprocess } from '../../processes.ts';
import { median, type Figure } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';
import { query, type Stage, type StageStores } from '../../stage.ts';
import { apiEnvironment, untilReady } from '../creates.ts';
import { endedPerSecond, QUICK_NUMBER, untilEnded, workerEnvironment } from '../ended-calls.ts';

const CALLS = 2_000;
const ROUNDS = 3;

/** One account's calls that are all due at once, through one worker that also drives them. */
export async function measureAdmissions(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const rounds: { readonly admitted: number; readonly direct: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const direct = await endedPerSecond('subject', stage, account);
    const admitted = await admittedPerSecond(stage.subject, account);
    rounds.push({ admitted, direct });
    say(`round ${round}: ${Math.round(admitted)} admitted/s, ${Math.round(direct)} calls dialed at once ended/s`);
  }
  const admitted = median(rounds.map((round) => round.admitted));
  const absolute = { 'admitted/s': admitted, 'dialed at once, ended/s': median(rounds.map((round) => round.direct)) };
  const name = `admissions/s of one account, ${CALLS} calls due at once, one worker`;
  return [
    { name, value: admitted, unit: '/s', goal: { atLeast: 200 }, absolute },
    {
      name: 'the same',
      value: median(rounds.map((round) => round.admitted / round.direct)),
      unit: '× calls dialed at once that it ends/s',
      goal: { atLeast: 0.8 },
      absolute,
    },
  ];
}

async function admittedPerSecond(stores: StageStores, account: BenchAccount): Promise<number> {
  await scheduleCalls(stores, account);
  const worker = await startSubprocess({
    entry: 'apps/worker/src/main.ts',
    env: workerEnvironment(stores, 100),
    ready: async () => {},
  });
  try {
    await untilEnded(stores, CALLS);
  } finally {
    await worker.stop();
  }
  const [row] = await query<{ admitted: number; seconds: number }>(
    stores.databaseUrl,
    `SELECT count(queued_at)::int AS admitted, extract(epoch FROM max(queued_at) - min(queued_at))::float8 AS seconds
     FROM calls`,
  );
  if (row?.admitted !== CALLS) throw new Error(`${row?.admitted ?? 0} of ${CALLS} calls were admitted`);
  return CALLS / row.seconds;
}

/** While no worker runs: they are all due once it starts. */
async function scheduleCalls(stores: StageStores, { apiKey, agentId }: BenchAccount): Promise<void> {
  await query(stores.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const port = 21_340;
  const api = await startSubprocess({
    entry: 'apps/api/src/main.ts',
    env: apiEnvironment(stores, port),
    ready: () => untilReady(port),
  });
  try {
    const baseUrl = `http://127.0.0.1:${port}`;
    const scheduledFor = new Date();
    await createCalls({ baseUrl, apiKey, agentId, toNumber: QUICK_NUMBER, count: CALLS, scheduledFor });
  } finally {
    await api.stop();
  }
}
