import { createDatabase, createScheduleStore } from '@outdial/persistence';
import { addCampaign, addRetries, makeDue } from '../../campaigns/sql-campaigns.ts';
import { median, type Figure } from '../../report.ts';
import { addAccounts } from '../../schedules/scheduled-calls.ts';
import { copyOfSubject, query, type Stage } from '../../stage.ts';

const SMALL = { contacts: 1_000, retries: 150 };
const LARGE = { contacts: 1_000_000, retries: 100_000 };
/** Of the retries of either. */
const DUE = 150;
const SAMPLES = 100;
const WARM_UP_SAMPLES = 10;
/** So few that the small one has contacts left until the end. */
const STOCKED = 5;
const TAKEN = 100;

/** What the statements of a turn take: they read the lanes, stock, take and end. The turns of both campaigns alternate. */
export async function measureCampaignTurn(stage: Stage, say: (text: string) => void): Promise<Figure[]> {
  say('making a campaign of 1,000,000 contacts, 100,000 of them with a retry');
  const small = { ...(await openCampaign(stage, 'small', SMALL)), samples: new Array<number>() };
  const large = { ...(await openCampaign(stage, 'large', LARGE)), samples: new Array<number>() };
  try {
    for (let sample = 0; sample < WARM_UP_SAMPLES + SAMPLES; sample += 1) {
      for (const each of sample % 2 === 0 ? [small, large] : [large, small]) {
        const tookMs = await each.turn();
        if (sample >= WARM_UP_SAMPLES) each.samples.push(tookMs);
      }
    }
  } finally {
    await Promise.all([small.close(), large.close()]);
  }
  const [smallMs, largeMs] = [median(small.samples), median(large.samples)];
  return [
    {
      name: 'the statements of a turn: a campaign of 1,000,000 contacts and 100,000 retries against one of 1,000',
      value: largeMs / smallMs,
      unit: '×',
      goal: { atMost: 1.2 },
      absolute: { 'large ms': largeMs, 'small ms': smallMs },
    },
  ];
}

async function openCampaign(stage: Stage, name: string, { contacts, retries }: typeof SMALL) {
  const databaseUrl = await copyOfSubject(stage, `bench_campaigns_turn_${name}`);
  // The wait for the disk is the same for both, and would hide a difference.
  await query(databaseUrl, `ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET synchronous_commit = off`);
  const [account] = await addAccounts(databaseUrl, { count: 1, capacity: 100 * TAKEN });
  if (!account) throw new Error('there is an account');
  const campaignId = await addCampaign(databaseUrl, account, { contacts });
  await addRetries(databaseUrl, campaignId, { count: retries, due: DUE });
  await makeDue(databaseUrl, campaignId);
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1 });
  const store = createScheduleStore(database);
  return {
    async turn(): Promise<number> {
      const startedMs = performance.now();
      const [turn] = await store.beginTurns({ workerId: 'bench', limit: 1 });
      if (!turn) throw new Error('the account is due');
      const stocked = await store.stock({ ...turn, campaignId, limit: STOCKED });
      const taken = await store.takeDue({ ...turn, campaignId, limit: TAKEN });
      await store.endTurn({
        ...turn,
        notBeforeMs: 0,
        campaignNotes: [{ campaignId, deficit: 0, heldBy: null, notBeforeMs: 0 }],
      });
      const tookMs = performance.now() - startedMs;
      if (taken.length !== TAKEN || stocked !== STOCKED)
        throw new Error(`${stocked} contacts were stocked and ${taken.length} calls taken`);
      await store.putBack({ calls: taken, waitingFor: null });
      return tookMs;
    },
    close: () => database.close(),
  };
}
