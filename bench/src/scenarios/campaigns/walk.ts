import { setTimeout as sleep } from 'node:timers/promises';
import { campaignsApi } from '../../campaigns/api-campaigns.ts';
import { contactFile, FILE_COLUMNS } from '../../campaigns/contact-file.ts';
import { startCampaignWorker } from '../../campaigns/workers.ts';
import { copyStores } from '../../copies.ts';
import { startSubprocess } from '../../processes.ts';
import type { Figure } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';
import { query, type Stage } from '../../stage.ts';
import { apiEnvironment, untilReady } from '../creates.ts';

const CONTACTS = 1_000_000;
const PORT = 21_351;
const RUNS_FOR_MS = 60_000;
/** Of a pause, and of the campaign after it. */
const LOOKS_FOR_MS = 5_000;
const GIVE_UP_MS = 60_000;

/** A campaign of a million lines: imported, run for a minute, paused, run again, cancelled. Times count from a request. */
export async function measureWalk(stage: Stage, account: BenchAccount, say: (text: string) => void): Promise<Figure[]> {
  const stores = await copyStores(stage, 'bench_campaigns_walk', 3);
  const api = await startSubprocess({
    entry: 'apps/api/src/main.ts',
    env: apiEnvironment(stores, PORT),
    ready: () => untilReady(PORT),
  });
  const worker = await startCampaignWorker(stores, { speed: 100, concurrency: 200 });
  try {
    const campaigns = campaignsApi(PORT, account);
    const id = await campaigns.create({ columns: FILE_COLUMNS, max_concurrent: 200 });
    const accepted = await campaigns.addFile(id, contactFile(CONTACTS));
    if (accepted !== CONTACTS) throw new Error(`${accepted} of ${CONTACTS} contacts were added`);
    say(`${accepted} contacts were added`);
    await campaigns.act(id, 'start');
    await sleep(RUNS_FOR_MS);
    const pausedAt = new Date();
    await campaigns.act(id, 'pause');
    await sleep(LOOKS_FOR_MS);
    const pause = await admissions(stores.databaseUrl, id, pausedAt);
    say(`${pause.count} calls were admitted in ${RUNS_FOR_MS / 1_000} s; the pause lasts ${LOOKS_FOR_MS / 1_000} s`);
    if (pause.count === 0) throw new Error('no call was admitted before the pause: the figures are invalid');
    await campaigns.act(id, 'resume');
    await sleep(LOOKS_FOR_MS);
    const cancelledAt = new Date();
    await campaigns.act(id, 'cancel');
    const cancelledMs = await untilCancelled(stores.databaseUrl, id, cancelledAt);
    const end = await admissions(stores.databaseUrl, id, cancelledAt);
    if (end.count === pause.count) throw new Error('no call was admitted after the pause: the figures are invalid');
    const absolute = { 'calls admitted before': end.count };
    const name = 'cancelling a running campaign of 1,000,000 contacts';
    return [
      {
        name: 'pausing a running campaign of 1,000,000 lines: to the last admission',
        value: pause.lastMs,
        unit: 'ms',
        goal: { atMost: 1_000 },
        absolute: { 'calls admitted before': pause.count },
      },
      { name: `${name}: to the last admission`, value: end.lastMs, unit: 'ms', goal: { atMost: 1_000 }, absolute },
      { name: `${name}: until it is cancelled`, value: cancelledMs, unit: 'ms', goal: { atMost: 5_000 }, absolute },
    ];
  } finally {
    await worker.stop();
    await api.stop();
  }
}

/** How many calls of the campaign were admitted, and how long after that moment the last one was. */
async function admissions(databaseUrl: string, campaignId: string, since: Date) {
  const [row] = await query<{ count: number; lastMs: number }>(
    databaseUrl,
    `SELECT count(*)::int AS count, GREATEST(0, extract(epoch FROM max(queued_at) - $2) * 1000)::float8 AS "lastMs"
     FROM calls WHERE campaign_id = $1 AND queued_at IS NOT NULL`,
    [campaignId, since],
  );
  if (!row) throw new Error('an aggregate always has a row');
  return row;
}

/** @returns the milliseconds from the request until the campaign was cancelled */
async function untilCancelled(databaseUrl: string, campaignId: string, askedAt: Date): Promise<number> {
  const deadlineMs = performance.now() + GIVE_UP_MS;
  for (;;) {
    const [row] = await query<{ cancelledMs: number | null }>(
      databaseUrl,
      'SELECT (extract(epoch FROM ended_at - $2) * 1000)::float8 AS "cancelledMs" FROM campaigns WHERE id = $1',
      [campaignId, askedAt],
    );
    if (row && row.cancelledMs !== null) return row.cancelledMs;
    if (performance.now() > deadlineMs) throw new Error('the campaign is not cancelled after a minute');
    await sleep(50);
  }
}
