import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { stageForEach } from '../stage-for-each.ts';
import { PlacedLeg, type CarrierStage } from './carrier-stage.ts';

/** What every `Carrier` promises about a leg. */
export function describeCarrier(name: string, open: () => Promise<CarrierStage>): void {
  describe(`a carrier: ${name}`, () => {
    const stage = stageForEach(open);
    eventCases(stage);
    hangUpCases(stage);
    dialCases(stage);
    orphanCases(stage);
  });
}

function eventCases(stage: () => CarrierStage): void {
  describe('a leg', () => {
    test('rings, is answered and ends, in this order', async () => {
      const call = new PlacedLeg(stage(), 'leaves').listen();
      expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'callee' });
      expect(call.kinds).toEqual(['ringing', 'answered', 'ended']);
      expect(call.events.at(-1)?.kind).toBe('ended');
      expect(stage().reached()).toBe(1);
    });

    test('that is rejected ends with what the far end said', async () => {
      const call = new PlacedLeg(stage(), 'busy').listen();
      expect(await call.end()).toMatchObject({ outcome: 'busy', by: 'callee', sipCode: 486 });
      expect(call.kinds).not.toContain('answered');
    });

    test('keeps its events, from the first one on, for a listener that comes late', async () => {
      const call = new PlacedLeg(stage(), 'rings');
      await setImmediate();
      call.listen();
      await call.until('ringing');
      call.leg.hangUp();
      await call.end();
      expect(call.kinds).toEqual(['ringing', 'ended']);
    });

    test('can be ended by another worker from the first ringing on', async () => {
      const call = new PlacedLeg(stage(), 'rings').listen();
      await call.until('ringing');
      expect(call.dialog).toBeDefined();
      // It crosses processes as JSON.
      expect(JSON.parse(JSON.stringify(call.dialog))).toEqual(call.dialog);
      call.leg.hangUp();
      await call.end();
    });
  });
}

function hangUpCases(stage: () => CarrierStage): void {
  describe('hanging up', () => {
    test.each([
      ['ringing', 'rings', 'cancelled'],
      ['answered', 'stays', 'completed'],
    ] as const)('a leg that is %s ends it once, and only after the far end is gone', async (when, callee, outcome) => {
      const call = new PlacedLeg(stage(), callee).listen();
      await call.until(when);
      call.leg.hangUp();
      call.leg.hangUp();
      expect(call.kinds).not.toContain('ended');
      expect(await call.end()).toMatchObject({ outcome, by: 'us' });
      call.leg.hangUp();
      await setImmediate();
      expect(call.kinds.filter((kind) => kind === 'ended')).toHaveLength(1);
    });
  });
}

function dialCases(stage: () => CarrierStage): void {
  describe('dialing', () => {
    test('sends nothing without a dial permit', async () => {
      const call = new PlacedLeg(stage(), 'stays', {
        mayDial: () => false,
        awaitDialPermit: async () => false,
      }).listen();
      expect(await call.end()).toMatchObject({ outcome: 'not_dialled', sipCode: null });
      expect(call.kinds).toEqual(['ended']);
      expect(stage().reached()).toBe(0);
    });

    test('waits for a dial permit, calls mayDial again, and dials once', async () => {
      let isAllowed = false;
      let asked = 0;
      const call = new PlacedLeg(stage(), 'rings', {
        mayDial: () => {
          asked += 1;
          return isAllowed;
        },
        awaitDialPermit: async () => {
          expect(stage().reached()).toBe(0);
          return (isAllowed = true);
        },
      }).listen();
      await call.until('ringing');
      expect(asked).toBe(2);
      expect(stage().reached()).toBe(1);
      call.leg.hangUp();
      await call.end();
    });

    test('sends nothing if the call is hung up while it waits', async () => {
      const [asking, answering] = [new AbortController(), new AbortController()];
      const asked = once(asking.signal, 'abort');
      const call = new PlacedLeg(stage(), 'stays', {
        mayDial: () => false,
        awaitDialPermit: async () => {
          const answered = once(answering.signal, 'abort');
          asking.abort();
          await answered;
          return true;
        },
      }).listen();
      await asked;
      call.leg.hangUp();
      answering.abort();
      expect(await call.end()).toMatchObject({ outcome: 'cancelled', by: 'us' });
      expect(stage().reached()).toBe(0);
    });

    test('begins an attempt before it sends anything, if it writes ahead', async () => {
      const reached: number[] = [];
      const call = new PlacedLeg(stage(), 'rings', {
        beginAttempt: async () => {
          reached.push(stage().reached());
          return 'begun';
        },
      }).listen();
      await call.until('ringing');
      expect(reached).toEqual(stage().carrier.writeAheadDial ? [0] : []);
      call.leg.hangUp();
      await call.end();
    });

    test('sends nothing if the attempt that it writes ahead is refused', async () => {
      const callee = stage().carrier.writeAheadDial ? 'stays' : 'busy';
      const call = new PlacedLeg(stage(), callee, { beginAttempt: async () => 'refused' }).listen();
      const { outcome } = await call.end();
      const isRefused = stage().carrier.writeAheadDial;
      expect([outcome, stage().reached()]).toEqual(isRefused ? ['not_dialled', 0] : ['busy', 1]);
    });
  });
}

function orphanCases(stage: () => CarrierStage): void {
  describe('ending an orphaned leg', () => {
    test('returns gone once the far end is, also for a leg that had ended', async () => {
      const call = new PlacedLeg(stage(), 'stays').listen();
      await call.until('answered');
      const { carrier } = stage();
      const ending = carrier.endOrphan(call.dialog ?? {});
      await call.end();
      expect(await ending).toBe('gone');
      expect(await carrier.endOrphan(call.dialog ?? {})).toBe('gone');
    });
  });
}
