import { beforeEach, describe, expect, it } from 'vitest';
import { AdmitWorld, type Asked, type Fault } from '../../test/admit-world.ts';

let world: AdmitWorld;

beforeEach(() => {
  world = new AdmitWorld();
});

const FULL = { kind: 'capacity_exceeded', scope: 'account', limit: 2, inUse: 2 } as const;

describe('a round', () => {
  it('without due calls costs one statement', async () => {
    await world.schedule(-60_000);
    for (let round = 0; round < 8; round += 1) {
      await world.admitDue.round(world.stopping.signal);
      await world.clock.turn(250);
    }
    expect([world.count('beginTurns'), world.asked.length]).toEqual([8, 8]);
  });

  it('admits a call at its time, and not before', async () => {
    const callId = await world.schedule(-1_000);
    await world.clock.turn(999);
    await world.round();
    expect(world.stateOf(callId)).toBe('scheduled time');
    await world.clock.turn(1);
    await world.round();
    expect(world.stateOf(callId)).toBe('queued');
  });

  it('begins the turns of all accounts that are due, however many', async () => {
    world = new AdmitWorld({ accounts: 35 });
    const calls = await Promise.all(world.accountIds.map((accountId) => world.schedule(0, { accountId })));
    await world.round();
    expect(calls.map((callId) => world.stateOf(callId))).toEqual(calls.map(() => 'queued'));
    expect(world.count('beginTurns')).toBe(4);
  });

  it('runs at most twenty turns at once', async () => {
    world = new AdmitWorld({ accounts: 35 });
    for (const accountId of world.accountIds) await world.schedule(0, { accountId });
    world.faults.set('takeDue', 'hangs');
    void world.admitDue.round(world.stopping.signal);
    await world.pass(1_000);
    expect(world.count('takeDue')).toBe(20);
  });

  it('ends calls that have waited too long, in batches, and counts them', async () => {
    for (let nth = 0; nth < 501; nth += 1) await world.schedule(0, { schedule: { giveUpAtMs: world.clock.nowMs() } });
    await world.round();
    expect(world.count('endExpired')).toBe(2);
    expect(world.seen).toEqual(['500 schedule_expired', '1 schedule_expired']);
    expect(world.jobs).toEqual([]);
  });

  it('that fails is followed by the next one', async () => {
    const callId = await world.schedule();
    world.faults.set('beginTurns', 'rejects');
    await expect(world.round()).rejects.toThrow('beginTurns');
    world.faults.clear();
    await world.round();
    expect(world.stateOf(callId)).toBe('queued');
  });
});

describe('a neighbor', () => {
  it('is admitted at once beside an account whose gate is full', async () => {
    world = new AdmitWorld({ accounts: 2, capacity: 2 });
    const [busy, neighbor] = [world.account(0), world.account(1)];
    await world.scheduleMany(500, { accountId: busy });
    await world.round();
    const waitedMs: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const callId = await world.schedule(0, { accountId: neighbor });
      const dueAtMs = world.clock.nowMs();
      await world.round();
      if (world.stateOf(callId) === 'queued') waitedMs.push(world.clock.nowMs() - dueAtMs);
      await world.endCall(callId);
      await world.clock.turn(250);
    }
    expect(waitedMs).toEqual(Array.from({ length: 8 }, () => 0));
  });

  it('is admitted while a turn of another account hangs', async () => {
    world = new AdmitWorld({ accounts: 2 });
    const [slow, neighbor] = [world.account(0), world.account(1)];
    await world.schedule(0, { accountId: slow });
    world.faults.set('takeDue', 'hangs');
    await world.admitDue.round(world.stopping.signal);
    world.faults.clear();
    const callId = await world.schedule(0, { accountId: neighbor });
    await world.admitDue.round(world.stopping.signal);
    await world.pass(100);
    expect(world.stateOf(callId)).toBe('queued');
  });
});

describe('a turn', () => {
  it('that another worker has followed admits nothing, and does not end the turn of the other', async () => {
    const callId = await world.schedule();
    world.faults.set('takeDue', { lateMs: 10_100 });
    const round = world.round();
    await world.pass(10_050);
    const [other] = await world.store.beginTurns({ limit: 1 });
    await world.pass(1_000);
    await round;
    expect([world.stateOf(callId), world.seen]).toEqual(['scheduled time', []]);
    if (other) expect(await world.store.takeDue({ ...other, limit: 1 })).toHaveLength(1);
  });

  it('that stood still for too long admits nothing of what it took', async () => {
    const callId = await world.schedule();
    world.faults.set('findAccount', { lateMs: 1_900 });
    world.faults.set('reserve', { lateMs: 900 });
    const round = world.round();
    await world.pass(200);
    // The process stands still: its clock, and that of Postgres, go on.
    world.clock.jump(20_000);
    await world.pass(5_000);
    await round;
    expect([world.stateOf(callId), world.seen]).toEqual(['scheduled time', ['gone']]);
    expect([world.jobs, world.holds]).toEqual([[], []]);
  });

  it.each<[Asked, Fault]>([
    ['takeDue', 'rejects'],
    ['putBack', 'rejects'],
    ['endTurn', 'rejects'],
  ])('whose %s %s is broken off alone, and its account is due again when its time is over', async (asked, fault) => {
    const callId = await world.schedule();
    world.reserveAnswers.push(FULL);
    world.faults.set(asked, fault);
    await world.round();
    world.faults.clear();
    world.reserveAnswers.length = 0;
    await world.clock.turn(12_100);
    await world.round();
    expect(world.stateOf(callId)).toBe('queued');
  });
});

describe('while no trunk takes calls', () => {
  it('calls are admitted as long as it is of use: they wait in the queue', async () => {
    const callId = await world.schedule();
    world.availability = { kind: 'out', forMs: 1_000, backInMs: 20_000 };
    await world.round();
    expect(world.stateOf(callId)).toBe('queued');
  });

  it('calls wait where it is of none, and are looked at again after a second', async () => {
    const callId = await world.schedule();
    world.availability = { kind: 'none' };
    await world.round();
    expect([world.stateOf(callId), world.count('takeDue')]).toEqual(['scheduled time', 0]);
    world.availability = { kind: 'up' };
    await world.clock.turn(999);
    await world.round();
    expect(world.stateOf(callId)).toBe('scheduled time');
    await world.clock.turn(1);
    await world.round();
    expect(world.stateOf(callId)).toBe('queued');
  });
});

describe('how late calls are', () => {
  it('is reported of calls that nothing but the worker held up', async () => {
    await world.schedule(120);
    await world.round();
    expect(world.lateMs).toEqual([120]);
  });

  it('is not reported of calls that waited for a slot, and is again of those that are due later', async () => {
    await world.schedule(120);
    world.reserveAnswers.push(FULL);
    await world.round();
    await world.clock.turn(500);
    await world.round();
    expect([world.jobs.length, world.lateMs]).toEqual([1, []]);
    await world.clock.turn(100);
    await world.schedule(50);
    await world.round();
    expect(world.lateMs).toEqual([50]);
  });

  it('is not reported of calls beyond the free slots, nor of those that waited for a trunk', async () => {
    world.slots = 1;
    await world.scheduleMany(2);
    await world.round();
    world.slots = 10;
    await world.clock.turn(250);
    await world.round();
    world.availability = { kind: 'none' };
    await world.schedule();
    await world.round();
    world.availability = null;
    await world.clock.turn(1_000);
    await world.round();
    expect([world.jobs.length, world.lateMs]).toEqual([3, []]);
  });
});
