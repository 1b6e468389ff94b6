import type { TrunkChannels } from '@outdial/calls';
import type { GateOptions } from './gate.ts';
import { gateKeys } from './keys.ts';
import type { ScriptContext } from './scripts/define-script.ts';
import { acquire, limitSystem, restoreChannels, take } from './scripts/trunk-channels.ts';

/** The channels and the pace of all trunks, beside the gate whose reservations they belong to. */
export function createTrunkChannels(options: GateOptions): TrunkChannels {
  const context: ScriptContext = { redis: options.redis, keys: gateKeys(options.keyPrefix) };
  return {
    acquire: (input) => acquire(context, input),
    take: (input) => take(context, input),
    limitSystem: (limits) => limitSystem(context, limits),
    restore: (token, channels) => restoreChannels(context, { token, channels }),
  };
}
