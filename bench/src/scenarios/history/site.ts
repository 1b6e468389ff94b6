import { callListSchema } from '@outdial/contracts';
import { startSubprocess } from '../../processes.ts';
import type { BenchAccount } from '../../seed.ts';
import { seedHistory, type History } from '../../seed-history.ts';
import { copyOfSubject, type Stage, type StageStores } from '../../stage.ts';
import { apiEnvironment, untilReady } from '../creates.ts';
import type { Site } from './probes.ts';

export interface SiteOptions {
  readonly calls: number;
  readonly port: number;
  /** The number of a database of the stage's Redis: each site has its own. */
  readonly redisDatabase: number;
}

/** An API with its own stores, and the two accounts whose ended calls they hold. */
export interface HistoryApi {
  readonly sites: { readonly large: Site; readonly small: Site };
  readonly stores: StageStores;
  close(): Promise<void>;
}

export async function openHistory(
  stage: Stage,
  account: BenchAccount,
  { calls, port, redisDatabase }: SiteOptions,
): Promise<HistoryApi> {
  const databaseUrl = await copyOfSubject(stage, `bench_history_${calls}`);
  const histories = await seedHistory(databaseUrl, account, calls);
  const redisUrl = new URL(stage.subject.redisUrl);
  redisUrl.pathname = `/${redisDatabase}`;
  const stores = { redisUrl: redisUrl.href, databaseUrl };
  const env = apiEnvironment(stores, port);
  const api = await startSubprocess({ entry: 'apps/api/src/main.ts', env, ready: () => untilReady(port) });
  const baseUrl = `http://127.0.0.1:${port}/api/v1`;
  const site = async (history: History): Promise<Site> => {
    const deepCursor = await findDeepCursor(baseUrl, history);
    return { baseUrl, apiKey: history.apiKey, agentId: history.agentId, history, deepCursor };
  };
  return {
    sites: { large: await site(histories.large), small: await site(histories.small) },
    stores,
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
