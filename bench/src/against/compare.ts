import { invariant } from '@outdial/kernel';
import { ROOT } from '../processes.ts';
import { median } from '../report.ts';
import { makeEmptyDatabase, openServers, query, type StageServers } from '../stage.ts';
import { addEndpoint } from '../webhooks/endpoints.ts';
import { measureCreatesOf, prepare, type Contender } from './contender.ts';
import { checkOut } from './other-tree.ts';

/** Less is a loss that is no noise. */
const LEAST_RATIO = 0.95;
/** The events of an account with an endpoint are announced by the statements that write them. */
const LEAST_RATIO_WITH_ENDPOINT = 0.85;

export interface Comparison {
  readonly commit: string;
  readonly pairs: number;
  /** Whether the account of this tree has an endpoint for webhooks. */
  readonly endpoint: boolean;
}

/**
 * Measures accepted creates per second of this tree and of another commit, in pairs. A machine's speed drifts, so each
 * pair has its own ratio, and who begins changes from pair to pair.
 *
 * @returns whether the median of the ratios meets the goal.
 */
export async function compareWith(
  { commit, pairs, endpoint }: Comparison,
  say: (text: string) => void,
): Promise<boolean> {
  const servers = await openServers(say);
  try {
    const { subject, other } = await prepareBoth(servers, commit, say);
    if (endpoint) await subscribe(subject);
    const ratios: number[] = [];
    for (let pair = 1; pair <= pairs; pair += 1) {
      const order = pair % 2 === 1 ? [subject, other] : [other, subject];
      const rates = new Map<Contender, number>();
      for (const contender of order) rates.set(contender, (await measureCreatesOf(contender)).acceptedPerSecond);
      const [ours = NaN, theirs = NaN] = [rates.get(subject), rates.get(other)];
      ratios.push(ours / theirs);
      say(`pair ${pair}: ${Math.round(ours)}/s against ${Math.round(theirs)}/s, ratio ${(ours / theirs).toFixed(3)}`);
    }
    const ratio = median(ratios);
    const goal = endpoint ? LEAST_RATIO_WITH_ENDPOINT : LEAST_RATIO;
    const isMet = ratio >= goal;
    say(`\nmedian of ${pairs}: ${ratio.toFixed(3)} (goal ≥ ${goal}), ${isMet ? 'met' : 'missed'}`);
    return isMet;
  } finally {
    await servers.close();
  }
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
