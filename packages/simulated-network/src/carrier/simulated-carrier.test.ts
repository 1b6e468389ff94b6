import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { LegDialog, LegEvent } from '@outdial/calls';
import { dialRequest } from '@outdial/telephony/testing';
import { describe, expect, it } from 'vitest';
import { endOf, recordEvents } from '../../test/call.ts';
import { dialAndTurn, openNetwork } from '../../test/network.ts';

const FRIENDLY = '+12025550100';
const NEVER_ANSWERS = '+12025550102';
const UNREACHABLE = '+12025550112';

/** A right to dial that is regained when the test says so. */
function patience() {
  const answering = new AbortController();
  const awaitDialPermit = async () => {
    await once(answering.signal, 'abort');
    return true;
  };
  return { awaitDialPermit, answer: () => answering.abort() };
}

describe('dialing', () => {
  it('calls mayDial in the tick in which the telephone is reached, after connecting', async () => {
    const at = openNetwork({ connectMs: 500 });
    let allowed = true;
    const { events } = await dialAndTurn(at, FRIENDLY, 499, { mayDial: () => allowed });
    allowed = false;
    at.clock.turn(1);
    await setImmediate();
    expect(at.dialled).toEqual([]);
    expect(events).toEqual([
      { kind: 'ended', end: expect.objectContaining({ outcome: 'not_dialled', sipCode: null }) },
    ]);
  });

  it('reaches no telephone when mayDial returns false', async () => {
    const at = openNetwork();
    const { events } = await dialAndTurn(at, FRIENDLY, 100_000, { mayDial: () => false });
    expect(at.dialled).toEqual([]);
    expect(endOf(events)?.outcome).toBe('not_dialled');
    expect(at.carrier.liveCallIds()).toEqual([]);
  });

  it('waits until the right is regained, and calls mayDial again in the tick in which it dials', async () => {
    const at = openNetwork();
    let allowed = false;
    const { awaitDialPermit, answer } = patience();
    await dialAndTurn(at, FRIENDLY, 100_000, { mayDial: () => allowed, awaitDialPermit });
    expect(at.dialled).toEqual([]);
    allowed = true;
    answer();
    await setImmediate();
    expect(at.dialled).toHaveLength(1);
  });

  it('reaches no telephone if the call is hung up while it waits', async () => {
    const at = openNetwork();
    const { awaitDialPermit, answer } = patience();
    const { leg, events } = await dialAndTurn(at, FRIENDLY, 100_000, { mayDial: () => false, awaitDialPermit });
    leg.hangUp();
    at.clock.turn(20);
    answer();
    await setImmediate();
    expect(at.dialled).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(['ended']);
  });

  it('reports each telephone that was really reached, and when', async () => {
    const at = openNetwork({ connectMs: 300 });
    const beganMs = at.clock.nowMs();
    const request = dialRequest('+12025550101');
    at.carrier.dial(request);
    await at.clock.turnGently(1_000);
    expect(at.dialled).toEqual([{ callId: request.callId, number: '+12025550101', atMs: beganMs + 300 }]);
  });

  it('reports the end for every telephone that was reached, and for no other', async () => {
    const at = openNetwork();
    const reached = dialRequest('+12025550105');
    at.carrier.dial(reached);
    await dialAndTurn(at, FRIENDLY, 10_000, { mayDial: () => false });
    expect(at.left.map(({ callId }) => callId)).toEqual([reached.callId]);
    expect(at.left[0]?.atMs).toBeGreaterThan(at.dialled[0]?.atMs ?? Infinity);
  });

  it('keeps events for a listener that is set later', async () => {
    const at = openNetwork();
    const leg = at.carrier.dial(dialRequest('+12025550105'));
    await setImmediate();
    at.clock.turn(10_000);
    expect(recordEvents(leg).map(({ kind }) => kind)).toEqual(['dialog', 'ringing', 'answered', 'ended']);
  });
});

