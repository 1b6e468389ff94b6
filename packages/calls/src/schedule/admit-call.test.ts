import { micros } from '@outdial/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { agentId, number, rate } from '../../test/accept-world.ts';
import { AdmitWorld, type Fault } from '../../test/admit-world.ts';
import { RowRejected, WritesUnavailable } from '../ports/accept-store.ts';
import { TOKEN } from '../testing/gate/gate-fixture.ts';

let world: AdmitWorld;

beforeEach(() => {
  world = new AdmitWorld();
});

describe('a call whose time has come', () => {
  it('is reserved, queued with what is decided now, and gets its job', async () => {
    world.rates = [{ ...rate, pricePerMinuteMicros: micros(60_000) }];
    const callId = await world.schedule();
    await world.round();
    expect(world.call(callId)).toMatchObject({ status: 'queued', holdMicros: 120_000n, rate: world.rates[0] });
    expect([world.holds, world.jobs, world.seen]).toEqual([[callId], [callId], ['admitted']]);
  });

  it('is admitted although the queue is away: the reconcile loop adds its job', async () => {
    const callId = await world.schedule();
    world.queue.away = true;
    await world.round();
    expect([world.stateOf(callId), world.seen]).toEqual(['queued', ['admitted']]);
  });

  it('keeps the version of its agent', async () => {
    await world.schedule(0, { agentVersion: 4 });
    await world.round();
    expect(world.versionsAsked).toEqual([`${agentId} 4`]);
  });

  it.each<[string, string, () => void]>([
    ['whose account is gone', 'account_disabled', () => world.accounts.clear()],
    ['whose account is disabled', 'account_disabled', () => world.change({ enabled: false })],
    ['whose account may not use the agent any more', 'agent_access_denied', () => (world.agent = null)],
    [
      'whose agent cannot be read any more',
      'invalid_request',
      () => (world.agent = { id: agentId, version: 1, requiredVariables: null, conducted: null }),
    ],
    [
      'that is longer than its account may talk now',
      'invalid_request',
      () => world.change({ maxDurationSeconds: 1_799 }),
    ],
    [
      'whose model has no credential any more',
      'provider_not_configured',
      () =>
        (world.agent = {
          id: agentId,
          version: 1,
          requiredVariables: [],
          conducted: { driver: 'cascade', needs: [STT], maxDurationSeconds: null },
        }),
    ],
    [
      'whose number the account has no more',
      'from_number_not_allowed',
      () => world.change({ outboundNumbers: [number('+12025550101')] }),
    ],
    ['whose destination is blocked now', 'destination_not_allowed', () => world.change({ blockedPrefixes: ['1202'] })],
    ['whose destination has no rate any more', 'destination_not_allowed', () => (world.rates = [])],
  ])('%s ends, and says why', async (_name, code, happen) => {
    const callId = await world.schedule();
    happen();
    await world.round();
    expect(world.stateOf(callId)).toBe('ended not_permitted');
    expect(world.seen).toEqual([code, 'refused', '1 not_permitted']);
    expect([world.holds, world.jobs, world.count('reserve')]).toEqual([[], [], 0]);
  });

  it('may come from the number of the system as long as its account may use it', async () => {
    const systemNumber = number('+18005550100');
    world.systemNumber = systemNumber;
    world.change({ outboundNumbers: [], mayUseSystemNumber: true });
    const first = await world.schedule(0, { callerNumber: systemNumber });
    await world.round();
    world.change({ mayUseSystemNumber: false });
    const second = await world.schedule(0, { callerNumber: systemNumber });
    await world.clock.turn(250);
    await world.round();
    expect([first, second].map((callId) => world.stateOf(callId))).toEqual(['queued', 'ended not_permitted']);
  });
});

const STT = {
  component: 'stt',
  provider: 'deepgram',
  model: 'flux-general-en',
  credential: null,
  isFallback: false,
  path: 'stt',
} as const;

describe('an admission whose answer is lost', () => {
  it('that took effect: the call gets its job, and how late it was is not known', async () => {
    const callId = await world.schedule();
    world.faults.set('admit', 'lost');
    await world.round();
    expect([world.stateOf(callId), world.jobs, world.holds]).toEqual(['queued', [callId], [callId]]);
    expect([world.seen, world.lateMs]).toEqual([['admitted'], []]);
  });

  it.each<[string, Fault]>([
    ['rejects', 'rejects'],
    ['hangs', 'hangs'],
  ])('that %s without an effect: it is voided and released, and the call waits', async (_name, fault) => {
    const callId = await world.schedule();
    world.faults.set('admit', fault);
    await world.roundWhile(5_000);
    expect([world.stateOf(callId), world.jobs, world.holds]).toEqual(['scheduled null', [], []]);
    expect([world.seen, world.putBack]).toEqual([['unavailable'], ['1 null']]);
  });

  it('that commits late has no effect: its reservation was voided before', async () => {
    const callId = await world.schedule();
    world.faults.set('admit', { lateMs: 4_000 });
    await world.roundWhile(8_000);
    expect([world.stateOf(callId), world.jobs, world.holds]).toEqual(['scheduled null', [], []]);
  });

  it('of which nothing can be learned: its reservation stays for the reconcile loop, and no job is added', async () => {
    const callId = await world.schedule();
    world.faults.set('admit', 'hangs');
    world.faults.set('voidReservation', 'hangs');
    await world.roundWhile(6_000);
    expect([world.jobs, world.holds, world.seen]).toEqual([[], [callId], ['unavailable']]);
  });
});

