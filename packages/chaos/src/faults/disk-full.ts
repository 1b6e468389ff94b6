import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endCall } from '../load/client.ts';
import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault } from './fault.ts';
import { callsOf, first, untilEnded, untilStatus } from './observe.ts';

const CALLS = 6;
/** Long enough to write some sound before and after. */
const TALK_MS = 4_000;

/** The disk is full before half of the calls start, and fills up during the other half. */
export const diskFull: Fault = {
  name: 'disk-full',
  expectation: 'calls are unaffected but have no recording; the log says why',
  carrier: 'sip',
  async run({ stack, clients }) {
    const account = await stack.account();
    const call = () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 300 });
    const control = await clients.placeMany(account, 1, call);
    const midway = await clients.placeMany(account, CALLS, call);
    await untilStatus(stack, account, 'in_progress', 1 + CALLS);
    await sleep(TALK_MS);
    await endAll(stack, account, control);
    await stack.fillDisk(true);
    const full = await clients.placeMany(account, CALLS, call);
    await untilStatus(stack, account, 'in_progress', 2 * CALLS);
    await sleep(TALK_MS);
    await endAll(stack, account, [...midway, ...full]);
    await stack.fillDisk(false);
    const recorded = await recordedOf(stack, account);
    const harmed = (await callsOf(stack, account)).filter(({ reason }) => reason !== 'hung_up_by_api');
    return {
      injected: 1,
      hit: midway.length + full.length,
      recoveryMs: null,
      violations: [
        ...(control.every((id) => recorded.has(id)) ? [] : ['the call before the fault has no recording']),
        ...full.filter((id) => recorded.has(id)).map((id) => `a call says that it has a recording: ${id}`),
        ...harmed.map(({ id, reason }) => `a call ended as ${reason}: ${id}`),
        ...((await saidWhy(stack)) ? [] : ['no log reports a failed recording']),
      ],
    };
  },
};

async function endAll(stack: Stack, account: Account, callIds: readonly string[]): Promise<void> {
  await Promise.all(callIds.map((callId) => endCall(first(stack.apis), account, callId)));
  await untilEnded(stack, callIds);
}

async function recordedOf(stack: Stack, account: Account): Promise<ReadonlySet<string>> {
  const rows = await stack.sql<{ id: string }>(
    'SELECT id::text FROM calls WHERE account_id = $1 AND recording_key IS NOT NULL',
    [account.id],
  );
  return new Set(rows.map(({ id }) => id));
}

async function saidWhy(stack: Stack): Promise<boolean> {
  const logs = await Promise.all(stack.workers.map(({ name }) => readFile(join(stack.logDir, `${name}.log`), 'utf8')));
  return logs.some((log) => log.includes('ENOSPC'));
}
