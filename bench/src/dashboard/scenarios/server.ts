import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile, type Figure } from '../../report.ts';
import { follow, type Follower } from '../followers.ts';
import { beginSteadyLoad } from '../load.ts';
import { processorShare } from '../../processor-time.ts';
import type { DashboardStage } from '../stage.ts';

const FOLLOWERS = 50;
const LIST_SAMPLES = 100;
const CHANGES_PER_SECOND = 50;
/** The time until the first calls of the load have ended. */
const SETTLE_MS = 10_000;

/** What followers cost the API, how soon they see a change, and how long lists take under that load. */
export async function measureServer(
  stage: DashboardStage,
  seconds: number,
  say: (text: string) => void,
): Promise<Figure[]> {
  const quietMs = await listLatencies(stage);
  const load = beginSteadyLoad(stage, CHANGES_PER_SECOND);
  const followers: Follower[] = [];
  try {
    await sleep(SETTLE_MS);
    say('no followers');
    const alone = await processorShare(stage.api.pid, seconds);
    say('one follower');
    followers.push(await follow(stage));
    const one = await processorShare(stage.api.pid, seconds);
    say(`${FOLLOWERS} follow`);
    while (followers.length < FOLLOWERS) followers.push(await follow(stage));
    const many = await processorShare(stage.api.pid, seconds);
    const [witness] = followers;
    const streamedBefore = witness?.streamed() ?? 0;
    const busyMs = await listLatencies(stage);
    const latenciesMs = witness?.latenciesMs ?? [];
    const changes = { changes: latenciesMs.length, streamed: streamedBefore, placed: load.placed() };
    const name = `${CHANGES_PER_SECOND} changes per second, 10,000 calls in the account`;
    return [
      {
        name: `${name}: from a change to its followers, p99`,
        value: percentile(latenciesMs, 0.99),
        unit: 'ms',
        goal: { atMost: 1_000 },
        absolute: { 'p50 ms': percentile(latenciesMs, 0.5), ...changes },
      },
      {
        name: `${name}: API cost of ${FOLLOWERS} followers`,
        value: many - alone,
        unit: '% of a core',
        goal: { atMost: 25 },
        absolute: { 'none %': alone, 'one %': one, [`${FOLLOWERS} %`]: many },
      },
      {
        name: `${name}: the list of 50 calls, p99, with ${FOLLOWERS} followers`,
        value: percentile(busyMs, 0.99),
        unit: 'ms',
        goal: { atMost: 250 },
        absolute: {
          'p50 ms': median(busyMs),
          'quiet p50 ms': median(quietMs),
          'quiet p99 ms': percentile(quietMs, 0.99),
        },
      },
    ];
  } finally {
    for (const follower of followers) follower.stop();
    await load.stop();
  }
}

/** Of sequential requests, in milliseconds. */
async function listLatencies({ url, account, headers }: DashboardStage): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let sample = 0; sample < LIST_SAMPLES; sample += 1) {
    const startedMs = performance.now();
    const path = `/api/dashboard/accounts/${account.accountId}/calls?limit=50`;
    const response = await fetch(`${url}${path}`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the list was answered with ${response.status}`);
    samples.push(performance.now() - startedMs);
    // A user's requests are rate-limited.
    await sleep(30);
  }
  return samples.slice(LIST_SAMPLES / 10);
}
