import { micros, type CallId } from '@outdial/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { number } from '../../test/accept-world.ts';
import { AdmitWorld } from '../../test/admit-world.ts';
import { TOKEN } from '../testing/gate/gate-fixture.ts';

let world: AdmitWorld;

beforeEach(() => {
  world = new AdmitWorld();
});

const FULL = { kind: 'capacity_exceeded', scope: 'account', limit: 2, inUse: 2 } as const;
const POOR = { kind: 'insufficient_funds', availableMicros: micros(0) } as const;

/** How many of the calls are in each state. */
function tally(calls: readonly CallId[]): Readonly<Record<string, number>> {
  const states = calls.map((callId) => world.stateOf(callId));
  return Object.fromEntries([...new Set(states)].map((state) => [state, states.filter((it) => it === state).length]));
}

/** The calls that are queued after these times, in ms, of a round every 250 ms. */
async function queuedAfter(...timesMs: readonly number[]): Promise<readonly number[]> {
  const counts: number[] = [];
  for (let atMs = 0; atMs <= Math.max(...timesMs); atMs += 250) {
    await world.round();
    if (timesMs.includes(atMs)) counts.push(world.jobs.length);
    await world.clock.turn(250);
  }
  return counts;
}

describe('the waves of a turn', () => {
  it('fill a free gate with a hundred calls, the longest due first, and the next turn goes on at once', async () => {
    const calls = await world.scheduleMany(130);
    await world.round();
    expect(tally(calls.slice(0, 100))).toEqual({ queued: 100 });
    expect(tally(calls.slice(100))).toEqual({ 'scheduled time': 30 });
    expect(world.moreDue).toBe(1);
    await world.round();
    expect([tally(calls), world.moreDue]).toEqual([{ queued: 130 }, 1]);
  });

  it('stop at the first slot that the gate refuses: a reservation in vain is not made a hundred times', async () => {
    world = new AdmitWorld({ capacity: 6 });
    const calls = await world.scheduleMany(100);
    await world.round();
    expect(world.count('reserve')).toBe(4 + 16);
    expect(tally(calls)).toEqual({ queued: 6, 'scheduled capacity': 94 });
    expect([world.holds.length, world.jobs.length]).toEqual([6, 6]);
  });

  it('take as many calls as there are slots, and one to ask the gate where there is none', async () => {
    world.slots = 3;
    const calls = await world.scheduleMany(10);
    await world.round();
    expect([world.count('reserve'), tally(calls)]).toEqual([3, { queued: 3, 'scheduled time': 7 }]);
    // There is no slot for the others: a round at once would find none either.
    expect(world.moreDue).toBe(0);
    world.reserveAnswers.push(FULL);
    await world.round();
    expect(world.count('reserve')).toBe(4);
    expect(tally(calls)).toEqual({ queued: 3, 'scheduled capacity': 1, 'scheduled time': 6 });
  });

  it('go past calls that may not be dialed', async () => {
    world.change({ blockedPrefixes: ['1900'] });
    const refused = await world.scheduleMany(5, { calleeNumber: number('+19005550100') });
    const good = await world.schedule();
    await world.round();
    expect([tally(refused), world.stateOf(good)]).toEqual([{ 'ended not_permitted': 5 }, 'queued']);
  });

  it('stop when the worker stops, and what it took is put back', async () => {
    const calls = await world.scheduleMany(50);
    world.faults.set('reserve', { lateMs: 100 });
    const round = world.round();
    await world.pass(50);
    world.stopping.abort();
    await world.pass(1_000);
    await round;
    expect([world.count('reserve'), tally(calls)]).toEqual([4, { queued: 4, 'scheduled null': 46 }]);
  });

  it('begin no later than their calls could be admitted', async () => {
    const calls = await world.scheduleMany(100);
    world.faults.set('admit', { lateMs: 2_300 });
    await world.roundWhile(20_000);
    expect([world.count('admit'), tally(calls)]).toEqual([20, { queued: 20, 'scheduled null': 80 }]);
  });
});

describe('after a refusal the account', () => {
  it('is looked at again for a slot after half a second', async () => {
    await world.schedule();
    world.reserveAnswers.push(FULL);
    expect(await queuedAfter(0, 250, 500)).toEqual([0, 0, 1]);
    expect(world.putBack).toEqual(['1 capacity']);
  });

  it('is looked at again for funds after half a minute', async () => {
    await world.schedule();
    world.reserveAnswers.push(POOR);
    expect(await queuedAfter(0, 29_750, 30_000)).toEqual([0, 0, 1]);
    expect(world.putBack).toEqual(['1 funds']);
  });

  it('is looked at at once if another call is scheduled while it waits', async () => {
    await world.schedule();
    world.reserveAnswers.push(POOR);
    await world.round();
    await world.schedule();
    await world.round();
    expect(world.jobs).toHaveLength(2);
  });

  it('is looked at again half a second after a closed gate, and what its calls wait for is not their account’s', async () => {
    const callId = await world.schedule();
    await world.gate.close(TOKEN);
    await world.round();
    expect([world.stateOf(callId), world.rebuildsRequested]).toEqual(['scheduled null', 1]);
    world.reserveAnswers.push({ kind: 'reserved', token: TOKEN });
    expect(await queuedAfter(0, 250, 500)).toEqual([0, 0, 1]);
  });

  it('has each call put back with what it waits for', async () => {
    await world.scheduleMany(6);
    world.reserveAnswers.push({ kind: 'reserved', token: TOKEN }, FULL, POOR, FULL);
    await world.round();
    // Those that were not tried wait for what the first one waits for.
    expect(world.putBack.toSorted()).toEqual(['1 funds', '4 capacity']);
  });
});
