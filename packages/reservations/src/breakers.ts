import type { Breakers } from '@outdial/calls';
import type { GateOptions } from './gate.ts';
import { gateKeys } from './keys.ts';
import { changeBreaker, openBreakers, recordOutcome } from './scripts/breakers.ts';
import type { ScriptContext } from './scripts/define-script.ts';

/** The breakers of all models, beside the gate whose lines they hold back. */
export function createBreakers(options: GateOptions): Breakers {
  const context: ScriptContext = { redis: options.redis, keys: gateKeys(options.keyPrefix) };
  return {
    record: (seen) => recordOutcome(context, seen),
    change: (breaker, streak, change) => changeBreaker(context, { breaker, streak, change }),
    open: () => openBreakers(context, undefined),
  };
}
