import type { LineGate, LineReader } from '@outdial/calls';
import type { GateOptions } from './gate.ts';
import { gateKeys } from './keys.ts';
import type { ScriptContext } from './scripts/define-script.ts';
import { acquireLines, freeLines, lowerLine, readLines, restoreLines, takeLine } from './scripts/lines.ts';

/** The lines of all credentials, beside the gate whose reservations they belong to. */
export function createLineGate(options: GateOptions): LineGate {
  const context: ScriptContext = { redis: options.redis, keys: gateKeys(options.keyPrefix) };
  return {
    acquire: (input) => acquireLines(context, input),
    takeLine: (input) => takeLine(context, input),
    free: (input) => freeLines(context, input),
    lower: (input) => lowerLine(context, input),
    restore: (token, calls) => restoreLines(context, { token, calls }),
  };
}

/** Reads the lines without asking for any. */
export function createLineReader(options: GateOptions): LineReader {
  const context: ScriptContext = { redis: options.redis, keys: gateKeys(options.keyPrefix) };
  return { read: (input) => readLines(context, input) };
}
