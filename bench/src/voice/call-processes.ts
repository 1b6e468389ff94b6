import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { query, type StageStores } from '../stage.ts';
import { WorkerLog } from './worker-watch.ts';

const CALLEE_RTP_PORTS = '26000-29999';
const WORKER_RTP_PORTS = '20000-23999';
/** The interval of the worker's sound statistics. */
export const INTERVAL_SECONDS = 5;
export const MOST_CALLS = 2_000;

/** The telephone network. `table`: the persona behind each number. */
export async function startCallee({
  journalPath,
  table,
  isBuilt = false,
  preload,
}: {
  readonly journalPath: string;
  readonly table: Readonly<Record<string, string>>;
  readonly isBuilt?: boolean;
  readonly preload?: string;
}): Promise<{ readonly callee: Subprocess; readonly sipPort: number }> {
  const lines = new EventEmitter();
  const listening = once(lines, 'listening');
  const callee = await startSubprocess({
    entry: 'apps/callee/src/main.ts',
    isBuilt,
    ...(preload === undefined ? {} : { preload }),
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

/** A worker that takes calls, and what it logs. */
export async function startWorker({
  stores,
  dataDir,
  preload,
  isBuilt = false,
  env = {},
}: {
  readonly stores: StageStores;
  readonly dataDir: string;
  readonly preload: string;
  readonly isBuilt?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<{ readonly worker: Subprocess; readonly workerLog: WorkerLog }> {
  const workerLog = new WorkerLog();
  const worker = await startSubprocess({
    entry: 'apps/worker/src/main.ts',
    isBuilt,
    env: {
      REDIS_URL: stores.redisUrl,
      DATABASE_URL: stores.databaseUrl,
      OUTDIAL_DATA_DIR: dataDir,
      OUTDIAL_CARRIER: 'sip',
      SIP_PORT: '0',
      SIP_RTP_PORTS: WORKER_RTP_PORTS,
      OUTDIAL_SECRET_KEY: SECRET_KEY_HEX,
      OUTDIAL_WORKER_CONCURRENCY: String(MOST_CALLS),
      OUTDIAL_DRAIN_SECONDS: '0',
      OUTDIAL_SOUND_LOG_SECONDS: String(INTERVAL_SECONDS),
      // As the caller of the benchmark sets it.
      OUTDIAL_MEDIA_PRIORITY: process.env['OUTDIAL_MEDIA_PRIORITY'] ?? 'raised',
      LOG_LEVEL: 'info',
      ...env,
    },
    preload,
    onLine: (text) => workerLog.read(text),
    ready: () => workerLog.takingCalls(),
  });
  return { worker, workerLog };
}

export const SECRET_KEY_HEX = '00'.repeat(32);

/** Resolves once each of the calls has this status. @throws if one ends too early */
export async function untilAll(
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
