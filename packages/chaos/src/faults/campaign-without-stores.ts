import { setTimeout as sleep } from 'node:timers/promises';
import { startCampaign } from '../load/campaigns.ts';
import type { Stack } from '../stack/stack.ts';
import { draft, numbersFor, untilCompleted, type ChaosCampaign } from './campaign-calls.ts';
import type { Fault } from './fault.ts';
import { isGateOpen, PATIENCE_MS, until } from './observe.ts';

/** In a whole run, and in a short one. */
const CONTACTS = { whole: 5_000, short: 600 } as const;
/** So that the campaign lasts, however fast the machine is. */
const CALLS_PER_SECOND = 60;
const POSTGRES_AWAY_MS = 10_000;
const GOES_ON_WITHIN_MS = 15_000;

/** Redis loses everything when a campaign has called a fifth of its contacts; Postgres is killed when it has called half. */
export const campaignWithoutStores: Fault = {
  name: 'campaign-without-stores',
  expectation: 'the campaign goes on when the store is back; no contact is dialed twice, and each has its call',
  carrier: 'simulated',
  async run({ stack, minutes }) {
    const contacts = minutes > 0 ? CONTACTS.whole : CONTACTS.short;
    const campaign = await draft(stack, {
      numbers: numbersFor(contacts),
      settings: { calls_per_second: CALLS_PER_SECOND },
    });
    await startCampaign(stack, campaign.account, campaign.id);
    await untilAdmitted(stack, campaign, contacts / 5);
    const leftAtFlush = contacts - (await admittedOf(stack, campaign));
    await stack.redis.flushall();
    const openMs = await until('the gate is open', PATIENCE_MS, () => isGateOpen(stack));
    const flushedMs = openMs + (await untilAnother(stack, campaign));
    await untilAdmitted(stack, campaign, contacts / 2);
    const leftAtKill = contacts - (await admittedOf(stack, campaign));
    await stack.postgresServer.kill();
    await sleep(POSTGRES_AWAY_MS);
    await stack.postgresServer.start();
    const killedMs = await untilAnother(stack, campaign);
    const unfinished = await untilCompleted(stack, campaign);
    return {
      injected: 2,
      hit: leftAtFlush + leftAtKill,
      recoveryMs: Math.max(flushedMs, killedMs),
      timings: [
        {
          what: 'another contact called after Redis lost everything',
          tookMs: flushedMs,
          promisedMs: GOES_ON_WITHIN_MS,
        },
        { what: 'another contact called when Postgres is back', tookMs: killedMs, promisedMs: GOES_ON_WITHIN_MS },
      ],
      violations: unfinished,
    };
  },
};

async function admittedOf({ sql }: Pick<Stack, 'sql'>, { id }: ChaosCampaign): Promise<number> {
  const [row] = await sql<{ count: number }>(
    'SELECT count(queued_at)::int AS count FROM calls WHERE campaign_id = $1::uuid',
    [id],
  );
  return row?.count ?? 0;
}

function untilAdmitted(stack: Stack, campaign: ChaosCampaign, count: number): Promise<number> {
  return until(`${count} contacts are called`, PATIENCE_MS, async () => (await admittedOf(stack, campaign)) >= count);
}

/** Until a call is admitted later than now. @returns how long it took */
async function untilAnother(stack: Stack, campaign: ChaosCampaign): Promise<number> {
  let before: number | null = null;
  return until('another contact is called', PATIENCE_MS, async () => {
    before ??= await admittedOf(stack, campaign);
    return (await admittedOf(stack, campaign)) > before;
  });
}
