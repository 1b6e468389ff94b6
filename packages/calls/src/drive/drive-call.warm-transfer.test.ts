import { e164Schema, micros, TRANSFER_LIMITS } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FakeLeg } from '../../test/fake-carrier.ts';
import { callId, DriveWorld, pass } from '../../test/drive-world.ts';
import { LEASE_MS } from '../lease.ts';
import type { ConversationEvent } from '../ports/conversation.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const NUMBER = e164Schema.parse('+12025550142');
const WISH: ConversationEvent = {
  kind: 'transfer',
  destination: 'Sales',
  target: { kind: 'number', number: NUMBER },
  warm: { ringTimeoutSeconds: 20 },
};

/** The callee has answered a minute ago, and the destination rings. */
async function ring(world = new DriveWorld()) {
  const { leg: first, driving } = await world.answer();
  await pass(61_000);
  world.conversation.emit(WISH);
  await pass(0);
  return { world, first, driving, second: () => secondOf(world) };
}

function secondOf({ carrier }: DriveWorld): FakeLeg {
  const second = carrier.legs[1];
  invariant(second, 'the destination was dialed');
  return second;
}

async function connect(world = new DriveWorld()) {
  const ringing = await ring(world);
  const second = ringing.second();
  second.emit({ kind: 'answered' });
  await pass(5_000);
  world.conversation.emit({ kind: 'introduced' });
  await pass(0);
  return { ...ringing, second };
}

const states = (world: DriveWorld) => world.store.notes.map(({ data }) => data['state']);
const failures = (world: DriveWorld) => world.conversation.transferFailures.map(({ reason }) => reason);

