import { micros } from '@outdial/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callId, DriveWorld, pass } from '../../test/drive-world.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('limits', () => {
  test('a call of maximum duration ends max_duration_reached, billed to the second however late the timer was', async () => {
    const world = new DriveWorld({ maxDurationSeconds: 60 });
    const { leg, driving } = await world.answer();
    leg.confirmsAfterMs = 700;
    await pass(60_700);
    await driving;
    const { answeredAtMs, endedAtMs, reason, charge } = world.settlement;
    expect(reason).toBe('max_duration_reached');
    expect(endedAtMs - (answeredAtMs ?? 0)).toBe(60_000);
    expect(charge).toEqual({ billableSeconds: 60, costMicros: 12_000n });
  });

  test('a carrier that never ends the ringing is given up', async () => {
    const world = new DriveWorld({ ringTimeoutSeconds: 5 });
    const { leg, driving } = await world.dial();
    leg.emit({ kind: 'ringing', sipCode: 180 });
    await pass(45_000);
    await driving;
    expect(leg.hangUps).toBe(1);
    expect(world.settlement.reason).toBe('no_answer');
  });

  test('a leg that may be up is settled only once it can no longer be up', async () => {
    const world = new DriveWorld({ maxDurationSeconds: 60, ringTimeoutSeconds: 30 });
    world.carrier.confirmsAfterMs = null;
    const { driving } = await world.answer();
    await pass(60_000);
    expect(world.leg.hangUps).toBe(1);
    await pass(80_000);
    expect(world.store.settlements).toHaveLength(0);
    await pass(20_000);
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'max_duration_reached', charge: { billableSeconds: 60 } });
  });

  test('the conversation ends with our hang-up, and its later decisions carry the time of the hang-up', async () => {
    const world = new DriveWorld({ maxDurationSeconds: 60 });
    const { leg, driving } = await world.answer();
    leg.confirmsAfterMs = 32_000;
    await pass(59_999);
    expect(world.conversation.finished).toBe(0);
    await pass(1);
    expect(world.conversation.finished).toBe(1);
    world.conversation.emit({ kind: 'answered_by', answeredBy: 'human' });
    await pass(32_000);
    await driving;
    const { answeredAtMs, endedAtMs } = world.settlement;
    expect(endedAtMs - (answeredAtMs ?? 0)).toBe(60_000);
    expect(world.conversation.finished).toBe(1);
    expect(world.store.answeredByAtMs).toEqual([endedAtMs]);
  });

  test('talk beyond the hold ends funds_exhausted, and costs no more than the hold', async () => {
    const world = new DriveWorld({ fundsMicros: micros(13_000) });
    const { driving } = await world.answer();
    await pass(179_999);
    expect(world.leg.hangUps).toBe(0);
    await pass(1);
    await driving;
    expect(world.settlement).toMatchObject({
      reason: 'funds_exhausted',
      charge: { billableSeconds: 180, costMicros: 36_000n },
    });
    expect(world.store.holdMicros).toBe(36_000n);
  });

  test('a hold that can grow keeps the call going', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await pass(600_000);
    expect(leg.hangUps).toBe(0);
    leg.end({ outcome: 'completed' });
    await driving;
    expect(world.settlement.charge.costMicros).toBe(120_000n);
  });
});

describe('a requested end', () => {
  test('before the claim: nothing is dialed, and the call is cancelled', async () => {
    const world = new DriveWorld();
    world.store.endRequested = true;
    expect(await world.drive()).toEqual({ kind: 'done' });
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.settlement).toMatchObject({ reason: 'cancelled', neverDialled: true });
    expect(world.releases).toHaveLength(1);
  });

  test('between claim and dial: nothing is dialed, and the call is cancelled', async () => {
    const world = new DriveWorld();
    world.carrier.connectMs = 500;
    const driving = world.drive();
    await pass(100);
    world.store.endRequested = true;
    world.driver.endRequested(callId);
    await pass(400);
    await driving;
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.settlement).toMatchObject({ reason: 'cancelled', neverDialled: true });
  });

  test('while it rings: hung up at once', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.dial();
    leg.emit({ kind: 'ringing', sipCode: 180 });
    await pass(1_000);
    world.store.endRequested = true;
    world.driver.endRequested(callId);
    await driving;
    expect(world.settlement).toMatchObject({
      reason: 'hung_up_by_api',
      answeredAtMs: null,
      charge: { costMicros: 0n },
    });
  });

  test('is seen at the next write if its announcement was lost', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.dial();
    world.store.endRequested = true;
    leg.emit({ kind: 'ringing', sipCode: 180 });
    await driving;
    expect(world.settlement.reason).toBe('hung_up_by_api');
  });

  test('is seen at the next renewal if nothing else is written', async () => {
    const world = new DriveWorld();
    const { driving } = await world.answer();
    world.store.endRequested = true;
    await pass(16_000);
    await driving;
    expect(world.settlement.reason).toBe('hung_up_by_api');
  });

  test('an announcement without a request in Postgres ends nothing', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    world.driver.endRequested(callId);
    await pass(100);
    expect(leg.hangUps).toBe(0);
    leg.end({ outcome: 'completed' });
    await driving;
  });

  test('at the answer: an answer that crosses the hang-up is not billed', async () => {
    const world = new DriveWorld();
    world.carrier.confirmsAfterMs = 1_000;
    const { leg, driving } = await world.dial();
    world.store.endRequested = true;
    world.driver.endRequested(callId);
    await pass(10);
    leg.emit({ kind: 'answered' });
    await pass(1_000);
    await driving;
    expect(world.conversation.answered).toBe(0);
    expect(world.settlement).toMatchObject({
      reason: 'hung_up_by_api',
      answeredAtMs: null,
      charge: { costMicros: 0n },
    });
  });

  test('at the hang-up: a callee who hung up first has ended the call', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    world.store.before = (verb) => {
      if (verb === 'renew') leg.end({ outcome: 'completed', by: 'callee' });
    };
    world.store.endRequested = true;
    world.driver.endRequested(callId);
    await driving;
    expect(world.settlement.reason).toBe('callee_hangup');
  });

  test('billing stops when the hang-up is sent, not when the far end confirms it', async () => {
    const world = new DriveWorld();
    world.carrier.confirmsAfterMs = 30_000;
    const { driving } = await world.answer();
    await pass(45_000);
    world.conversation.emit({ kind: 'hang_up', reason: 'agent_hangup' });
    await pass(30_000);
    await driving;
    expect(world.settlement.charge.billableSeconds).toBe(60);
    expect(world.settlement.endedAtMs - (world.settlement.answeredAtMs ?? 0)).toBe(45_000);
  });
});
