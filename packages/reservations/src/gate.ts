import { randomUUID } from 'node:crypto';
import type { Gate, GateSnapshot, RebuildTicket } from '@outdial/calls';
import { gateKeys } from './keys.ts';
import type { RedisClient } from './redis-client.ts';
import { createReserveBatcher } from './reserve-batcher.ts';
import { loadAccount, refreshAccount } from './scripts/account-limits.ts';
import { abandonRebuild, beginRebuild } from './scripts/begin-rebuild.ts';
import type { ScriptContext } from './scripts/define-script.ts';
import { enlarge } from './scripts/enlarge.ts';
import { close, readState } from './scripts/gate-state.ts';
import { publish, stageAccounts, stageHolds } from './scripts/publish.ts';
import { readAccount } from './scripts/read-account.ts';
import { readHolds } from './scripts/read-holds.ts';
import { refreshSystem } from './scripts/refresh-system.ts';
import { release } from './scripts/release.ts';
import { walkAccounts, walkHolds } from './scripts/walk.ts';
import { stagedAccounts } from './staged-accounts.ts';

export interface GateOptions {
  /** Its `commandTimeout` bounds every command; without one a stopped Redis hangs the caller. */
  readonly redis: RedisClient;
  /** The prefix of every key; default `{outdial}`. */
  readonly keyPrefix?: string;
}

/** Small enough that reservations of other gates wait at most a few milliseconds behind one part. */
const STAGE_ENTRIES = 250;

/** The admission gate in Redis. */
export function createGate(options: GateOptions): Gate {
  const context: ScriptContext = { redis: options.redis, keys: gateKeys(options.keyPrefix) };
  const batcher = createReserveBatcher(context);
  return {
    reserve: (input) => batcher.reserve(input),
    enlarge: (input) => enlarge(context, input),
    release(input) {
      batcher.send();
      return release(context, input);
    },
    loadAccount: (token, limits) => loadAccount(context, { token, limits }),
    refreshAccount: (limits) => refreshAccount(context, limits),
    refreshSystem: (limits) => refreshSystem(context, limits),
    close: async (token) => void (await close(context, token)),
    beginRebuild: () => beginRebuild(context, { attemptId: randomUUID() }),
    abandonRebuild: async (ticket) => void (await abandonRebuild(context, ticket)),
    publish: (ticket, snapshot) => publishSnapshot(context, ticket, snapshot),
    state: () => readState(context, undefined),
    accountUse: (accountId) => readAccount(context, accountId),
    holdsOf: (callIds) => readHolds(context, callIds),
    holds: () => walkHolds(context),
    accounts: () => walkAccounts(context),
  };
}

/** Staged in parts under a unique name, then swapped in at once: readers see the old contents or the new ones. */
async function publishSnapshot(
  context: ScriptContext,
  ticket: RebuildTicket,
  snapshot: GateSnapshot,
): Promise<'published' | 'superseded'> {
  const attemptId = randomUUID();
  const accounts = stagedAccounts(snapshot);
  for (const items of parts(snapshot.holds)) await stageHolds(context, { attemptId, items });
  for (const items of parts(accounts)) await stageAccounts(context, { attemptId, items });
  return publish(context, {
    attemptId,
    ticket,
    token: snapshot.token,
    system: snapshot.system,
    holdCount: snapshot.holds.length,
    accountCount: accounts.length,
  });
}

function* parts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += STAGE_ENTRIES) yield items.slice(start, start + STAGE_ENTRIES);
}
