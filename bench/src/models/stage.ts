import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallBody } from '@outdial/contracts';
import { freePort, LOCALHOST_IDENTITY } from '@outdial/testkit';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { apiEnvironment, untilReady } from '../scenarios/creates.ts';
import { openStage as openStores, query, type StageStores } from '../stage.ts';
import { createApiClient, type ApiClient } from '../voice/api-client.ts';
import { SECRET_KEY_HEX, startCallee, startWorker, untilAll } from '../voice/call-processes.ts';
import { NUMBERS } from '../voice/stage.ts';
import type { WorkerLog } from '../voice/worker-watch.ts';
import type { AgentName } from './agents.ts';
import { startProviders, type ProvidersProcess } from './providers-process.ts';
import { seedModelsAccount, type ModelsAccount } from './seed.ts';

const PROBE = 'bench/src/voice/probe/main-thread.mjs';
const PER_SECOND = 20;
const POLL_MS = 200;
/** The greeting, and an answer. */
const WARM_UP_MS = 12_000;

export interface CallsToPlace {
  readonly agentIds: readonly string[];
  readonly persona: 'friendly' | 'talks_over';
}

export interface PlacedCalls {
  readonly placedIds: readonly string[];
  readonly talkingIds: readonly string[];
}

/** The compiled API, worker and telephone network, and the providers, each in a process, on stores that keep what they commit. */
export interface ModelsStage {
  readonly api: ApiClient;
  readonly account: ModelsAccount;
  readonly worker: Subprocess;
  readonly workerLog: WorkerLog;
  readonly callee: Subprocess;
  readonly providers: ProvidersProcess;
  /** Places one call for each agent, 20 per second. Resolves once none is being set up. */
  talk(calls: CallsToPlace): Promise<PlacedCalls>;
  /** One short call, so that the measured ones find the code of every thread loaded. */
  warmUp(agent: AgentName): Promise<void>;
  /** Ends them through the API and waits until they have ended. Returns those that talked until then. */
  end(callIds: readonly string[]): Promise<readonly CallBody[]>;
  /** How many of these calls ended by themselves, by reason. */
  earlyEnds(callIds: readonly string[]): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export async function openModelsStage(announce: (text: string) => void, profilesDir: string): Promise<ModelsStage> {
  const folder = await mkdtemp(join(tmpdir(), 'outdial-models-'));
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    return await open({ folder, closers, close, announce, profilesDir });
  } catch (error) {
    await close();
    throw error;
  }
}

interface Opening {
  readonly folder: string;
  readonly closers: (() => Promise<unknown>)[];
  readonly close: () => Promise<void>;
  readonly announce: (text: string) => void;
  readonly profilesDir: string;
}

async function open({ folder, closers, close, announce, profilesDir }: Opening): Promise<ModelsStage> {
  const opened = await openStores(announce);
  closers.push(() => opened.close());
  const stores = opened.subject;
  const providers = await startProviders();
  closers.push(() => providers.process.stop());
  const table = { [NUMBERS.friendly]: 'friendly', [NUMBERS.talks_over]: 'talks_over' };
  const { callee, sipPort } = await startCallee({
    journalPath: join(folder, 'journal'),
    table,
    isBuilt: true,
    preload: PROBE,
  });
  closers.push(() => callee.stop());
  const trunkUri = `sip:127.0.0.1:${sipPort}`;
  const account = await seedModelsAccount(stores.databaseUrl, { trunkUri, modelsUrl: providers.address });
  const env = await environment(folder, profilesDir);
  const port = await freePort();
  const apiProcess = await startSubprocess({
    entry: 'apps/api/src/main.ts',
    isBuilt: true,
    env: { ...apiEnvironment(stores, port), ...env },
    ready: () => untilReady(port),
  });
  closers.push(() => apiProcess.stop());
  const { worker, workerLog } = await startWorker({
    stores,
    dataDir: folder,
    preload: PROBE,
    isBuilt: true,
    env,
  });
  closers.push(() => worker.stop());
  const api = createApiClient({ port, apiKey: account.apiKey });
  const stage: ModelsStage = {
    api,
    account,
    worker,
    workerLog,
    callee,
    providers,
    close,
    talk: (calls) => talk(api, stores, calls),
    async warmUp(agent) {
      const { talkingIds } = await stage.talk({ agentIds: [account.agents[agent]], persona: 'friendly' });
      await sleep(WARM_UP_MS);
      await stage.end(talkingIds);
    },
    async end(callIds) {
      for (const callId of callIds) await api.end(callId);
      await untilAll(stores, callIds, 'ended');
      const calls: CallBody[] = [];
      for (const callId of callIds) calls.push(await api.ended(callId));
      return calls.filter((call) => call.ended_reason === 'hung_up_by_api');
    },
    earlyEnds: (callIds) => earlyEndsOf(stores, callIds),
  };
  return stage;
}

/** The providers are on loopback, and their certificate is signed by an authority of the tests. */
async function environment(folder: string, profilesDir: string): Promise<Record<string, string>> {
  const authorityPath = join(folder, 'authority.pem');
  await writeFile(authorityPath, LOCALHOST_IDENTITY.authority);
  return {
    OUTDIAL_DATA_DIR: folder,
    OUTDIAL_SECRET_KEY: SECRET_KEY_HEX,
    OUTDIAL_EGRESS_ALLOW: '127.0.0.0/8,::1',
    NODE_EXTRA_CA_CERTS: authorityPath,
    OUTDIAL_BENCH_PROFILES: profilesDir,
  };
}

async function talk(api: ApiClient, stores: StageStores, { agentIds, persona }: CallsToPlace): Promise<PlacedCalls> {
  const callIds: string[] = [];
  const startedMs = performance.now();
  for (const agentId of agentIds) {
    callIds.push(await api.place({ toNumber: NUMBERS[persona], agentId }));
    await sleep(Math.max(0, startedMs + (callIds.length * 1_000) / PER_SECOND - performance.now()));
  }
  return { placedIds: callIds, talkingIds: await untilNoneIsSetUp(stores, callIds) };
}

/** On a busy machine a provider may answer too late: such a call ends before it was answered, and is no reason to stop. */
async function untilNoneIsSetUp({ databaseUrl }: StageStores, callIds: readonly string[]): Promise<string[]> {
  for (;;) {
    const rows = await query<{ id: string; status: string }>(
      databaseUrl,
      'SELECT id, status FROM calls WHERE id = ANY($1)',
      [callIds],
    );
    const talking = rows.filter(({ status }) => status === 'in_progress').map(({ id }) => id);
    const ended = rows.filter(({ status }) => status === 'ended').length;
    if (talking.length + ended === callIds.length) return talking;
    await sleep(POLL_MS);
  }
}

async function earlyEndsOf(
  { databaseUrl }: StageStores,
  callIds: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const rows = await query<{ reason: string; count: number }>(
    databaseUrl,
    `SELECT ended_reason AS reason, count(*)::int AS count FROM calls
     WHERE id = ANY($1) AND status = 'ended' AND ended_reason <> 'hung_up_by_api' GROUP BY 1`,
    [callIds],
  );
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
}
