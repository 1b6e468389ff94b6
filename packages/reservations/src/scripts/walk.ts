import type { AccountLimits, FoundHold } from '@outdial/calls';
import { accountIdSchema, callIdSchema, micros, reservationIdSchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { GateKeys } from '../keys.ts';
import { naturalArgument } from './arguments.ts';
import { defineScript, type ScriptContext } from './define-script.ts';

/** The approximate number of entries per page; Redis may return more or fewer. */
const PAGE_ENTRIES = 200;
const START = '0';

interface WalkInput {
  readonly collection: (keys: GateKeys) => string;
  readonly cursor: string;
}

interface Page {
  readonly token: string;
  readonly cursor: string;
  readonly nowMs: number;
  /** Id and record of each entry. */
  readonly entries: readonly (readonly [id: string, record: string])[];
}

const readPage = defineScript<WalkInput, Page | null>({
  file: 'walk-2.lua',
  keys: (keys, { collection }) => [keys.gate, collection(keys)],
  args: ({ cursor }) => [cursor, naturalArgument('entries of a page', PAGE_ENTRIES)],
  outcome(reply) {
    switch (reply.kind) {
      case 'closed':
        return null;
      case 'page':
        return {
          token: reply.text(0),
          cursor: reply.text(1),
          nowMs: reply.integer(2),
          entries: pairs(reply.rest(3)),
        };
      default:
        return reply.unexpected();
    }
  },
});

function pairs(flat: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index] ?? '', flat[2 * index + 1] ?? '']);
}

/**
 * Returns every entry that exists during the whole walk at least once. Ends early when the gate is closed or rebuilt: a
 * cursor means nothing in another collection.
 */
async function* walk(context: ScriptContext, collection: WalkInput['collection']): AsyncGenerator<Page> {
  let cursor = START;
  let token: string | null = null;
  do {
    const page = await readPage(context, { collection, cursor });
    if (page === null || (token !== null && page.token !== token)) return;
    if (page.entries.length > 0) yield page;
    token = page.token;
    cursor = page.cursor;
  } while (cursor !== START);
}

export async function* walkHolds(context: ScriptContext): AsyncGenerator<readonly FoundHold[]> {
  for await (const page of walk(context, (keys) => keys.holds)) {
    yield page.entries.map(([callId, record]) => decodeHold(callId, record, page.nowMs));
  }
}

export async function* walkAccounts(context: ScriptContext): AsyncGenerator<readonly AccountLimits[]> {
  for await (const page of walk(context, (keys) => keys.accounts)) {
    yield page.entries.map(([accountId, record]) => decodeAccountLimits(accountId, record));
  }
}

/** The record format of `includes/hold.lua`. */
function decodeHold(callId: string, record: string, nowMs: number): FoundHold {
  const [accountId, reservationId, amount, sinceMs] = record.split(' ');
  invariant(amount !== undefined && sinceMs !== undefined, `the hold of ${callId} has the record "${record}"`);
  return {
    callId: callIdSchema.parse(callId),
    accountId: accountIdSchema.parse(accountId),
    reservationId: reservationIdSchema.parse(reservationId),
    holdMicros: micros(BigInt(amount)),
    ageMs: nowMs - Number(sinceMs),
  };
}

/** The record format of `includes/account.lua`. */
function decodeAccountLimits(accountId: string, record: string): AccountLimits {
  const [balance, balanceVersion, capacity, capacityVersion] = record.split(' ');
  invariant(balance !== undefined && capacityVersion !== undefined, `account ${accountId} has the record "${record}"`);
  return {
    accountId: accountIdSchema.parse(accountId),
    balanceMicros: micros(BigInt(balance)),
    balanceVersion: Number(balanceVersion),
    capacity: Number(capacity),
    capacityVersion: Number(capacityVersion),
  };
}
