import { once, EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStage as openStores, query, type StageStores } from '../stage.ts';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { apiEnvironment, untilReady } from '../scenarios/creates.ts';
import { createApiClient, type ApiClient } from './api-client.ts';
import { seedVoiceAccount, type AgentName } from './seed.ts';
import { WorkerLog } from './worker-watch.ts';

/** The callees, by their number. */
export const NUMBERS = {
  friendly: '+12025550100',
  talks_over: '+12025550113',
  echo: '+12025550120',
} as const;

/** Each is called once, so that the number identifies the call in the callee's journal. */
export const BUSY_NUMBERS = 400;
export const busyNumber = (nth: number): string => `+1202600${String(nth).padStart(4, '0')}`;

const API_PORT = 21_340;
const CALLEE_RTP_PORTS = '26000-29999';
const WORKER_RTP_PORTS = '20000-23999';
/** The interval of the worker's sound statistics. */
export const INTERVAL_SECONDS = 5;
export const MOST_CALLS = 2_000;

/** One API, one worker and the telephone network, each in its own process, on stores that keep what they commit. */
export interface VoiceStage {
  readonly api: ApiClient;
  readonly worker: Subprocess;
  readonly workerLog: WorkerLog;
  readonly stores: StageStores;
  readonly journalPath: string;
  readonly agents: Readonly<Record<AgentName, string>>;
  /**
   * Places calls to that number, `perSecond` of them per second, and returns their ids once all of them are talking.
   */
  talk(input: {
    readonly count: number;
    readonly perSecond: number;
    readonly toNumber: string;
    readonly agent: AgentName;
  }): Promise<string[]>;
  /** Ends them through the API and waits until they have ended. */
  end(callIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export async function openVoiceStage(announce: (text: string) => void): Promise<VoiceStage> {
  const folder = await mkdtemp(join(tmpdir(), 'outdial-voice-'));
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    return await open(folder, closers, close, announce);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  folder: string,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
  announce: (text: string) => void,
): Promise<VoiceStage> {
  const opened = await openStores(announce);
  closers.push(() => opened.close());
  const stores = opened.subject;
  const journalPath = join(folder, 'journal');
  const { callee, sipPort } = await startCallee(journalPath);
  closers.push(() => callee.stop());
  const { apiKey, agents } = await seedVoiceAccount(stores.databaseUrl, `sip:127.0.0.1:${sipPort}`);
  const env = { ...apiEnvironment(stores, API_PORT), OUTDIAL_DATA_DIR: folder };
  const apiProcess = await startSubprocess({ entry: 'apps/api/src/main.ts', env, ready: () => untilReady(API_PORT) });
  closers.push(() => apiProcess.stop());
  const { worker, workerLog } = await startWorker(stores, folder);
  closers.push(() => worker.stop());
  const api = createApiClient({ port: API_PORT, apiKey });
  return {
    api,
    worker,
    workerLog,
    stores,
    journalPath,
    agents,
    close,
    async talk({ count, perSecond, toNumber, agent }) {
      const callIds: string[] = [];
      const startedMs = performance.now();
      while (callIds.length < count) {
        callIds.push(await api.place({ toNumber, agentId: agents[agent] }));
        await sleep(Math.max(0, startedMs + (callIds.length * 1_000) / perSecond - performance.now()));
      }
      await untilAll(stores, callIds, 'in_progress');
      return callIds;
    },
    async end(callIds) {
      for (const callId of callIds) await api.end(callId);
      await untilAll(stores, callIds, 'ended');
    },
  };
}

async function startCallee(journalPath: string): Promise<{ readonly callee: Subprocess; readonly sipPort: number }> {
  const lines = new EventEmitter();
  const listening = once(lines, 'listening');
  const people = Object.entries(NUMBERS).map(([persona, number]) => [number, persona] as const);
  const busy = Array.from({ length: BUSY_NUMBERS }, (_, nth) => [busyNumber(nth), 'busy'] as const);
  const table = Object.fromEntries([...people, ...busy]);
  const callee = await startSubprocess({
    entry: 'apps/callee/src/main.ts',
    env: {
      OUTDIAL_CALLEE_SIP_PORT: '0',
      OUTDIAL_CALLEE_RTP_PORTS: CALLEE_RTP_PORTS,
      OUTDIAL_CALLEE_TABLE: JSON.stringify(table),
      OUTDIAL_CALLEE_JOURNAL: journalPath,
      LOG_LEVEL: 'info',
    },
    onLine: (text) => {
      const port = /"sipPort":(?<port>\d+)/.exec(text)?.groups?.['port'];
      if (port !== undefined) lines.emit('listening', Number(port));
    },
    ready: async () => void (await listening),
  });
  const [sipPort]: number[] = await listening;
  if (sipPort === undefined) throw new Error('the callee reported no SIP port');
  return { callee, sipPort };
}

async function startWorker(stores: StageStores, dataDir: string) {
  const workerLog = new WorkerLog();
  const worker = await startSubprocess({
    entry: 'apps/worker/src/main.ts',
    env: {
      REDIS_URL: stores.redisUrl,
      DATABASE_URL: stores.databaseUrl,
      OUTDIAL_DATA_DIR: dataDir,
      OUTDIAL_CARRIER: 'sip',
      SIP_PORT: '0',
      SIP_RTP_PORTS: WORKER_RTP_PORTS,
      OUTDIAL_SECRET_KEY: '00'.repeat(32),
      OUTDIAL_WORKER_CONCURRENCY: String(MOST_CALLS),
      OUTDIAL_DRAIN_SECONDS: '0',
      OUTDIAL_SOUND_LOG_SECONDS: String(INTERVAL_SECONDS),
      LOG_LEVEL: 'info',
    },
    preload: 'bench/src/voice/worker-probe.ts',
    onLine: (text) => workerLog.read(text),
    ready: () => workerLog.takingCalls(),
  });
  return { worker, workerLog };
}

/** Resolves once each of the calls has this status. @throws if one ends too early */
async function untilAll(
  stores: StageStores,
  callIds: readonly string[],
  status: 'in_progress' | 'ended',
): Promise<void> {
  for (;;) {
    const rows = await query<{ status: string; ended_reason: string | null; count: number }>(
      stores.databaseUrl,
      'SELECT status, ended_reason, count(*)::int AS count FROM calls WHERE id = ANY($1) GROUP BY 1, 2',
      [callIds],
    );
    const there = rows.filter((row) => row.status === status).reduce((sum, row) => sum + row.count, 0);
    if (there === callIds.length) return;
    const ended = rows.find((row) => row.status === 'ended');
    if (status !== 'ended' && ended)
      throw new Error(`${ended.count} calls ended before they talked: ${ended.ended_reason}`);
    await sleep(200);
  }
}
