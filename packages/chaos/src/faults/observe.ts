import { setTimeout as sleep } from 'node:timers/promises';
import { CALL_STATES } from '@outdial/calls';
import type { CallStatus } from '@outdial/contracts';
import { readGate } from '../check/gate.ts';
import type { Account } from '../stack/account.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';

const POLL_MS = 50;

/**
 * Polls until the condition holds; a store that is down may answer later. @returns the elapsed time. @throws at the
 * limit
 */
export async function until(what: string, limitMs: number, holds: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  while (!(await holds().catch(() => false))) {
    if (performance.now() - startedMs > limitMs) throw new Error(`waited ${limitMs} ms without success for: ${what}`);
    await sleep(POLL_MS);
  }
  return performance.now() - startedMs;
}

/** Far beyond the promised times: those are judged by the measured time. */
export const PATIENCE_MS = 300_000;

export interface CallRow {
  readonly id: string;
  readonly status: CallStatus;
  readonly reason: string | null;
  readonly workerId: string | null;
}

export function callsOf({ sql }: Pick<Stack, 'sql'>, account: Account): Promise<CallRow[]> {
  return sql<CallRow>(
    'SELECT id::text, status::text, ended_reason::text AS reason, worker_id AS "workerId" FROM calls WHERE account_id = $1',
    [account.id],
  );
}

export async function countIn(stack: Pick<Stack, 'sql'>, account: Account, status: CallStatus): Promise<number> {
  return (await callsOf(stack, account)).filter((call) => call.status === status).length;
}

export function untilStatus(stack: Stack, account: Account, status: CallStatus, count: number): Promise<number> {
  return until(
    `${count} calls are ${status}`,
    PATIENCE_MS,
    async () => (await countIn(stack, account, status)) >= count,
  );
}

/** A worker's id consists of its host, its pid and a random part. */
export function isDrivenBy(call: Pick<CallRow, 'workerId'>, pid: number): boolean {
  return call.workerId?.split(':')[1] === String(pid);
}

export async function openCallsOf(
  stack: Pick<Stack, 'sql'>,
  account: Account,
  pid: number,
): Promise<readonly CallRow[]> {
  const calls = await callsOf(stack, account);
  return calls.filter((call) => CALL_STATES.phases[call.status] === 'driven' && isDrivenBy(call, pid));
}

export async function holdsOf(stack: Stack, account: Account): Promise<number> {
  const gate = await readGate(stack);
  return [...gate.holds.values()].filter((hold) => hold.accountId === account.id).length;
}

export async function isGateOpen(stack: Stack): Promise<boolean> {
  return (await readGate(stack)).token !== null;
}

/** Resolves once all these calls have ended. */
export function untilEnded(stack: Pick<Stack, 'sql'>, callIds: readonly string[]): Promise<number> {
  return until(`${callIds.length} calls have ended`, PATIENCE_MS, async () => {
    const [row] = await stack.sql<{ open: number }>(
      'SELECT count(*)::int AS open FROM calls WHERE id = ANY($1::uuid[]) AND ended_at IS NULL',
      [callIds],
    );
    return row?.open === 0;
  });
}

/** SIGKILL; the process's legs in the simulated network die with it. */
export async function killService(stack: Stack, service: Service): Promise<void> {
  stack.killedPids.add(service.pid);
  await service.kill();
}

export function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('there is a first one');
  return item;
}
