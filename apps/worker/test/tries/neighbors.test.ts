import { newCallId, newReservationId } from '@outdial/calls/testing';
import { micros, type AccountId, type TryEvent, type TryId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TRY_TIMINGS } from '../../src/tries/ports.ts';
import { openTryStage, type TryStage } from './try-stage.ts';

/** One more than the tries that an account has at once. */
const LINES = 3;

let stage: TryStage;
beforeAll(async () => {
  stage = await openTryStage({ lines: LINES });
});
afterAll(() => stage.close());

const reported = (tryId: TryId, type: TryEvent['type']) =>
  expect.poll(async () => (await stage.events(tryId)).some((event) => event.type === type)).toBe(true);

/** What the gates answer to a call at once, without a wait: its place, and its line of the credential that tries use. */
async function placeOfCall(accountId: AccountId, usedBy: TryId): Promise<readonly string[]> {
  const call = { callId: newCallId(), accountId, reservationId: newReservationId() };
  const { token } = await stage.gate.state();
  const [limits] = await stage.reconcileStore.limitsOf([accountId]);
  invariant(token !== null && limits !== undefined, 'the gate is open, and the account exists');
  await stage.gate.loadAccount(token, limits);
  const reserved = await stage.gate.reserve({ ...call, holdMicros: micros(1_000_000) });
  const lines = await stage.store.linesOf(usedBy);
  const acquired = await stage.lineGate.acquire({ callId: call.callId, trunks: [], lines });
  await stage.gate.release(call);
  return [reserved.kind, acquired.kind];
}

test('tries of an account at their bound delay no call of a neighbor', async () => {
  const busy = await stage.account();
  const neighbor = await stage.account({ capacity: 1 });
  const of = { accountId: busy.id, agentId: busy.agentId };
  const held = [await stage.begin(of), await stage.begin(of)] as const;
  const running = held.map((tryId) => stage.run(tryId));
  for (const tryId of held) {
    await reported(tryId, 'started');
    for (let text = 0; text < 20; text += 1) await stage.say(tryId, 'Hello? Hello?');
  }
  await expect(stage.begin(of)).rejects.toThrow('too_many');

  expect(await placeOfCall(neighbor.id, held[0])).toEqual(['reserved', 'acquired']);

  for (const tryId of held) await stage.end(tryId);
  await Promise.all(running);
  expect(await stage.holds()).toBe(0);
});

/** Whether a call of this account finds a place now. */
async function hasPlace(accountId: AccountId): Promise<boolean> {
  const call = { callId: newCallId(), accountId, reservationId: newReservationId() };
  const reserved = await stage.gate.reserve({ ...call, holdMicros: micros(1_000_000) });
  await stage.gate.release(call);
  return reserved.kind === 'reserved';
}

test('a try releases its place before it reports its end', async () => {
  const account = await stage.account();
  const tryId = await stage.begin({ accountId: account.id, agentId: account.agentId });
  const running = stage.run(tryId);
  await reported(tryId, 'started');
  expect(await stage.holds()).toBe(1);
  await stage.end(tryId);
  await reported(tryId, 'ended');
  expect(await stage.holds()).toBe(0);
  expect(await hasPlace(account.id)).toBe(true);
  await running;
});

test('a try whose worker dies gives its place and its lines back once its lease is over, long before its time is', async () => {
  const account = await stage.account();
  const tryId = await stage.begin({ accountId: account.id, agentId: account.agentId });
  // A worker that dies after its place and its lines are taken renews neither.
  const claim = await stage.store.claim({ tryId, leaseMs: 1 });
  invariant(claim.kind === 'claimed', 'the worker claims it');
  expect(await stage.place(claim.job)).toBe('taken');
  expect(await stage.holds()).toBe(1);
  expect(claim.job.remainingMs).toBeGreaterThan(TRY_TIMINGS.leaseMs * 10);

  await expect.poll(() => stage.store.overdue({ waitMs: 1_000_000, limit: 10 })).toContain(tryId);
  await stage.sweep();
  expect(await stage.holds()).toBe(0);
  expect(await hasPlace(account.id)).toBe(true);
  expect((await stage.events(tryId)).at(-1)).toMatchObject({ type: 'ended', reason: 'worker_lost' });
});
