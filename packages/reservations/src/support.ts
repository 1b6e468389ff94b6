import { gateKeys } from './keys.ts';
import type { RedisClient } from './redis-client.ts';
import { defineScript } from './scripts/define-script.ts';
import { isRefusal } from './scripts/reply.ts';

/** This Redis cannot carry the gate. The message says why and what to do. */
export class GateUnsupportedError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'GateUnsupportedError';
  }
}

/** Returns sections of INFO, of the server that has the gate. In a cluster a plain INFO would reach any node. */
const probe = defineScript<void, string>({
  file: 'probe-1.lua',
  keys: ({ gate }) => [gate],
  args: () => [],
  outcome: (reply) => (reply.kind === 'identified' ? reply.text(0) : reply.unexpected()),
});

/**
 * Called at startup. Returns warnings for the log, one sentence each: settings of this Redis that put data at risk.
 *
 * @throws GateUnsupportedError if scripts may not identify the Redis they run in, or it is a read-only replica.
 * @throws the client's error while Redis is away, which says nothing about its support.
 */
export async function assertGateSupport(redis: RedisClient): Promise<readonly string[]> {
  const info = await infoOfTheGate(redis);
  if (infoField(info, 'role') !== 'master') {
    throw new GateUnsupportedError('This Redis is a read-only replica: point REDIS_URL at its primary.');
  }
  return settingsWarnings(info);
}

/** @param info sections `memory` and `persistence` of INFO. */
export function settingsWarnings(info: string): readonly string[] {
  const warnings: string[] = [];
  const policy = infoField(info, 'maxmemory_policy');
  if (policy !== 'noeviction') {
    const found = policy === undefined ? 'does not report its maxmemory-policy' : `has the maxmemory-policy ${policy}`;
    warnings.push(`Redis ${found}: set it to noeviction, or a full Redis may drop reservations and jobs.`);
  }
  if (infoField(info, 'aof_enabled') !== '1') {
    warnings.push(
      'Redis keeps no append-only file: set appendonly to yes, or a restart loses the record of dialed calls.',
    );
  }
  return warnings;
}

async function infoOfTheGate(redis: RedisClient): Promise<string> {
  try {
    return await probe({ redis, keys: gateKeys() }, undefined);
  } catch (error) {
    // Any error but a reply of Redis means that it is away. A Redis that is loading its data rejects every command.
    if (
      !isRefusal(error) ||
      /^(LOADING|BUSY|NOAUTH|WRONGPASS|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|MOVED)\b/.test(error.message)
    )
      throw error;
    throw new GateUnsupportedError(
      'This Redis does not let scripts call INFO and TIME, without which a failover would go unnoticed: ' +
        'allow both commands for the user of REDIS_URL, or run your own Redis.',
      error,
    );
  }
}

function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}