describe('an admission that Postgres refuses', () => {
  it('since the number is on a do-not-call list ends the call `suppressed`, says so, and releases its reservation', async () => {
    const callId = await world.schedule();
    world.accepts.suppress(world.call(callId));
    await world.round();
    expect(world.stateOf(callId)).toBe('ended suppressed');
    expect(world.seen).toEqual(['suppressed', 'refused', '1 suppressed']);
    expect([world.holds, world.jobs, world.putBack]).toEqual([[], [], []]);
  });

  it('since the number is on a do-not-call list leaves the call scheduled while that end cannot be stored', async () => {
    const callId = await world.schedule();
    world.accepts.suppress(world.call(callId));
    world.faults.set('refuse', 'rejects');
    await world.round();
    expect([world.stateOf(callId), world.holds, world.jobs]).toEqual(['scheduled null', [], []]);
    world.faults.delete('refuse');
    await world.clock.turn(12_100);
    await world.round();
    expect(world.stateOf(callId)).toBe('ended suppressed');
  });

  it.each(['gone', 'voided'] as const)('as %s releases its reservation', async (kind) => {
    await world.schedule();
    world.admitAnswers.push({ kind });
    await world.round();
    expect([world.holds, world.jobs]).toEqual([[], []]);
    expect(world.seen).toEqual([kind === 'gone' ? 'gone' : 'unavailable']);
  });

  it('since the gate was stale closes that gate, requests a rebuild, and the call waits', async () => {
    const callId = await world.schedule();
    world.accepts.token = { ...TOKEN, generation: 2 };
    await world.round();
    expect([world.rebuildsRequested, world.gate.model.openToken]).toEqual([1, null]);
    expect([world.stateOf(callId), world.holds, world.seen]).toEqual(['scheduled null', [], ['unavailable']]);
  });

  it('since it takes no writes releases its reservation, and voids nothing', async () => {
    const callId = await world.schedule();
    world.admitAnswers.push(new WritesUnavailable(new Error('25006')));
    await world.round();
    expect([world.stateOf(callId), world.holds, world.count('voidReservation')]).toEqual(['scheduled null', [], 0]);
  });

  it('for its own data delays neither other calls nor their turn, and is tried again later', async () => {
    const bad = await world.schedule(2_000);
    const good = await world.schedule(1_000);
    world.admitAnswers.push(new RowRejected(new Error('22021')));
    await world.round();
    expect([world.stateOf(bad), world.stateOf(good), world.putBack]).toEqual(['scheduled time', 'queued', []]);
    expect(world.holds).toEqual([good]);
    await world.clock.turn(12_100);
    await world.round();
    expect(world.stateOf(bad)).toBe('queued');
  });
});

describe('a call that the gate does not reserve', () => {
  it('since an earlier reservation of it is held is left alone, and other calls are admitted', async () => {
    const left = await world.schedule(2_000);
    const good = await world.schedule(1_000);
    world.reserveAnswers.push({ kind: 'duplicate' });
    await world.round();
    expect([world.stateOf(left), world.stateOf(good), world.putBack]).toEqual(['scheduled time', 'queued', []]);
  });

  it('since the gate does not know its account is reserved once the account is loaded', async () => {
    const callId = await world.schedule();
    world.gate.model.accounts.clear();
    await world.round();
    expect(world.stateOf(callId)).toBe('queued');
  });

  it.each<[string, () => unknown]>([
    ['since it is closed', () => world.gate.close(TOKEN)],
    ['since it hangs', () => world.faults.set('reserve', 'hangs')],
    ['since it rejects', () => world.faults.set('reserve', 'rejects')],
  ])('%s waits, and nothing is held', async (_name, happen) => {
    const callId = await world.schedule();
    await happen();
    await world.roundWhile(2_000);
    expect([world.stateOf(callId), world.holds, world.jobs]).toEqual(['scheduled null', [], []]);
  });
});

describe('a directory that does not answer', () => {
  it.each<Fault>(['hangs', 'rejects'])('(%s) refuses no call: it waits', async (fault) => {
    const callId = await world.schedule();
    world.faults.set('findAccount', fault);
    await world.roundWhile(3_000);
    expect([world.stateOf(callId), world.seen, world.count('reserve')]).toEqual(['scheduled null', ['unavailable'], 0]);
  });
});
