import { setImmediate } from 'node:timers/promises';
import { dialRequest, toneSpeech } from '@outdial/telephony/testing';
import { deferred } from '@outdial/testkit/async';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOf, recordEvents } from '../../test/call.ts';
import { dialAndTurn, openNetwork, openSpeakingNetwork } from '../../test/network.ts';
import { hangsUpAfter } from '../personas/load.ts';
import { TEST_NUMBERS, type NumberTable } from '../personas/test-numbers.ts';

const FRIENDLY = '+12025550100';

describe('callees with sound', () => {
  it('are reached only once they can speak: rendering their voice does not reduce the ring timeout', async () => {
    const samples = deferred<Int16Array>();
    const { clock, carrier } = openSpeakingNetwork({ synthesize: () => samples.promise });
    let asked = 0;
    const mayDial = () => (asked += 1) > 0;
    const events = recordEvents(carrier.dial(dialRequest('+12025550107', { ringTimeoutMs: 5_000, mayDial })));
    await clock.turnGently(6_000);
    expect(events).toEqual([]);
    expect(asked).toBe(0);
    samples.resolve(new Int16Array(8_000));
    await clock.turnGently(2_000);
    expect(events.map(({ kind }) => kind)).toEqual(['dialog', 'ringing', 'answered']);
    expect(asked).toBe(1);
  });

  it('without a voice end the call with a reported error; the next call tries again', async () => {
    let fails = true;
    const { clock, carrier, errors } = openSpeakingNetwork({
      synthesize: (input) => (fails ? Promise.reject(new Error('no voice')) : toneSpeech.synthesize(input)),
    });
    const first = recordEvents(carrier.dial(dialRequest(FRIENDLY)));
    await setImmediate();
    expect(first).toEqual([{ kind: 'ended', end: expect.objectContaining({ outcome: 'unavailable', sipCode: null }) }]);
    expect(errors).toEqual([expect.objectContaining({ message: 'no voice' })]);
    fails = false;
    const second = recordEvents(carrier.dial(dialRequest(FRIENDLY)));
    await setImmediate();
    clock.turn(2_000);
    expect(second.map(({ kind }) => kind)).toContain('answered');
  });

  it('whose voice fails after we hung up leave the call canceled', async () => {
    const samples = deferred<Int16Array>();
    const { clock, carrier, errors } = openSpeakingNetwork({ synthesize: () => samples.promise });
    const leg = carrier.dial(dialRequest(FRIENDLY));
    const events = recordEvents(leg);
    leg.hangUp();
    samples.resolve(Promise.reject(new Error('no voice')));
    await clock.turnGently(100);
    expect(events.map((event) => (event.kind === 'ended' ? event.end.outcome : event.kind))).toEqual(['cancelled']);
    expect(errors).toHaveLength(1);
  });

  it('send early media before the answer, which is not an answer', async () => {
    const { clock, carrier } = openSpeakingNetwork();
    const leg = carrier.dial(dialRequest('+12025550110'));
    const events = recordEvents(leg);
    await setImmediate();
    clock.turn(1_000);
    expect(leg.media?.receive()?.some((sample) => sample > 1_000)).toBe(true);
    expect(events).toEqual([expect.objectContaining({ kind: 'dialog' }), { kind: 'ringing', sipCode: 183 }]);
    clock.turn(6_900);
    expect(events).toHaveLength(2);
    clock.turn(200);
    expect(events.at(-1)).toEqual({ kind: 'answered' });
  });

  it('drop queued audio when it is cleared, and report how much that was', async () => {
    const { carrier } = openSpeakingNetwork();
    const leg = carrier.dial(dialRequest(FRIENDLY));
    for (let frame = 0; frame < 7; frame += 1) leg.media?.send(new Int16Array(160));
    expect(leg.media?.clear()).toBe(140);
    expect(leg.media?.clear()).toBe(0);
  });
});

describe('callees without sound', () => {
  it('have at most two timers each in 5,000 live calls, and every leg ends once', async () => {
    const number = '+12025550190';
    const at = openNetwork({ table: new Map([[number, hangsUpAfter(60_000)]]) });
    const calls = Array.from({ length: 5_000 }, () => recordEvents(at.carrier.dial(dialRequest(number))));
    await setImmediate();
    expect(at.carrier.liveCallIds()).toHaveLength(5_000);
    // The callee's own timer, and the network's limit.
    expect(at.clock.pendingTimers).toBeLessThanOrEqual(2 * 5_000);
    at.clock.turn(60_000);
    for (const events of calls) expect(events.map(({ kind }) => kind)).toEqual(['dialog', 'answered', 'ended']);
    expect(at.carrier.liveCallIds()).toEqual([]);
    expect(at.clock.pendingTimers).toBe(0);
  });

  it('may make a call of zero duration', async () => {
    const number = '+12025550191';
    const at = openNetwork({ table: new Map([[number, hangsUpAfter(0)]]) });
    const { events } = await dialAndTurn(at, number, 0);
    expect(events.map(({ kind }) => kind)).toEqual(['dialog', 'answered', 'ended']);
    expect(endOf(events)).toMatchObject({ outcome: 'completed', by: 'callee' });
  });

  it('for any persona and any moment of hanging up: ordered events, one end, no timer left', async () => {
    const table: NumberTable = new Map([...TEST_NUMBERS, ['+12025550190', hangsUpAfter(3_000)]]);
    const scenario = fc.record({
      number: fc.constantFrom(...table.keys(), '+12025550177'),
      connectMs: fc.nat(300),
      ringTimeoutMs: fc.integer({ min: 5_000, max: 40_000 }),
      mayDial: fc.boolean(),
      hangUpAtMs: fc.nat(50_000),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ number, connectMs, ringTimeoutMs, mayDial, hangUpAtMs }) => {
        const at = openNetwork({ table, connectMs });
        const leg = at.carrier.dial(dialRequest(number, { ringTimeoutMs, mayDial: () => mayDial }));
        const events = recordEvents(leg);
        await at.clock.turnGently(connectMs);
        await at.clock.turnGently(hangUpAtMs, 1_000);
        leg.hangUp();
        at.clock.turn(40_000);
        const order = ['dialog', 'ringing', 'answered', 'on_hold', 'ended'];
        const places = events.map(({ kind }) => order.indexOf(kind));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(events.filter(({ kind }) => kind === 'ended')).toHaveLength(1);
        expect(events.at(-1)?.kind).toBe('ended');
        expect(at.dialled).toHaveLength(mayDial ? 1 : 0);
        expect(at.carrier.liveCallIds()).toEqual([]);
        expect(at.clock.pendingTimers).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
