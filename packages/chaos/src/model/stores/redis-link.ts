import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { SimulatedRedis } from './simulated-redis.ts';

export interface RedisLinkInput {
  /** How a command reaches its Redis. */
  readonly send: <Answer>(what: string, run: () => Promise<Answer>) => Promise<Answer>;
  /** The Redis that the process reaches now: during a failover processes reach different ones. */
  readonly reach: () => SimulatedRedis;
  /** Called for every script that is sent, with the first words of its file and its KEYS and ARGV. */
  /** Called once a script has run, with its reply, before anything else happens. */
  readonly onReply?: (script: RanScript) => Promise<void>;
  readonly onScript?: (what: string, parameters: readonly string[]) => void;
}

export interface RanScript {
  readonly what: string;
  readonly parameters: readonly string[];
  readonly reply: unknown;
  /** Where it ran. */
  readonly redis: SimulatedRedis;
}

type Parameter = string | number;

/** Redis's own error for an unknown script. */
class UnknownScript extends Error {
  override readonly name = 'ReplyError';
}

/** The product's Redis client, connected to a Redis of the world. */
export function redisLink({ send, reach, onScript, onReply }: RedisLinkInput): Redis {
  const sources = new Map<string, string>();

  function run(source: string, keyCount: number, parameters: readonly Parameter[]): Promise<unknown> {
    const texts = parameters.map(String);
    const what = titleOf(source);
    onScript?.(what, texts);
    return send(what, async () => {
      const redis = reach();
      const reply = await redis.run(source, keyCount, texts);
      await onReply?.({ what, parameters: texts, reply, redis });
      return reply;
    });
  }

  const commands = {
    // On first use by its digest the whole script must be sent, in the product's own way.
    async evalsha(digest: string, keyCount: number, ...parameters: readonly Parameter[]): Promise<unknown> {
      const source = sources.get(digest);
      if (source === undefined) throw new UnknownScript('NOSCRIPT No matching script. Please use EVAL.');
      return run(source, keyCount, parameters);
    },
    eval(source: string, keyCount: number, ...parameters: readonly Parameter[]): Promise<unknown> {
      sources.set(createHash('sha1').update(source).digest('hex'), source);
      return run(source, keyCount, parameters);
    },
    set(...parameters: readonly Parameter[]): Promise<unknown> {
      return send('set', () => reach().client.call('SET', ...parameters));
    },
  };

  return new Proxy(reach().client, {
    get: (target, key): unknown => (key in commands ? Reflect.get(commands, key) : Reflect.get(target, key)),
  });
}

/** The first line of a script's header. */
function titleOf(source: string): string {
  return /--\[\[\s+([^\n]+)/.exec(source)?.[1] ?? 'a script';
}