describe('a warm transfer', () => {
  test('calls the destination on a second leg with its own hold, and the agent introduces the callee', async () => {
    const { world, first, second } = await ring();
    expect(second().request).toMatchObject({ calleeNumber: NUMBER, ringTimeoutMs: 20_000, maxDurationMs: 1_739_000 });
    expect(world.legs.stored.size).toBe(1);
    expect(world.conversation.introduced).toEqual([]);
    second().emit({ kind: 'answered' });
    await pass(0);
    const { callId: legId } = second().request;
    expect(world.conversation.introduced).toEqual([{ legId, leg: second() }]);
    expect([first.hangUps, first.transfers]).toEqual([0, []]);
    expect(legId).not.toBe(callId);
  });

  test.each(['callee', 'destination'] as const)(
    'that was connected ends transferred when the %s hangs up: both legs are billed, and both holds are free',
    async (who) => {
      const { world, first, second, driving } = await connect();
      await pass(60_000);
      (who === 'callee' ? first : second).end({ outcome: 'completed', by: 'callee' });
      await driving;
      expect([first.hangUps, second.hangUps]).toEqual(who === 'callee' ? [0, 1] : [1, 0]);
      const { reason, charge, legs } = world.settlement;
      expect(reason).toBe('transferred');
      expect(charge.billableSeconds).toBe(180);
      expect(legs).toMatchObject([{ result: 'connected', charge: { billableSeconds: 120, costMicros: 24_000n } }]);
      expect(states(world)).toEqual(['started', 'succeeded']);
      expect(world.store.notes[0]?.data).toMatchObject({ mode: 'warm' });
    },
  );

  test.each([
    ['busy', { outcome: 'busy', sipCode: 486 }, 'failed'],
    ['not answered', { outcome: 'no_answer' }, 'unreported'],
    ['refused', { outcome: 'rejected', sipCode: 403 }, 'failed'],
    ['without a trunk that has a channel', { outcome: 'unavailable' }, 'failed'],
  ] as const)(
    'whose destination is %s is reported to the agent, costs nothing and frees its hold',
    async (_, end, reason) => {
      const { world, driving, second } = await ring();
      second().end(end);
      await pass(0);
      expect(failures(world)).toEqual([reason]);
      expect(world.releases.map(({ callId: id }) => id)).toEqual([second().request.callId]);
      world.conversation.emit({ kind: 'hang_up', reason: 'agent_hangup' });
      await driving;
      expect(world.settlement).toMatchObject({
        reason: 'agent_hangup',
        legs: [{ answeredAtMs: null, charge: { costMicros: 0n } }],
      });
    },
  );

  test('whose destination hangs up during the introduction goes on with the callee, and is billed', async () => {
    const { world, driving, second } = await ring();
    second().emit({ kind: 'answered' });
    await pass(3_000);
    second().end({ outcome: 'completed' });
    await pass(0);
    expect(failures(world)).toEqual(['hung_up']);
    // Its hold pays for it until the end of the call.
    expect(world.releases).toEqual([]);
    world.conversation.emit({ kind: 'hang_up', reason: 'agent_hangup' });
    await driving;
    expect(world.settlement.legs).toMatchObject([{ result: 'not_connected', charge: { billableSeconds: 60 } }]);
  });

  test('whose destination is gone when the agent leaves ends the call: the callee would hear nothing', async () => {
    const { world, driving, second } = await ring();
    second().emit({ kind: 'answered' });
    await pass(3_000);
    second().end({ outcome: 'completed' });
    world.conversation.emit({ kind: 'introduced' });
    await driving;
    expect(world.settlement.reason).toBe('transferred');
  });

  test.each([
    [
      'the callee hangs up',
      'callee_hangup',
      (world: DriveWorld): void => world.carrier.legs[0]?.end({ outcome: 'completed' }),
    ],
    ['the API ends the call', 'hung_up_by_api', (world: DriveWorld): void => void (world.store.endRequested = true)],
  ] as const)('is hung up while it rings when %s', async (_, reason, happen) => {
    const { world, driving, second } = await ring();
    happen(world);
    world.driver.endRequested(callId);
    await pass(16_000);
    await driving;
    expect(second().hangUps).toBe(1);
    expect(world.settlement).toMatchObject({ reason, legs: [{ result: 'cancelled', charge: { costMicros: 0n } }] });
  });

  test('ends with the longest duration of its call', async () => {
    const { world, second, driving } = await connect(new DriveWorld({ maxDurationSeconds: 120 }));
    await pass(60_000);
    await driving;
    expect(second.hangUps).toBe(1);
    expect(world.settlement.reason).toBe('max_duration_reached');
    const { legs = [], endedAtMs } = world.settlement;
    expect(legs[0]?.endedAtMs).toBe(endedAtMs);
  });

  test('is not dialed for an account without funds or a free slot, and the model learns which', async () => {
    const world = new DriveWorld();
    const { driving } = await world.answer();
    const reserve = vi.spyOn(world.deps.gate, 'reserve');
    reserve.mockResolvedValueOnce({ kind: 'insufficient_funds', availableMicros: micros(1) });
    world.conversation.emit(WISH);
    await pass(0);
    reserve.mockResolvedValueOnce({ kind: 'capacity_exceeded', scope: 'account', limit: 1, inUse: 1 });
    world.conversation.emit(WISH);
    await pass(0);
    expect(failures(world)).toEqual(['no_funds', 'no_capacity']);
    expect(world.carrier.legs).toHaveLength(1);
    world.conversation.emit({ kind: 'hang_up', reason: 'agent_hangup' });
    await driving;
  });

  test('that Postgres refuses is not dialed, and frees its hold', async () => {
    const world = new DriveWorld();
    const { driving } = await world.answer();
    world.legs.refuses = true;
    world.conversation.emit(WISH);
    await pass(0);
    expect(failures(world)).toEqual(['unavailable']);
    expect(world.releases).toHaveLength(1);
    expect(world.carrier.legs).toHaveLength(1);
    world.conversation.emit({ kind: 'hang_up', reason: 'agent_hangup' });
    await driving;
  });

  test('is dialed once, however often and however late the model asks', async () => {
    const { world, driving } = await ring();
    world.conversation.emit(WISH);
    await pass(1_000);
    world.conversation.emit(WISH);
    await pass(1_000);
    expect(world.carrier.legs).toHaveLength(2);
    world.conversation.emit({ kind: 'hang_up', reason: 'agent_hangup' });
    await driving;
  });

  test('is not begun more often than a call may', async () => {
    const world = new DriveWorld();
    const { driving } = await world.answer();
    for (let attempt = 1; attempt <= TRANSFER_LIMITS.attempts + 1; attempt += 1) {
      world.conversation.emit(WISH);
      await pass(0);
      world.leg.end({ outcome: 'busy', sipCode: 486 });
      await pass(0);
    }
    expect(failures(world).at(-1)).toBe('too_many');
    expect(world.carrier.legs).toHaveLength(1 + TRANSFER_LIMITS.attempts);
    world.conversation.emit({ kind: 'hang_up', reason: 'agent_hangup' });
    await driving;
  });

  test('of a worker that has lost its call sends nothing', async () => {
    const world = new DriveWorld();
    const { driving } = await world.answer();
    world.legs.beforeBegin = () => world.store.takeAway();
    world.conversation.emit(WISH);
    await pass(0);
    await driving;
    expect(world.carrier.legs).toHaveLength(1);
    expect(world.store.settlements).toEqual([]);
  });

  test('is not dialed once the lease may be over', async () => {
    const world = new DriveWorld();
    const { driving } = await world.answer();
    world.store.away = true;
    await pass(LEASE_MS - 10_500);
    world.legs.beforeBegin = () => vi.setSystemTime(Date.now() + 1_000);
    world.conversation.emit(WISH);
    await pass(2_000);
    expect(world.carrier.legs).toHaveLength(1);
    world.store.away = false;
    await pass(60_000);
    await driving;
  });

  test('both legs of a lost worker are ended, and billed until its last renewal', async () => {
    const world = new DriveWorld();
    const claim = await world.claim(LEASE_MS);
    invariant(claim.kind === 'claimed', 'the first claim succeeds');
    const { startedAtMs, rate, holdMicros, limits, epoch } = claim.call;
    await world.store.advance({ callId, epoch, to: 'in_progress', atMs: startedAtMs + 1_000 });
    await world.store.saveDialog({ callId, epoch, carrier: 'fake', dialog: { leg: 1 } });
    const { legId } = { legId: callId };
    const leg = {
      legId,
      rate,
      holdMicros,
      limits,
      carrier: 'fake',
      dialog: { leg: 2 },
      writeAheadDial: true,
      endedAtMs: null,
    };
    world.store.orphanedLegs = [{ ...leg, startedAtMs: startedAtMs + 2_000, answeredAtMs: startedAtMs + 4_000 }];
    await pass(LEASE_MS / 2);
    await world.store.renewLease({ callId, epoch, leaseMs: LEASE_MS });
    await pass(LEASE_MS + 1_000);
    await world.drive();
    expect(world.carrier.orphansEnded).toEqual([{ leg: 1 }, { leg: 2 }]);
    expect(world.settlement).toMatchObject({
      reason: 'worker_lost',
      legs: [{ result: 'lost', charge: { billableSeconds: 60 } }],
    });
  });
});
