import { invariant } from '@outdial/kernel';
import { ROOT } from '../processes.ts';
import { median } from '../report.ts';
import { makeEmptyDatabase, openServers, query, type StageServers } from '../stage.ts';
import { addEndpoint } from '../webhooks/endpoints.ts';
import { prepare, start, type Contender, type RunningContender, type Sample } from './contender.ts';
import { checkOut } from './other-tree.ts';

/** Less is a loss that is no noise. */
const LEAST_RATIO = 0.95;
/** The events of an account with an endpoint are announced by the statements that write them. */
const LEAST_RATIO_WITH_ENDPOINT = 0.85;

/** Until both run compiled code. */
const WARM_UP_SECONDS = 12;
const TURN_SECONDS = 3;

export interface Comparison {
  readonly commit: string;
  readonly pairs: number;
  /** Whether the account of this tree has an endpoint for webhooks. */
  readonly endpoint: boolean;
}

/**
 * Measures accepted creates per second of this tree and of another commit. Both processes run throughout and take turns of
 * a few seconds: a machine's speed drifts from one to the next, so that each pair has its own ratio, and who begins changes
 * from pair to pair.
 *
 * @returns whether the median of the ratios meets the goal.
 */
export async function compareWith(
  { commit, pairs, endpoint }: Comparison,
  say: (text: string) => void,
): Promise<boolean> {
  const servers = await openServers(say);
  const running: RunningContender[] = [];
  try {
    const contenders = await prepareBoth(servers, commit, say);
    if (endpoint) await subscribe(contenders.subject);
    for (const contender of [contenders.subject, contenders.other]) running.push(await start(contender));
    const [subject, other] = running;
    invariant(subject && other, 'both have started');
    for (const contender of running) await contender.measure(WARM_UP_SECONDS);
    const samples = await measurePairs({ subject, other, pairs }, say);
    const ratio = median(samples.map(([ours, theirs]) => ours.acceptedPerSecond / theirs.acceptedPerSecond));
    const processorRatio = median(samples.map(([ours, theirs]) => ours.processorMicros / theirs.processorMicros));
    const goal = endpoint ? LEAST_RATIO_WITH_ENDPOINT : LEAST_RATIO;
    const isMet = ratio >= goal;
    say(`\nmedian of ${pairs}: ${ratio.toFixed(3)} (goal ≥ ${goal}), ${isMet ? 'met' : 'missed'}`);
    say(`processor time of the API for each create: ${processorRatio.toFixed(3)}`);
    return isMet;
  } finally {
    for (const contender of running) await contender.stop();
    await servers.close();
  }
}

type Pair = readonly [ours: Sample, theirs: Sample];

async function measurePairs(
  { subject, other, pairs }: Record<'subject' | 'other', RunningContender> & Pick<Comparison, 'pairs'>,
  say: (text: string) => void,
): Promise<readonly Pair[]> {
  const samples: Pair[] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    const isOursFirst = pair % 2 === 1;
    const first = await (isOursFirst ? subject : other).measure(TURN_SECONDS);
    const second = await (isOursFirst ? other : subject).measure(TURN_SECONDS);
    const [ours, theirs] = isOursFirst ? [first, second] : [second, first];
    samples.push([ours, theirs]);
    const rates = [ours, theirs].map(({ acceptedPerSecond }) => `${Math.round(acceptedPerSecond)}/s`).join(' against ');
    say(`pair ${pair}: ${rates}, ratio ${(ours.acceptedPerSecond / theirs.acceptedPerSecond).toFixed(3)}`);
  }
  return samples;
}

/** For all types of webhooks. No worker runs, so none is sent. */
async function subscribe({ stores: { databaseUrl }, agentId }: Contender): Promise<void> {
  const sql = 'SELECT account_id::text AS id FROM agents WHERE id = $1';
  const [account] = await query<{ id: string }>(databaseUrl, sql, [agentId]);
  invariant(account !== undefined, 'the agent has its account');
  await addEndpoint(databaseUrl, account.id, 'https://receiver.example/');
}

async function prepareBoth(servers: StageServers, commit: string, say: (text: string) => void) {
  const { redisUrl, databaseUrl } = servers;
  const tree = await checkOut(commit, say);
  servers.defer(() => tree.remove());
  const storesOf = async (name: string, redisDatabase: number) => ({
    redisUrl: new URL(`/${redisDatabase}`, redisUrl).href,
    databaseUrl: await makeEmptyDatabase(databaseUrl, name),
  });
  const subject = await prepare(ROOT, await storesOf('bench_subject', 0));
  const other = await prepare(tree.root, await storesOf('bench_other', 1));
  return { subject, other };
}
