import { createHash } from 'node:crypto';
import type { RedisClient } from '../src/redis-client.ts';

/** In the slot of the gate: in a cluster a script may read no other. */
const TIME_KEY = '{outdial}:standing-clock';

/** Precedes every script: `TIME` is what the test says. */
const PRELUDE = `
local server = redis
local redis = setmetatable({
  call = function(command, ...)
    if command ~= 'TIME' then
      return server.call(command, ...)
    end
    local micros = tonumber(server.call('GET', '${TIME_KEY}'))
    return { string.format('%.0f', math.floor(micros / 1000000)), string.format('%.0f', micros % 1000000) }
  end,
}, { __index = server })
`;

/** A client whose scripts run at a time that passes only when the test lets it. Set it again after a flush. */
export function standingClock(redis: RedisClient) {
  let nowMs = 1_800_000_000_000;
  const tell = () => redis.set(TIME_KEY, String(nowMs * 1_000));
  /** By the product's digest of a script, that of the script with the prelude. */
  const loaded = new Map<string, string>();
  const commands = {
    async evalsha(digest: string, keyCount: number, ...parameters: readonly string[]): Promise<unknown> {
      const own = loaded.get(digest);
      if (own === undefined) throw UNKNOWN_SCRIPT;
      return redis.evalsha(own, keyCount, ...parameters);
    },
    async eval(source: string, keyCount: number, ...parameters: readonly string[]): Promise<unknown> {
      const timed = `${PRELUDE}${source}`;
      loaded.set(digestOf(source), digestOf(timed));
      // In one command: a test of another file may flush the server's scripts at any moment.
      return redis.eval(timed, keyCount, ...parameters);
    },
  };
  const client = new Proxy(redis, {
    get: (target, key): unknown => (key in commands ? Reflect.get(commands, key) : Reflect.get(target, key)),
  });
  return {
    client,
    nowMs: () => nowMs,
    start: async () => void (await tell()),
    async pass(durationMs: number) {
      nowMs += durationMs;
      await tell();
    },
  };
}

/** By which Redis knows a script. */
function digestOf(source: string): string {
  return createHash('sha1').update(source).digest('hex');
}

/** What a Redis without the script answers: the whole script is sent then. */
const UNKNOWN_SCRIPT = Object.assign(new Error('NOSCRIPT No matching script.'), { name: 'ReplyError' });
