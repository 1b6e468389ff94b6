import { calleePlace, type PoliciesInForce } from '@outdial/policies';
import { beforeEach, describe, expect, test } from 'vitest';
import { number, rate } from '../../test/accept-world.ts';
import { AdmitWorld } from '../../test/admit-world.ts';
import { openDaily, own } from '../../test/policies.ts';

/** 23:00 in New York, where +1 202 is. */
const NOW = Date.parse('2026-12-02T04:00:00Z');
const OPENS_AT = Date.parse('2026-12-02T13:00:00Z');
const CLOSES_AT = Date.parse('2026-12-03T02:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const callee = number('+12025550143');
const daytime = own(openDaily('08:00-21:00'));

let world: AdmitWorld;

beforeEach(() => begin(NOW));

function begin(nowMs: number, policies: PoliciesInForce = daytime): void {
  world = new AdmitWorld();
  world.clock.jump(nowMs);
  world.change({ policies });
}

const due = (changes: Parameters<AdmitWorld['schedule']>[1] = {}) =>
  world.schedule(0, { ...changes, schedule: { giveUpAtMs: world.clock.nowMs() + 3 * DAY, ...changes.schedule } });
const untouched = () => [world.holds, world.jobs, world.count('reserve'), world.count('admit')];
const NOTHING = [[], [], 0, 0];

describe('a due call, while the hours of its callee are closed,', () => {
  test('waits until they open, with nothing reserved, and is admitted then', async () => {
    const callId = await due();
    await world.round();
    expect([world.stateOf(callId), world.postponed]).toEqual([
      'scheduled window',
      [{ waitingFor: 'window', dueAtMs: OPENS_AT }],
    ]);
    expect(untouched()).toEqual(NOTHING);
    world.clock.jump(OPENS_AT - NOW - 1);
    await world.round();
    expect(world.stateOf(callId)).toBe('scheduled window');
    world.clock.jump(1);
    await world.round();
    expect([world.stateOf(callId), world.jobs]).toEqual(['queued', [callId]]);
    expect(world.seen).toEqual(['postponed', 'admitted']);
  });

  test.each([
    ['closes', 4_999, 'scheduled window'],
    ['does not close', 5_000, 'queued'],
  ])('whose window %s within five seconds: %i ms left', async (_name, leftMs, state) => {
    begin(CLOSES_AT - leftMs);
    const callId = await due();
    await world.round();
    expect(world.stateOf(callId)).toBe(state);
    const opensAgain = [{ waitingFor: 'window', dueAtMs: CLOSES_AT + 11 * HOUR }];
    expect(world.postponed).toEqual(state === 'queued' ? [] : opensAgain);
  });

  test('is admitted at midnight where the next day goes on', async () => {
    begin(Date.parse('2026-12-02T04:59:59Z'), own(openDaily('00:00-24:00')));
    const callId = await due();
    await world.round();
    expect(world.stateOf(callId)).toBe('queued');
  });

  test('ends `outside_calling_window` if it would be given up before they open', async () => {
    const late = await due({ schedule: { giveUpAtMs: OPENS_AT } });
    const waiting = await due({ schedule: { giveUpAtMs: OPENS_AT + 1 } });
    await world.round();
    expect([late, waiting].map((callId) => world.stateOf(callId))).toEqual([
      'ended outside_calling_window',
      'scheduled window',
    ]);
    expect(world.seen.toSorted()).toEqual([
      '1 outside_calling_window',
      'outside_calling_window',
      'postponed',
      'refused',
    ]);
    expect(untouched()).toEqual(NOTHING);
  });

  test('ends `outside_calling_window` where they never open', async () => {
    begin(NOW, own(openDaily()));
    const callId = await due();
    await world.round();
    expect(world.stateOf(callId)).toBe('ended outside_calling_window');
  });

  test('is judged by the zone that its request gave, too', async () => {
    begin(OPENS_AT);
    const given = await due({ place: calleePlace(callee, 'America/Los_Angeles') });
    const plain = await due();
    await world.round();
    expect([given, plain].map((callId) => world.stateOf(callId))).toEqual(['scheduled window', 'queued']);
    expect(world.postponed).toEqual([{ waitingFor: 'window', dueAtMs: OPENS_AT + 3 * HOUR }]);
  });

  test('is judged by the policy as it is now, not as it was when the call was scheduled', async () => {
    begin(NOW, own(openDaily('00:00-24:00')));
    const first = await due();
    world.change({ policies: daytime });
    await world.round();
    expect(world.stateOf(first)).toBe('scheduled window');
    world.change({ policies: own(openDaily('00:00-24:00')) });
    const second = await due();
    await world.round();
    // The first is looked at when it is due. Saving a policy makes it due earlier.
    expect([first, second].map((callId) => world.stateOf(callId))).toEqual(['scheduled window', 'queued']);
  });

  test('does not keep others of its account from being admitted', async () => {
    const waiting = [];
    for (let nth = 0; nth < 5; nth += 1) waiting.push(await due());
    const london = await due({ calleeNumber: number('+442071838750') });
    world.rates = [rate, { ...rate, prefix: '44' }];
    world.clock.jump(5 * HOUR);
    await world.round();
    expect(waiting.map((callId) => world.stateOf(callId))).toEqual(waiting.map(() => 'scheduled window'));
    expect(world.stateOf(london)).toBe('queued');
  });

  test('leaves its slot to the next: the turn goes on at once', async () => {
    begin(NOW + 5 * HOUR);
    world.slots = 2;
    world.rates = [rate, { ...rate, prefix: '44' }];
    for (let nth = 0; nth < 2; nth += 1) await due();
    const london = await due({ calleeNumber: number('+442071838750') });
    await world.round();
    expect([world.jobs, world.moreDue]).toEqual([[], 1]);
    await world.round();
    expect(world.jobs).toEqual([london]);
  });
});

describe('a due call whose number has reached a cap', () => {
  beforeEach(() => begin(NOW, own({ ...openDaily('00:00-24:00'), caps: [{ hours: 24, max: 1 }] })));

  test('waits until the cap lets it through, and its reservation is released', async () => {
    world.accepts.capped.set(callee, NOW + 2 * HOUR);
    const callId = await due();
    await world.round();
    expect([world.stateOf(callId), world.postponed]).toEqual([
      'scheduled cap',
      [{ waitingFor: 'cap', dueAtMs: NOW + 2 * HOUR }],
    ]);
    expect([world.holds, world.jobs, world.seen]).toEqual([[], [], ['postponed']]);
    world.clock.jump(2 * HOUR);
    await world.round();
    expect([world.stateOf(callId), world.holds]).toEqual(['queued', [callId]]);
  });

  test('ends `frequency_capped` if it would be given up before', async () => {
    world.accepts.capped.set(callee, NOW + 4 * DAY);
    const callId = await due();
    await world.round();
    expect([world.stateOf(callId), world.holds, world.postponed]).toEqual(['ended frequency_capped', [], []]);
    expect(world.seen).toEqual(['frequency_capped', 'refused', '1 frequency_capped']);
  });

  test.each(['rejects', 'hangs'] as const)(
    'is looked at again after a minute if the read of its end %s',
    async (fault) => {
      world.accepts.capped.set(callee, NOW + 2 * HOUR);
      world.faults.set('cappedUntilMs', fault);
      const callId = await due();
      await world.roundWhile(3_000);
      expect(world.stateOf(callId)).toBe('scheduled cap');
      const [postponed] = world.postponed;
      expect(postponed?.dueAtMs).toBeGreaterThanOrEqual(NOW + 60_000);
      expect(postponed?.dueAtMs).toBeLessThanOrEqual(NOW + 63_000);
    },
  );

  test('is due at once if the cap has just ended', async () => {
    const callId = await due();
    world.admitAnswers.push({ kind: 'frequency_capped' });
    await world.round();
    expect(world.postponed).toEqual([{ waitingFor: 'cap', dueAtMs: NOW }]);
    await world.round();
    expect(world.stateOf(callId)).toBe('queued');
  });

  test('stays for another turn if the store cannot note that it waits', async () => {
    world.accepts.capped.set(callee, NOW + 2 * HOUR);
    world.faults.set('postpone', 'rejects');
    const callId = await due();
    await world.round();
    expect([world.stateOf(callId), world.holds, world.jobs]).toEqual(['scheduled null', [], []]);
    expect(world.seen).toEqual(['unavailable']);
  });
});
