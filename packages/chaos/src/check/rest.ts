import { setTimeout as sleep } from 'node:timers/promises';
import type { PromiseLog } from '../load/promises.ts';
import type { Stack } from '../stack/stack.ts';
import { attemptViolations } from './attempts.ts';
import { campaignViolationsAtRest } from './campaigns.ts';
import { dialViolations } from './dials.ts';
import { gateViolations } from './gate.ts';
import { moneyViolations } from './money.ts';
import { promiseViolations } from './promises.ts';
import { stateViolations } from './states.ts';
import { suppressionViolations } from './suppressions.ts';
import { pendingDeliveries, webhookViolations } from './webhooks.ts';

const POLL_MS = 200;

/**
 * Resolves to true once every call has ended, campaigns are over, the gate agrees with Postgres and no webhook is pending; to
 * false at the limit.
 */
export async function untilAtRest(stack: Stack, limitMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + limitMs;
  while (performance.now() < deadlineMs) {
    if (await isAtRest(stack).catch(() => false)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function isAtRest(stack: Stack): Promise<boolean> {
  const open = await openCalls(stack);
  if (open.length > 0 || (await campaignViolationsAtRest(stack)).length > 0) return false;
  return (await gateViolations(stack)).length === 0 && (await pendingDeliveries(stack)) === 0;
}

async function openCalls(
  stack: Pick<Stack, 'sql'>,
): Promise<readonly { readonly id: string; readonly status: string }[]> {
  return stack.sql<{ id: string; status: string }>('SELECT id::text, status::text FROM calls WHERE ended_at IS NULL');
}

/** All invariants, to be checked once everything should have come to rest. */
export async function violationsAtRest(stack: Stack, promises: PromiseLog): Promise<readonly string[]> {
  const open = await openCalls(stack);
  const found = await Promise.all([
    moneyViolations(stack),
    stateViolations(stack),
    gateViolations(stack),
    dialViolations(stack),
    attemptViolations(stack),
    campaignViolationsAtRest(stack),
    suppressionViolations(stack),
    promiseViolations(stack, promises),
    webhookViolations(stack),
  ]);
  return [...open.map(({ id, status }) => `a call has not ended: ${id} (${status})`), ...found.flat()];
}
