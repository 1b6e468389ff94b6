import { callListSchema } from '@outdial/contracts';
import { startSubprocess } from '../processes.ts';
import { median, type Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import { copyOfSubject, type Stage } from '../stage.ts';
import { apiEnvironment, untilReady } from './creates.ts';
import { measureTotals } from './history-totals.ts';
import { seedHistory, type History } from '../seed-history.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const SAMPLES = 150;
const ROUNDS = 3;

/** A request whose latency must not depend on the number of stored calls. */
interface Probe {
  readonly name: string;
  readonly request: (at: Site) => {
    readonly path: string;
    readonly init?: { readonly method: string; readonly headers: Record<string, string>; readonly body: string };
  };
}

interface Site {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly history: History;
  readonly agentId: string;
  /** A cursor to the last page of the account's calls. */
  readonly deepCursor: string;
}

const list = (name: string, parameters: (at: Site) => Record<string, string>): Probe => ({
  name: `list: ${name}`,
  request: (at) => ({ path: `/outbound/calls?${new URLSearchParams({ limit: '20', ...parameters(at) }).toString()}` }),
});

const PROBES: readonly Probe[] = [
  {
    name: 'create',
    request: (at) => ({
      path: '/outbound/calls',
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to_number: '+12025550105', agent_id: at.agentId }),
      },
    }),
  },
  { name: 'read', request: (at) => ({ path: `/outbound/calls/${at.history.someCallId}` }) },
  { name: 'account', request: () => ({ path: '/account' }) },
  list('no filter', () => ({})),
  list('deepest cursor', (at) => ({ cursor: at.deepCursor })),
  list('status=ended', () => ({ status: 'ended' })),
  list('status=queued', () => ({ status: 'queued' })),
  list('agent_id', (at) => ({ agent_id: at.agentId })),
  list('agent_id without calls', (at) => ({ agent_id: at.history.idleAgentId })),
  list('to_number', (at) => ({ to_number: at.history.someNumber })),
  list('ended_reason', () => ({ ended_reason: 'busy' })),
  list('a rare ended_reason', () => ({ ended_reason: 'no_audio' })),
  list('created_before', (at) => ({ created_before: at.history.middle })),
  list('created_after', (at) => ({ created_after: at.history.middle })),
];

/**
 * Latencies with ten thousand and with a million stored calls, for the account that owns most of them and for a small
 * one.
 */
export async function measureHistory(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const small = await openSite(stage, account, SMALL, 21_330, say);
  const large = await openSite(stage, account, LARGE, 21_331, say);
  try {
    const figures: Figure[] = [];
    for (const owner of ['large', 'small'] as const) {
      for (const probe of PROBES) {
        const samples = { small: [] as number[], large: [] as number[] };
        for (let round = 0; round < ROUNDS; round += 1) {
          samples.small.push(await latency(probe, small.sites[owner]));
          samples.large.push(await latency(probe, large.sites[owner]));
        }
        figures.push({
          name: `${probe.name}, ${owner} account: 1 million against 10 thousand stored calls`,
          value: median(samples.large.map((ms, round) => ms / (samples.small[round] ?? NaN))),
          unit: '×',
          goal: { atMost: 1.2 },
          absolute: { '1M ms': median(samples.large), '10k ms': median(samples.small) },
        });
      }
    }
    say('adding the stored calls to the totals');
    const { someNumber } = large.sites.large.history;
    figures.push(...(await measureTotals(large.databaseUrl, { accountId: account.accountId, someNumber })));
    return figures;
  } finally {
    await small.close();
    await large.close();
  }
}

async function openSite(stage: Stage, account: BenchAccount, calls: number, port: number, say: (text: string) => void) {
  const name = `bench_history_${calls}`;
  say(`storing ${calls} calls`);
  const stores = { redisUrl: stage.subject.redisUrl, databaseUrl: await copyOfSubject(stage, name) };
  const histories = await seedHistory(stores.databaseUrl, account, calls);
  const redisUrl = new URL(stores.redisUrl);
  redisUrl.pathname = calls === SMALL ? '/1' : '/2';
  const env = apiEnvironment({ ...stores, redisUrl: redisUrl.href }, port);
  const api = await startSubprocess({ entry: 'apps/api/src/main.ts', env, ready: () => untilReady(port) });
  const baseUrl = `http://127.0.0.1:${port}/api/v1`;
  const site = async (history: History): Promise<Site> => {
    const deepCursor = await findDeepCursor(baseUrl, history);
    return { baseUrl, apiKey: history.apiKey, agentId: history.agentId, history, deepCursor };
  };
  return {
    sites: { large: await site(histories.large), small: await site(histories.small) },
    databaseUrl: stores.databaseUrl,
    close: () => api.stop(),
  };
}

async function findDeepCursor(baseUrl: string, history: History): Promise<string> {
  const path = `/outbound/calls?limit=5&created_before=${encodeURIComponent(history.nearOldest)}`;
  const response = await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': history.apiKey } });
  const page = callListSchema.parse(await response.json());
  if (page.next_cursor === null) throw new Error(`no cursor in ${path}: ${response.status}`);
  return page.next_cursor;
}

/** Median of sequential requests over one connection, in milliseconds. */
async function latency(probe: Probe, at: Site): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const { path, init } = probe.request(at);
    const startedMs = performance.now();
    const response = await fetch(`${at.baseUrl}${path}`, {
      ...init,
      headers: { ...init?.headers, 'x-api-key': at.apiKey },
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${probe.name} was answered with ${response.status}`);
    if (sample >= SAMPLES / 5) samples.push(performance.now() - startedMs);
  }
  return median(samples);
}
