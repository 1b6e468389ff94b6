import { accountIdSchema, agentIdSchema, e164Schema } from '@outdial/contracts';
import { addCampaign, admittedAtMs, makeDue } from '../../campaigns/sql-campaigns.ts';
import { startCampaignWorker } from '../../campaigns/workers.ts';
import { copyStores } from '../../copies.ts';
import { createLoad } from '../../load/http-load.ts';
import { startSubprocess } from '../../processes.ts';
import { median, type Figure } from '../../report.ts';
import { CALLER_NUMBER, type BenchAccount } from '../../seed.ts';
import { query, type Stage } from '../../stage.ts';
import { apiEnvironment, createsLoad, untilReady, WARM_UP_SECONDS } from '../creates.ts';

const PORT = 21_352;
const ROUNDS = 5;
const SECONDS = 6;
const CONNECTIONS = 4;
/** What the processor does for a campaign slows what else it does: it is to be little. */
const CALLS_PER_SECOND = 20;

/** Single calls through the API beside a campaign that runs, and beside the same one paused, in turns. */
export async function measureBeside(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const stores = await copyStores(stage, 'bench_campaigns_beside', 4);
  const owner = {
    id: accountIdSchema.parse(account.accountId),
    agentId: agentIdSchema.parse(account.agentId),
    fromNumber: e164Schema.parse(CALLER_NUMBER),
  };
  const campaignId = await addCampaign(stores.databaseUrl, owner, {
    contacts: 50_000,
    callsPerSecond: CALLS_PER_SECOND,
  });
  const setState = (state: string) =>
    query(stores.databaseUrl, 'UPDATE campaigns SET state = $2 WHERE id = $1', [campaignId, state]);
  await setState('paused');
  const api = await startSubprocess({
    entry: 'apps/api/src/main.ts',
    env: apiEnvironment(stores, PORT),
    ready: () => untilReady(PORT),
  });
  const worker = await startCampaignWorker(stores, { speed: 1_000, concurrency: 100 });
  const load = { ...createsLoad({ port: PORT, ...account }), connections: CONNECTIONS };
  const p99s = { running: new Array<number>(), paused: new Array<number>() };
  let refused = 0;
  try {
    await createLoad({ ...load, seconds: WARM_UP_SECONDS });
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const state of round % 2 === 0 ? (['running', 'paused'] as const) : (['paused', 'running'] as const)) {
        await setState(state);
        if (state === 'running') await makeDue(stores.databaseUrl, campaignId);
        const result = await createLoad({ ...load, seconds: SECONDS });
        p99s[state].push(result.p99Ms);
        refused += result.refused;
      }
      say(`round ${round}: p99 ${p99s.running.at(-1)} ms beside a running campaign, ${p99s.paused.at(-1)} ms without`);
    }
  } finally {
    await worker.stop();
    await api.stop();
  }
  const admitted = (await admittedAtMs(stores.databaseUrl, campaignId)).length;
  const absolute = {
    'p99 ms beside one': median(p99s.running),
    'p99 ms without': median(p99s.paused),
    'calls of the campaign': admitted,
  };
  const name = `single calls beside a running campaign of ${CALLS_PER_SECOND}/s`;
  return [
    {
      name: `${name}: p99`,
      value: median(p99s.running.map((ms, round) => ms / (p99s.paused[round] ?? NaN))),
      unit: '× without',
      goal: { atMost: 1.2 },
      absolute,
    },
    { name: `${name}: refused`, value: refused, unit: 'calls', goal: { atMost: 0 }, absolute },
  ];
}
