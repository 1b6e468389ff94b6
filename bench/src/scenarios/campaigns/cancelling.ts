import { setTimeout as sleep } from 'node:timers/promises';
import { campaignsApi } from '../../campaigns/api-campaigns.ts';
import { addCampaign, makeDue } from '../../campaigns/sql-campaigns.ts';
import { startCampaignWorker } from '../../campaigns/workers.ts';
import { copyStores } from '../../copies.ts';
import { startSubprocess } from '../../processes.ts';
import type { Figure } from '../../report.ts';
import { CALLER_NUMBER, type BenchAccount } from '../../seed.ts';
import { query, type Stage } from '../../stage.ts';
import { apiEnvironment, untilReady } from '../creates.ts';
import { accountIdSchema, agentIdSchema, e164Schema } from '@outdial/contracts';

const CONTACTS = 1_000_000;
const PORT = 21_351;
const RUNS_FOR_MS = 5_000;
const GIVE_UP_MS = 60_000;

/** A campaign of a million contacts that is cancelled while it runs. Times count from the request. */
export async function measureCancel(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const stores = await copyStores(stage, 'bench_campaigns_cancel', 3);
  say(`making a campaign of ${CONTACTS} contacts`);
  const owner = {
    id: accountIdSchema.parse(account.accountId),
    agentId: agentIdSchema.parse(account.agentId),
    fromNumber: e164Schema.parse(CALLER_NUMBER),
  };
  const campaignId = await addCampaign(stores.databaseUrl, owner, { contacts: CONTACTS, maxConcurrent: 200 });
  const api = await startSubprocess({
    entry: 'apps/api/src/main.ts',
    env: apiEnvironment(stores, PORT),
    ready: () => untilReady(PORT),
  });
  const worker = await startCampaignWorker(stores, { speed: 100, concurrency: 200 });
  try {
    await makeDue(stores.databaseUrl, campaignId);
    await sleep(RUNS_FOR_MS);
    const askedAt = new Date();
    await campaignsApi(PORT, account).act(campaignId, 'cancel');
    const row = await untilCancelled(stores.databaseUrl, campaignId, askedAt);
    if (row.admitted === 0) throw new Error('no call was admitted before: the figure is invalid');
    const absolute = { 'calls admitted before': row.admitted };
    const name = 'cancelling a running campaign of 1,000,000 contacts';
    return [
      { name: `${name}: to the last admission`, value: row.lastMs, unit: 'ms', goal: { atMost: 1_000 }, absolute },
      { name: `${name}: until it is cancelled`, value: row.cancelledMs, unit: 'ms', goal: { atMost: 5_000 }, absolute },
    ];
  } finally {
    await worker.stop();
    await api.stop();
  }
}

async function untilCancelled(databaseUrl: string, campaignId: string, askedAt: Date) {
  const deadlineMs = performance.now() + GIVE_UP_MS;
  for (;;) {
    const [row] = await query<{ admitted: number; lastMs: number; cancelledMs: number | null }>(
      databaseUrl,
      `SELECT count(*)::int AS admitted, GREATEST(0, extract(epoch FROM max(c.queued_at) - $2) * 1000)::float8 AS "lastMs",
         (extract(epoch FROM min(g.ended_at) - $2) * 1000)::float8 AS "cancelledMs"
       FROM campaigns g LEFT JOIN calls c ON c.campaign_id = g.id AND c.queued_at IS NOT NULL WHERE g.id = $1`,
      [campaignId, askedAt],
    );
    if (row && row.cancelledMs !== null) return { ...row, cancelledMs: row.cancelledMs };
    if (performance.now() > deadlineMs) throw new Error('the campaign is not cancelled after a minute');
    await sleep(50);
  }
}
