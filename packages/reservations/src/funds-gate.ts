import type { FundsGate } from '@outdial/calls';
import type { GateOptions } from './gate.ts';
import { gateKeys } from './keys.ts';
import type { ScriptContext } from './scripts/define-script.ts';
import { holdFunds } from './scripts/hold-funds.ts';

/** Sets funds aside for charges that are not a call's, in the same contents as the gate. */
export function createFundsGate(options: GateOptions): FundsGate {
  const context: ScriptContext = { redis: options.redis, keys: gateKeys(options.keyPrefix) };
  return { holdFunds: (input) => holdFunds(context, input) };
}