describe('hanging up', () => {
  const ENDS = [
    { when: 'while connecting', number: FRIENDLY, afterMs: 50, outcome: 'cancelled', sipCode: null },
    { when: 'before it rings', number: '+12025550101', afterMs: 150, outcome: 'cancelled', sipCode: 487 },
    { when: 'while it rings', number: NEVER_ANSWERS, afterMs: 5_000, outcome: 'cancelled', sipCode: 487 },
    { when: 'after the answer', number: FRIENDLY, afterMs: 5_000, outcome: 'completed', sipCode: 200 },
  ] as const;

  it.each(ENDS)(
    '$when ends the leg once, after the far end has confirmed',
    async ({ number, afterMs, outcome, sipCode }) => {
      const at = openNetwork({ connectMs: 100 });
      const { leg, events } = await dialAndTurn(at, number, afterMs);
      leg.hangUp();
      leg.hangUp();
      expect(endOf(events)).toBeUndefined();
      expect(at.carrier.liveCallIds()).toHaveLength(1);
      at.clock.turn(20);
      leg.hangUp();
      at.clock.turn(3_600_000);
      expect(events.filter(({ kind }) => kind === 'ended')).toHaveLength(1);
      expect(endOf(events)).toMatchObject({ outcome, sipCode, by: 'us' });
      expect(at.carrier.liveCallIds()).toEqual([]);
      expect(at.clock.pendingTimers).toBe(0);
    },
  );

  it('without a response has to wait for timer B: no CANCEL without a provisional response', async () => {
    const at = openNetwork();
    const { leg, events } = await dialAndTurn(at, UNREACHABLE, 1_000, { ringTimeoutMs: 5_000 });
    leg.hangUp();
    at.clock.turn(30_999);
    expect(endOf(events)).toBeUndefined();
    at.clock.turn(1);
    expect(endOf(events)).toMatchObject({ outcome: 'cancelled', sipCode: null });
  });
});

describe('a leg ends by itself', () => {
  it('the ring timeout', async () => {
    const at = openNetwork();
    const { events } = await dialAndTurn(at, NEVER_ANSWERS, 7_000, { ringTimeoutMs: 7_000 });
    expect(endOf(events)).toBeUndefined();
    at.clock.turn(20);
    expect(endOf(events)).toMatchObject({ outcome: 'no_answer', sipCode: 487 });
  });

  it('by timer B, 32 s after an INVITE without a response, even past the ring timeout', async () => {
    const at = openNetwork();
    const { events } = await dialAndTurn(at, UNREACHABLE, 31_999, { ringTimeoutMs: 5_000 });
    expect(endOf(events)).toBeUndefined();
    at.clock.turn(1);
    expect(endOf(events)).toMatchObject({ outcome: 'unavailable', by: 'carrier', sipCode: null });
  });

  it('by the network, 10 s after the maximum duration', async () => {
    const at = openNetwork();
    const { events } = await dialAndTurn(at, '+12025550108', 1_000, { maxDurationMs: 60_000 });
    at.clock.turn(69_999);
    expect(endOf(events)).toBeUndefined();
    at.clock.turn(1);
    expect(endOf(events)).toMatchObject({ outcome: 'completed', by: 'carrier' });
  });

  it('all of it sooner in compressed time', async () => {
    const at = openNetwork({ media: { kind: 'off', speed: 10 } });
    const { events } = await dialAndTurn(at, NEVER_ANSWERS, 700, { ringTimeoutMs: 7_000 });
    at.clock.turn(2);
    expect(endOf(events)?.outcome).toBe('no_answer');
  });

  it('never before the maximum duration, which passes in real time', async () => {
    const at = openNetwork({ media: { kind: 'off', speed: 10 } });
    const { events } = await dialAndTurn(at, '+12025550100', 1_000, { maxDurationMs: 60_000 });
    at.clock.turn(69_000);
    expect(endOf(events)).toBeUndefined();
    at.clock.turn(1_000);
    expect(endOf(events)).toMatchObject({ outcome: 'completed', by: 'carrier' });
  });
});

const dialogOf = (events: readonly LegEvent[]): LegDialog =>
  events.flatMap((event) => (event.kind === 'dialog' ? [event.dialog] : []))[0] ?? {};

describe('ending an orphaned leg', () => {
  it('returns gone only once the far end is', async () => {
    const at = openNetwork();
    const { events } = await dialAndTurn(at, FRIENDLY, 5_000);
    let answer: string | undefined;
    const ending = at.carrier.endOrphan(dialogOf(events)).then((said) => (answer = said));
    await setImmediate();
    expect(answer).toBeUndefined();
    at.clock.turn(20);
    await ending;
    expect(answer).toBe('gone');
    expect(endOf(events)).toMatchObject({ outcome: 'completed', by: 'us' });
  });

  it('that already ended returns gone, whichever network of the process is asked', async () => {
    const at = openNetwork();
    const { leg, events } = await dialAndTurn(at, FRIENDLY, 5_000);
    leg.hangUp();
    at.clock.turn(20);
    expect(await at.carrier.endOrphan(dialogOf(events))).toBe('gone');
    expect(await openNetwork().carrier.endOrphan(dialogOf(events))).toBe('gone');
  });

  it('of another carrier returns unknown', async () => {
    expect(await openNetwork().carrier.endOrphan({ trunk: 'elsewhere' })).toBe('unknown');
  });
});
