import type { CallId } from '@outdial/contracts';
import { Redis } from 'ioredis';
import type { WorldClock } from '../world/clock.ts';

/** The identity that a Redis reports to its scripts. */
export interface Identity {
  readonly runId: string;
  readonly replicationId: string;
}

/** All data of a Redis at some moment, as an append-only file or a replica brings it back. */
export interface Contents {
  readonly keys: readonly { readonly key: string; readonly dump: Buffer }[];
  /** The jobs in it. */
  readonly jobs: ReadonlyMap<CallId, 'waiting' | 'running'>;
}

const HOST_KEY = 'simulated:host';
const PRODUCT_KEYS = '{outdial}*';

/**
 * Precedes every script of the product, which then runs unchanged with the world's clock instead of the machine's,
 * and with the identity that this Redis has in the world.
 */
const PRELUDE = `
local server = redis
local redis = setmetatable({
  call = function(command, ...)
    if command == 'TIME' then
      local ms = tonumber(server.call('HGET', '${HOST_KEY}', 'nowMs'))
      return { string.format('%.0f', math.floor(ms / 1000)), string.format('%.0f', (ms % 1000) * 1000) }
    end
    if command == 'INFO' then
      local host = server.call('HMGET', '${HOST_KEY}', 'runId', 'replicationId')
      return '# Simulated\\r\\nrun_id:' .. host[1] .. '\\r\\nmaster_replid:' .. host[2] .. '\\r\\n'
    end
    return server.call(command, ...)
  end,
}, { __index = server })
`;

/** One Redis server of the world, on a database of a real one. */
export class SimulatedRedis {
  readonly client: Redis;
  identity: Identity = { runId: 'none', replicationId: 'none' };
  jobs = new Map<CallId, 'waiting' | 'running'>();
  readonly #clock: WorldClock;
  readonly #loaded = new Map<string, string>();
  #toldMs = 0;

  constructor(url: string, clock: WorldClock) {
    this.client = new Redis(url, { maxRetriesPerRequest: 0 });
    this.#clock = clock;
  }

  async identify(identity: Identity): Promise<void> {
    this.identity = identity;
    await this.client.hset(HOST_KEY, { ...identity });
  }

  /** Empties it, as FLUSHALL does. The server keeps its identity. */
  async flush(): Promise<void> {
    await this.client.flushdb();
    this.jobs.clear();
    this.#toldMs = 0;
    await this.identify(this.identity);
  }

  /** Runs a script of the product. */
  async run(source: string, keyCount: number, parameters: readonly string[]): Promise<unknown> {
    await this.#tellTime();
    try {
      return await this.client.evalsha(await this.#load(source), keyCount, ...parameters);
    } catch (error) {
      // The server is shared, and another user of it may flush its scripts at any moment: this one command needs none of them.
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.client.eval(`${PRELUDE}${source}`, keyCount, ...parameters);
    }
  }

  async contents(): Promise<Contents> {
    const names = (await this.client.keys(PRODUCT_KEYS)).toSorted();
    const dumps = await Promise.all(names.map((name) => this.client.dumpBuffer(name)));
    const keys = names.flatMap((key, index) => {
      const dump = dumps[index];
      return dump ? [{ key, dump }] : [];
    });
    return { keys, jobs: new Map(this.jobs) };
  }

  async restore({ keys, jobs }: Contents): Promise<void> {
    await this.flush();
    await Promise.all(keys.map(({ key, dump }) => this.client.restore(key, 0, dump)));
    this.jobs = new Map(jobs);
  }

  async #load(source: string): Promise<string> {
    const known = this.#loaded.get(source);
    if (known !== undefined) return known;
    const digest = String(await this.client.script('LOAD', `${PRELUDE}${source}`));
    this.#loaded.set(source, digest);
    return digest;
  }

  async #tellTime(): Promise<void> {
    const { nowMs } = this.#clock;
    if (nowMs === this.#toldMs) return;
    this.#toldMs = nowMs;
    await this.client.hset(HOST_KEY, 'nowMs', nowMs);
  }
}
