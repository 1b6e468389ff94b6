import type { HoldOfCall } from '@outdial/calls';
import { micros, reservationIdSchema, type CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { defineScript, type ScriptContext } from './define-script.ts';

/** A script gets its arguments on Lua's stack. */
const MOST_CALLS = 1_000;

const readRecords = defineScript<readonly CallId[], readonly string[] | null>({
  file: 'read-holds-2.lua',
  keys: (keys) => [keys.gate, keys.holds],
  args: (callIds) => callIds,
  outcome(reply) {
    switch (reply.kind) {
      case 'holds':
        return reply.rest(0);
      case 'closed':
        return null;
      default:
        return reply.unexpected();
    }
  },
});

export async function readHolds(
  context: ScriptContext,
  callIds: readonly CallId[],
): Promise<readonly (HoldOfCall | null)[] | null> {
  invariant(callIds.length > 0 && callIds.length <= MOST_CALLS, `${callIds.length} calls were asked for their holds`);
  const records = await readRecords(context, callIds);
  return records && records.map((record) => (record === '' ? null : decode(record)));
}

/** The record format of `includes/hold.lua`. */
function decode(record: string): HoldOfCall {
  const [, reservationId, amount] = record.split(' ');
  invariant(amount !== undefined, `a hold has the record "${record}"`);
  return { reservationId: reservationIdSchema.parse(reservationId), holdMicros: micros(BigInt(amount)) };
}
