import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DriveWorld, pass } from '../../test/drive-world.ts';
import { LEASE_MS } from '../lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a driven call', () => {
  test('goes from the queue to the callee’s hang-up, and is charged once and released', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await pass(61_000);
    leg.end({ outcome: 'completed', by: 'callee' });
    expect(await driving).toEqual({ kind: 'done' });
    expect(world.settlement).toMatchObject({
      reason: 'callee_hangup',
      neverDialled: false,
      charge: { billableSeconds: 120, costMicros: 24_000n },
    });
    expect(world.store.advances).toEqual(['ringing', 'in_progress']);
    expect(world.releases).toHaveLength(1);
    expect(world.driver.liveCalls()).toBe(0);
  });

  test('has times that continue from the claim and never contradict each other', async () => {
    const world = new DriveWorld();
    const startedAtMs = Date.now();
    const { leg, driving } = await world.dial();
    await pass(1_500);
    leg.emit({ kind: 'answered' });
    // An NTP correction must not make the call end before it was answered.
    vi.setSystemTime(Date.now() - 3_600_000);
    await pass(2_500);
    leg.end({ outcome: 'completed' });
    await driving;
    expect(world.settlement.answeredAtMs).toBe(startedAtMs + 1_500);
    expect(world.settlement.endedAtMs).toBe(startedAtMs + 4_000);
  });

  test('keeps the results of its conversation', async () => {
    const world = new DriveWorld();
    const result = { transcript: [], summary: 'said hello', answeredBy: 'human', recordingKey: 'a.wav' } as const;
    world.conversation.result = result;
    const { driving } = await world.answer();
    world.conversation.emit({ kind: 'answered_by', answeredBy: 'human' });
    await pass(5_000);
    world.conversation.emit({ kind: 'hang_up', reason: 'agent_hangup' });
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'agent_hangup', ...result });
    expect(world.conversation).toMatchObject({ opened: 1, answered: 1, finished: 1 });
  });

  test('notifies its agent when it is put on hold, which is billed as talk', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    leg.emit({ kind: 'on_hold', isOnHold: true });
    await pass(119_000);
    leg.emit({ kind: 'on_hold', isOnHold: false });
    expect(world.conversation.holds).toEqual([true, false]);
    leg.end({ outcome: 'completed', by: 'callee' });
    await driving;
    expect(world.settlement.charge).toEqual({ billableSeconds: 120, costMicros: 24_000n });
  });

  test('costs nothing if it is not answered', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.dial();
    leg.emit({ kind: 'ringing', sipCode: 180 });
    leg.end({ outcome: 'busy', sipCode: 486 });
    await driving;
    expect(world.settlement).toMatchObject({
      reason: 'busy',
      sipCode: 486,
      answeredAtMs: null,
      answeredBy: null,
      charge: { billableSeconds: 0, costMicros: 0n },
    });
    expect(world.conversation).toMatchObject({ answered: 0, finished: 1 });
  });

  test('leaves no timer behind', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    leg.end({ outcome: 'completed' });
    await driving;
    await pass(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a repeated job', () => {
  test('while the call is driven: tried again after that lease would expire', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await pass(10_000);
    expect(await world.drive()).toEqual({ kind: 'later', afterMs: LEASE_MS - 10_000 });
    leg.end({ outcome: 'completed' });
    await driving;
    expect(world.carrier.legs).toHaveLength(1);
  });

  test('after the call has ended: nothing happens', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    leg.end({ outcome: 'completed' });
    await driving;
    expect(await world.drive()).toEqual({ kind: 'done' });
    expect(world.store.settlements).toHaveLength(1);
    expect(world.carrier.legs).toHaveLength(1);
  });

  test('after the call’s time in the queue: it ends queue_expired', async () => {
    const world = new DriveWorld();
    world.store.queueExpired = true;
    await world.drive();
    expect(world.settlement).toMatchObject({ reason: 'queue_expired', neverDialled: true });
    expect(world.carrier.legs).toHaveLength(0);
  });
});

describe('events of the leg', () => {
  test('have no effect if they repeat or come late', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await pass(5_000);
    leg.emit({ kind: 'answered' });
    leg.emit({ kind: 'on_hold', isOnHold: true });
    leg.emit({ kind: 'on_hold', isOnHold: false });
    await pass(5_000);
    leg.end({ outcome: 'completed' });
    leg.end({ outcome: 'busy' });
    await driving;
    expect(world.conversation.answered).toBe(1);
    expect(world.settlement.endedAtMs - (world.settlement.answeredAtMs ?? 0)).toBe(10_000);
  });

  test('may include an answer without ringing', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.dial();
    leg.emit({ kind: 'answered' });
    leg.end({ outcome: 'completed' });
    await driving;
    expect(world.store.advances).toEqual(['in_progress']);
    expect(world.settlement).toMatchObject({ reason: 'callee_hangup', charge: { billableSeconds: 60 } });
  });

  test('store a changed dialog, so that any worker can end the leg', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    leg.emit({ kind: 'dialog', dialog: { tag: 'b' } });
    await pass(0);
    expect(world.store).toMatchObject({ dialog: { tag: 'b' }, carrier: 'fake' });
    leg.end({ outcome: 'completed' });
    await driving;
  });
});
