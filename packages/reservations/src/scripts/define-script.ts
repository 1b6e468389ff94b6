import { createHash } from 'node:crypto';
import { invariant } from '@outdial/kernel';
import type { GateKeys } from '../keys.ts';
import type { RedisClient } from '../redis-client.ts';
import { loadLua } from './load-lua.ts';
import { isRefusal, readReplies, readReply, type Reply } from './reply.ts';

/** The Redis and the keys that a script uses. */
export interface ScriptContext {
  readonly redis: RedisClient;
  readonly keys: GateKeys;
}

export interface ScriptDefinition<Input, Outcome> {
  /** Below `lua/`. The number in the name is how many keys the script takes. */
  readonly file: `${string}.lua`;
  /** In the order of the script's KEYS. */
  readonly keys: (keys: GateKeys, input: Input) => readonly string[];
  /** In the order of the script's ARGV. */
  readonly args: (input: Input, keys: GateKeys) => readonly string[];
  /**
   * Whether the command includes the script's source. A Redis that hangs may report an unknown script only after the
   * caller has given up, and a command that must take effect would be lost.
   */
  readonly isWhole?: (input: Input) => boolean;
  /** Converts the reply that the script's header declares into a closed outcome; throws on anything else. */
  readonly outcome: (reply: Reply) => Outcome;
}

/** Rejects when Redis returns an error, is away, or does not answer within the client's command timeout. */
export type Script<Input, Outcome> = (context: ScriptContext, input: Input) => Promise<Outcome>;

/** Defines a script with typed input and closed outcome. Reads the file at once, at startup. */
export function defineScript<Input, Outcome>(definition: ScriptDefinition<Input, Outcome>): Script<Input, Outcome> {
  const run = runnerOf(definition);
  return async (context, input) => definition.outcome(readReply(definition.file, await run(context, input)));
}

/** A script that takes several inputs at once, and answers each of them. */
export interface BatchDefinition<Input, Outcome> {
  readonly file: `${string}.lua`;
  readonly keys: (keys: GateKeys) => readonly string[];
  /** The arguments of one input. The script gets those of all inputs, one after the other. */
  readonly args: (input: Input) => readonly string[];
  readonly outcome: (reply: Reply) => Outcome;
}

/** Like `defineScript`, for a script that takes several inputs at once. */
export function defineBatchScript<Input, Outcome>(
  definition: BatchDefinition<Input, Outcome>,
): Script<readonly Input[], readonly Outcome[]> {
  const { file, keys, args, outcome } = definition;
  const run = runnerOf<readonly Input[]>({ file, keys, args: (inputs) => inputs.flatMap(args) });
  return async (context, inputs) => readReplies(file, await run(context, inputs), inputs.length).map(outcome);
}

/** Sends a script and returns Redis's raw reply. */
function runnerOf<Input>(
  definition: Omit<ScriptDefinition<Input, unknown>, 'outcome'>,
): (context: ScriptContext, input: Input) => Promise<unknown> {
  const source = loadLua(definition.file);
  const digest = createHash('sha1').update(source).digest('hex');
  const keyCount = Number(/-(\d+)\.lua$/.exec(definition.file)?.[1]);
  invariant(Number.isInteger(keyCount), `${definition.file} does not end in the number of its keys`);

  return async ({ redis, keys }, input) => {
    const scriptKeys = definition.keys(keys, input);
    invariant(scriptKeys.length === keyCount, `${definition.file} got ${scriptKeys.length} keys`);
    const parameters = [...scriptKeys, ...definition.args(input, keys)];
    return definition.isWhole?.(input)
      ? redis.eval(source, keyCount, ...parameters)
      : runByDigest(redis, digest, source, keyCount, parameters);
  };
}

/** A restarted Redis, or one whose script cache was flushed, gets the source once. */
async function runByDigest(
  redis: RedisClient,
  digest: string,
  source: string,
  keyCount: number,
  parameters: readonly string[],
): Promise<unknown> {
  try {
    return await redis.evalsha(digest, keyCount, ...parameters);
  } catch (error) {
    if (!isRefusal(error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.eval(source, keyCount, ...parameters);
  }
}
