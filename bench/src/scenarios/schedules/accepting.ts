import { createLoad } from '../../load/http-load.ts';
import { startSubprocess } from '../../processes.ts';
import { median } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';
import { query, type Stage } from '../../stage.ts';
import { apiEnvironment, createsLoad, untilReady, WARM_UP_SECONDS } from '../creates.ts';

const ROUNDS = 3;
const HOUR_MS = 3_600_000;

/** Accepting a call for later against accepting one for now, in turns. There is no goal: it says the ratio. */
export async function measureAccepting(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<void> {
  const rounds: { readonly now: number; readonly later: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const now = await acceptedPerSecond(stage, account);
    const later = await acceptedPerSecond(stage, account, new Date(Date.now() + HOUR_MS));
    rounds.push({ now, later });
    say(`round ${round}: ${Math.round(later)} accepted/s for later, ${Math.round(now)}/s for now`);
  }
  const ratio = median(rounds.map(({ now, later }) => later / now));
  say(`accepting a call for later: ${ratio.toFixed(2)} × the rate of accepting one for now (no goal)`);
}

async function acceptedPerSecond({ subject }: Stage, account: BenchAccount, scheduledFor?: Date): Promise<number> {
  await query(subject.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const port = 21_341;
  const api = await startSubprocess({
    entry: 'apps/api/src/main.ts',
    env: apiEnvironment(subject, port),
    ready: () => untilReady(port),
  });
  try {
    const load = createsLoad({ port, ...account, ...(scheduledFor && { scheduledFor }) });
    await createLoad({ ...load, seconds: WARM_UP_SECONDS });
    const { acceptedPerSecond, refused } = await createLoad(load);
    if (refused > 0) throw new Error(`${refused} requests were rejected: the figure is invalid`);
    return acceptedPerSecond;
  } finally {
    await api.stop();
  }
}
