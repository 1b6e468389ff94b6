import { setTimeout as sleep } from 'node:timers/promises';
import { privateRedis } from '@outdial/testkit';
import { addCampaign, admittedAtMs, makeDue } from '../../campaigns/sql-campaigns.ts';
import { startCampaignWorker } from '../../campaigns/workers.ts';
import type { Figure } from '../../report.ts';
import { addAccounts } from '../../schedules/scheduled-calls.ts';
import { copyOfSubject, query, type Stage } from '../../stage.ts';

/** Fewer than both want: they share it. */
const CAPACITY = 50;
const SECONDS = 60;
const CONTACTS = 50_000;

/** Two campaigns of weight 3 : 1 that always have contacts, for a minute. */
export async function measureShares(stage: Stage, say: (text: string) => void): Promise<Figure[]> {
  const redis = await privateRedis();
  const databaseUrl = await copyOfSubject(stage, 'bench_campaigns_shares');
  const [account] = await addAccounts(databaseUrl, { count: 1, capacity: CAPACITY });
  if (!account) throw new Error('there is an account');
  const heavy = await addCampaign(databaseUrl, account, { contacts: CONTACTS, weight: 30 });
  const light = await addCampaign(databaseUrl, account, { contacts: CONTACTS, weight: 10 });
  await makeDue(databaseUrl, heavy);
  const worker = await startCampaignWorker({ redisUrl: redis.url, databaseUrl }, { speed: 20, concurrency: CAPACITY });
  try {
    await sleep(SECONDS * 1_000);
  } finally {
    await query(databaseUrl, `UPDATE campaigns SET state = 'paused'`);
    await worker.stop();
    await redis.close();
  }
  const [most, least] = [
    (await admittedAtMs(databaseUrl, heavy)).length,
    (await admittedAtMs(databaseUrl, light)).length,
  ];
  say(`${most} and ${least} calls in ${SECONDS} s`);
  return [
    {
      name: 'shares of two campaigns of weight 3 : 1 over a minute: off by',
      value: Math.abs(most / (3 * least) - 1) * 100,
      unit: '%',
      goal: { atMost: 5 },
      absolute: { heavy: most, light: least },
    },
  ];
}
