import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@outdial/testkit';
import { z } from 'zod';
import { createLoad } from '../load/http-load.ts';
import { startSubprocess } from '../processes.ts';
import { processorSeconds } from '../processor-time.ts';
import { apiEnvironment, createsLoad, untilReady } from '../scenarios/creates.ts';
import { BALANCE_MICROS, CALLER_NUMBER, CAPACITY, PEPPER_HEX, REQUESTS_PER_SECOND } from '../seed.ts';
import type { StageStores } from '../stage.ts';

/** A tree with its own database and Redis database, in which its API accepts calls. */
export interface Contender {
  readonly root: string;
  readonly stores: StageStores;
  readonly apiKey: string;
  readonly agentId: string;
}

/** A store that answers late makes an API refuse calls for a moment. */
const REFUSED_SHARE = 0.01;
const preparedSchema = z.object({ apiKey: z.string(), agentId: z.string() });

/** The database is migrated by the tree's own migrations: its API may not know those of the other. */
export async function prepare(root: string, stores: StageStores): Promise<Contender> {
  const program = await readFile(new URL('prepare-database.mjs', import.meta.url), 'utf8');
  const seed = {
    balanceMicros: String(BALANCE_MICROS),
    capacity: CAPACITY,
    number: CALLER_NUMBER,
    pepperHex: PEPPER_HEX,
    requestsPerSecond: REQUESTS_PER_SECOND,
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@outdial/source', '--import=tsx', '--input-type=module', '--eval', program],
    {
      cwd: join(root, 'bench'),
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: stores.databaseUrl, BENCH_SEED: JSON.stringify(seed) },
    },
  );
  return { root, stores, ...preparedSchema.parse(JSON.parse(stdout)) };
}

/** A running API process of a tree. */
export interface RunningContender {
  /** Accepts creates for `seconds`. Throws if it refuses more than a busy machine explains. */
  measure(seconds: number): Promise<Sample>;
  stop(): Promise<void>;
}

export interface Sample {
  readonly acceptedPerSecond: number;
  /** Of the API process, for each accepted create. Needs Linux: elsewhere it is not a number. */
  readonly processorMicros: number;
}

export async function start({ root, stores, apiKey, agentId }: Contender): Promise<RunningContender> {
  const port = await freePort();
  const api = await startSubprocess({
    root,
    entry: 'apps/api/src/main.ts',
    env: apiEnvironment(stores, port),
    ready: () => untilReady(port),
  });
  const load = createsLoad({ port, apiKey, agentId });
  const usedSeconds = () => processorSeconds(api.pid).catch(() => NaN);
  return {
    async measure(seconds) {
      const before = await usedSeconds();
      const { acceptedPerSecond, refused } = await createLoad({ ...load, seconds });
      const accepted = acceptedPerSecond * seconds;
      if (refused > accepted * REFUSED_SHARE)
        throw new Error(`${root} rejected ${refused} creates: the figure is invalid`);
      return { acceptedPerSecond, processorMicros: (((await usedSeconds()) - before) * 1e6) / accepted };
    },
    stop: () => api.stop(),
  };
}
