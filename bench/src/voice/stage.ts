import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStage as openStores, type StageStores } from '../stage.ts';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { apiEnvironment, untilReady } from '../scenarios/creates.ts';
import { createApiClient, type ApiClient } from './api-client.ts';
import { startCallee, startWorker, untilAll } from './call-processes.ts';
import { startFarEnd, type FarEnd, type FarEndReport } from './far-end/far-end.ts';
import { seedVoiceAccount, type AgentName } from './seed.ts';
import type { WorkerLog } from './worker-watch.ts';

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

/** One API, one worker and the telephone network, each in its own process, on stores that keep what they commit. */
export interface VoiceStage {
  readonly api: ApiClient;
  readonly worker: Subprocess;
  readonly workerLog: WorkerLog;
  readonly stores: StageStores;
  readonly journalPath: string;
  readonly agents: Readonly<Record<AgentName, string>>;
  /** @throws unless the stage has a far end in C. */
  farEndReport(): Promise<FarEndReport>;
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

export interface VoiceStageOptions {
  readonly announce: (text: string) => void;
  /** Every callee is an echo in C, instead of the telephone network. */
  readonly hasFarEnd: boolean;
}

export async function openVoiceStage(options: VoiceStageOptions): Promise<VoiceStage> {
  const folder = await mkdtemp(join(tmpdir(), 'outdial-voice-'));
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    return await open(folder, closers, close, options);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  folder: string,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
  { announce, hasFarEnd }: VoiceStageOptions,
): Promise<VoiceStage> {
  const opened = await openStores(announce);
  closers.push(() => opened.close());
  const stores = opened.subject;
  const journalPath = join(folder, 'journal');
  const farEnd: FarEnd | null = hasFarEnd ? await startFarEnd(folder) : null;
  const callee = farEnd ?? (await startNetwork(journalPath));
  closers.push(() => callee.stop());
  const { apiKey, agents } = await seedVoiceAccount(stores.databaseUrl, `sip:127.0.0.1:${callee.sipPort}`);
  const env = { ...apiEnvironment(stores, API_PORT), OUTDIAL_DATA_DIR: folder };
  const apiProcess = await startSubprocess({ entry: 'apps/api/src/main.ts', env, ready: () => untilReady(API_PORT) });
  closers.push(() => apiProcess.stop());
  const { worker, workerLog } = await startWorker({
    stores,
    dataDir: folder,
    preload: 'bench/src/voice/worker-probe.ts',
  });
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
    async farEndReport() {
      if (farEnd === null) throw new Error('the stage has no far end in C');
      return farEnd.report();
    },
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

async function startNetwork(journalPath: string): Promise<Pick<FarEnd, 'sipPort' | 'stop'>> {
  const { callee, sipPort } = await startCallee({ journalPath, table: calleeTable() });
  return { sipPort, stop: () => callee.stop() };
}

function calleeTable(): Readonly<Record<string, string>> {
  const people = Object.entries(NUMBERS).map(([persona, number]) => [number, persona] as const);
  const busy = Array.from({ length: BUSY_NUMBERS }, (_, nth) => [busyNumber(nth), 'busy'] as const);
  return Object.fromEntries([...people, ...busy]);
}
