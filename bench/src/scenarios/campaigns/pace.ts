import { setTimeout as sleep } from 'node:timers/promises';
import { privateRedis } from '@outdial/testkit';
import { addCampaign, admittedAtMs, makeDue } from '../../campaigns/sql-campaigns.ts';
import { startCampaignWorker } from '../../campaigns/workers.ts';
import type { Figure } from '../../report.ts';
import { addAccounts } from '../../schedules/scheduled-calls.ts';
import { copyOfSubject, type Stage } from '../../stage.ts';

const PER_SECOND = 7;
const SECONDS = 60;
/** The first second may have a burst of as many again. */
const BURST_MS = 1_000;

/** A campaign with a pace and free slots, for a minute. A call counts when it is queued. */
export async function measurePace(stage: Stage, say: (text: string) => void): Promise<Figure[]> {
  const redis = await privateRedis();
  const databaseUrl = await copyOfSubject(stage, 'bench_campaigns_pace');
  const worker = await startCampaignWorker({ redisUrl: redis.url, databaseUrl }, { speed: 1_000, concurrency: 50 });
  try {
    const [account] = await addAccounts(databaseUrl, { count: 1, capacity: 1_000 });
    if (!account) throw new Error('there is an account');
    const campaignId = await addCampaign(databaseUrl, account, { contacts: 1_000, callsPerSecond: PER_SECOND });
    await makeDue(databaseUrl, campaignId);
    await sleep((SECONDS + 2) * 1_000);
    const times = (await admittedAtMs(databaseUrl, campaignId)).filter((ms) => ms < SECONDS * 1_000);
    const most = mostBeyondPace(times);
    const mean = times.filter((ms) => ms >= BURST_MS).length / (SECONDS - BURST_MS / 1_000);
    const seconds = Array.from(
      { length: SECONDS },
      (_, at) => times.filter((ms) => Math.floor(ms / 1_000) === at).length,
    );
    say(`calls queued in each second: ${seconds.join(' ')}`);
    return [
      {
        name: `calls of a pace of ${PER_SECOND}/s beyond it and one burst, over any time of a minute`,
        value: most,
        unit: 'calls',
        goal: { atMost: 0 },
        absolute: { 'most in a second after the burst': Math.max(...seconds.slice(1)) },
      },
      {
        name: 'the same: mean of that minute after the burst',
        value: mean,
        unit: 'calls/s',
        goal: { atLeast: 6.9 },
        absolute: { 'calls in all': times.length },
      },
    ];
  } finally {
    await worker.stop();
    await redis.close();
  }
}

/** Between any two calls there may be a burst, and what the pace gives in their time. */
function mostBeyondPace(times: readonly number[]): number {
  let most = 0;
  for (const [from, beganMs] of times.entries()) {
    for (const [to, endedMs] of times.entries()) {
      if (to < from) continue;
      const allowed = PER_SECOND + Math.ceil((PER_SECOND * (endedMs - beganMs)) / 1_000);
      most = Math.max(most, to - from + 1 - allowed);
    }
  }
  return most;
}
