import { privateRedis } from '@outdial/testkit';
import { addCampaign, admittedAtMs, makeDue } from '../../campaigns/sql-campaigns.ts';
import { startCampaignWorker } from '../../campaigns/workers.ts';
import type { Figure } from '../../report.ts';
import { addAccounts } from '../../schedules/scheduled-calls.ts';
import { copyOfSubject, type Stage } from '../../stage.ts';
import { untilEnded } from '../ended-calls.ts';

const CONTACTS = 3_000;

/** One campaign through one worker that also drives its calls; the scenario `schedules` has the ratio to single calls. */
export async function measureCampaignAdmissions(stage: Stage, say: (text: string) => void): Promise<Figure[]> {
  const redis = await privateRedis();
  const stores = { redisUrl: redis.url, databaseUrl: await copyOfSubject(stage, 'bench_campaigns_admissions') };
  const [account] = await addAccounts(stores.databaseUrl, { count: 1, capacity: 10_000 });
  if (!account) throw new Error('there is an account');
  const campaignId = await addCampaign(stores.databaseUrl, account, { contacts: CONTACTS });
  await makeDue(stores.databaseUrl, campaignId);
  const worker = await startCampaignWorker(stores, { speed: 1_000, concurrency: 100 });
  try {
    await untilEnded(stores, CONTACTS);
  } finally {
    await worker.stop();
    await redis.close();
  }
  const times = await admittedAtMs(stores.databaseUrl, campaignId);
  const value = (times.length * 1_000) / (times.at(-1) ?? NaN);
  say(`${times.length} calls admitted at ${Math.round(value)}/s`);
  return [
    {
      name: `admissions/s of a campaign of ${CONTACTS} contacts, one worker, which drives the calls`,
      value,
      unit: '/s',
      goal: { atLeast: 200 },
      absolute: {},
    },
  ];
}
