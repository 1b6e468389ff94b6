import { randomUUID } from 'node:crypto';
import { campaignIdSchema, micros, type CampaignId } from '@outdial/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { agentId, number } from '../../test/accept-world.ts';
import { AdmitWorld } from '../../test/admit-world.ts';
import { openDaily, own } from '../../test/policies.ts';
import { breakerOf, lineOf } from '../testing/lines/lines.ts';
import type { MemoryCampaign } from '../testing/schedule/memory-campaign.ts';

let world: AdmitWorld;
beforeEach(() => {
  world = new AdmitWorld();
});

const contacts = (count: number) => Array.from({ length: count }, (_, at) => number(`+${12_025_551_000 + at}`));

function campaign(count: number, changes: Partial<MemoryCampaign> = {}): MemoryCampaign {
  const id = campaignIdSchema.parse(randomUUID());
  return world.store.addCampaign({ id, accountId: world.account(0), contacts: contacts(count), ...changes });
}

/** How many calls of the campaign are queued. */
const queued = ({ id }: { readonly id: CampaignId }) =>
  world.store.callsOf(id).filter((callId) => world.stateOf(callId) === 'queued').length;
const dueInMs = () => (world.store.turns.get(world.account(0))?.dueAtMs ?? Infinity) - world.clock.nowMs();

/** Rounds every 250 ms, for so long. */
async function rounds(durationMs: number): Promise<void> {
  for (let atMs = 0; atMs < durationMs; atMs += 250) {
    await world.round();
    await world.clock.turn(250);
  }
}

describe('a turn with campaigns', () => {
  it('calls contacts in stock and stocks more, up to the campaigns’ part of the slots', async () => {
    world.slots = 20;
    const one = campaign(100);
    await world.round();
    expect(queued(one)).toBe(16);
    expect([dueInMs(), world.moreDue, one.heldBy]).toEqual([500, 0, null]);
    await rounds(2_000);
    expect(queued(one)).toBe(16);
  });

  it('that fills its hundred calls is followed by another at once', async () => {
    const one = campaign(130);
    await world.round();
    expect([queued(one), world.moreDue, dueInMs()]).toEqual([100, 1, 0]);
    await world.round();
    expect([queued(one), world.moreDue]).toEqual([130, 1]);
  });

  it('gives single calls their slots first', async () => {
    world.slots = 10;
    const singles = await world.scheduleMany(7);
    const one = campaign(10);
    await world.round();
    expect([singles.filter((callId) => world.stateOf(callId) === 'queued').length, queued(one)]).toEqual([7, 3]);
  });

  it('shares slots by weight', async () => {
    world.slots = 50;
    const [three, one] = [campaign(100, { weight: 30 }), campaign(100, { weight: 10 })];
    await world.round();
    expect([queued(three), queued(one)]).toEqual([30, 10]);
  });

  it('keeps to the most concurrent calls of a campaign', async () => {
    const one = campaign(10, { maxConcurrent: 3 });
    await rounds(3_000);
    expect(queued(one)).toBe(3);
  });

  it('keeps to the pace: one second’s burst, then a token at a time', async () => {
    const one = campaign(100, { callsPerSecond: 2, tokensAtMs: world.clock.nowMs() - 60_000 });
    await world.round();
    expect(queued(one)).toBe(2);
    await world.clock.turn(500);
    await rounds(5_000);
    expect(queued(one)).toBeGreaterThanOrEqual(10);
    expect(queued(one)).toBeLessThanOrEqual(13);
  });

  it('admits nothing of a campaign that was paused after its calls were taken', async () => {
    const one = campaign(3);
    world.faults.set('reserve', { lateMs: 500 });
    const round = world.round();
    await world.pass(100);
    one.isRunning = false;
    await world.pass(1_000);
    await round;
    expect([queued(one), world.holds.length]).toEqual([0, 0]);
    await rounds(2_000);
    expect(queued(one)).toBe(0);
  });
});

describe('a campaign whose agent needs a provider', () => {
  const line = lineOf('one', 3, { isShared: false });
  beforeEach(() => {
    const need = {
      component: 'llm',
      provider: 'openai',
      model: 'gpt',
      credential: null,
      isFallback: false,
      path: 'llm',
    } as const;
    const conducted = { driver: 'cascade', needs: [need], maxDurationSeconds: null } as const;
    world.agent = { id: agentId, version: 1, requiredVariables: [], conducted };
    world.hasCredential = true;
    world.lineDirectory.planned = [line];
  });

  it('admits no more calls than could get a line: queued ones have theirs to come', async () => {
    const one = campaign(10);
    await world.round();
    expect([queued(one), one.heldBy]).toEqual([3, null]);
    await rounds(2_000);
    expect([queued(one), one.heldBy]).toEqual([3, 'provider']);
    const [first] = world.jobs;
    if (first) await world.dial(first);
    await rounds(1_000);
    expect(queued(one)).toBe(3);
  });

  it('is held by the provider while its breaker is open, looks again within a second, and delays no single call', async () => {
    const breaker = breakerOf('one');
    world.lineDirectory.planned = [lineOf('one', 3, { isShared: false, breakers: [breaker] })];
    await world.lineGate.breakers.change(breaker, 0, { kind: 'open', forMs: 5_000, isChecked: true, owner: null });
    const one = campaign(10);
    await world.round();
    expect([queued(one), one.heldBy, dueInMs()]).toEqual([0, 'provider', 750]);
    const single = await world.schedule();
    await world.round();
    expect(world.stateOf(single)).toBe('queued');
    await rounds(8_000);
    expect(queued(one)).toBeGreaterThan(0);
  });

  it.each<[string, () => void]>([
    ['the gate is closed', () => (world.lineGate.token = null)],
    ['lines are not restored', () => (world.lineGate.areLinesRestored = false)],
    ['Postgres does not answer', () => (world.lineDirectory.away = true)],
  ])('is bounded by what is known alone: %s', async (_, forget) => {
    forget();
    const one = campaign(10);
    await world.round();
    expect([queued(one), one.heldBy]).toEqual([10, null]);
  });

  it('is held by the provider while its credential is missing, and goes on by itself', async () => {
    world.hasCredential = false;
    const one = campaign(10);
    await world.round();
    expect([one.heldBy, one.contacts.length, dueInMs()]).toEqual(['provider', 10, 5_000]);
    await rounds(20_000);
    expect([world.store.callsOf(one.id), one.contacts.length]).toEqual([[], 10]);
    world.hasCredential = true;
    await rounds(6_000);
    expect([queued(one), one.heldBy]).toEqual([3, 'provider']);
  });

  it('ends no call that it had taken when its credential was lost', async () => {
    const one = campaign(10);
    world.faults.set('takeDue', { lateMs: 500 });
    const round = world.round();
    await world.pass(100);
    world.hasCredential = false;
    await world.pass(1_000);
    await round;
    world.faults.clear();
    expect(one.heldBy).toBe('provider');
    expect(world.store.callsOf(one.id).filter((id) => world.call(id).status !== 'scheduled')).toEqual([]);
  });

  it('delays no campaign of another agent of the account', async () => {
    const [held, other] = [campaign(3), campaign(3, { agentVersion: 2 })];
    world.hasCredential = false;
    world.laterAgents.set(2, { id: agentId, version: 2, requiredVariables: [], conducted: null });
    await rounds(2_000);
    expect([queued(held), held.heldBy, queued(other)]).toEqual([0, 'provider', 3]);
  });

  it('shares a line with other campaigns', async () => {
    const [one, two] = [campaign(10), campaign(10)];
    await world.round();
    expect(queued(one) + queued(two)).toBe(3);
  });
});

describe('what holds a campaign', () => {
  it('its account, while that is disabled: no contact is taken, none is used up, and it goes on by itself', async () => {
    const one = campaign(10);
    world.change({ enabled: false });
    await world.round();
    expect([one.heldBy, one.contacts.length, dueInMs()]).toEqual(['account', 10, 5_000]);
    await rounds(60_000);
    expect([world.store.callsOf(one.id), one.contacts.length]).toEqual([[], 10]);
    world.change({ enabled: true });
    await rounds(6_000);
    expect([queued(one), one.heldBy]).toEqual([10, null]);
  });

  it('its account, also if that was disabled after the turn took calls', async () => {
    const one = campaign(10);
    world.faults.set('takeDue', { lateMs: 500 });
    const round = world.round();
    await world.pass(100);
    world.change({ enabled: false });
    await world.pass(1_000);
    await round;
    expect(one.heldBy).toBe('account');
    expect(world.store.callsOf(one.id).filter((id) => world.call(id).status !== 'scheduled')).toEqual([]);
  });

  it('not the account, while the directory does not say whether it is enabled', async () => {
    const one = campaign(3);
    world.faults.set('findAccount', 'rejects');
    await world.round();
    expect(one.heldBy).toBeNull();
    world.faults.clear();
    await rounds(2_000);
    expect(queued(one)).toBe(3);
  });

  it('the hours of its callees, while they are closed', async () => {
    // The world begins in the evening, where their numbers are.
    world.change({ policies: own(openDaily('08:00-09:00')) });
    const one = campaign(2);
    await world.round();
    expect(one.heldBy).toBe('window');
  });

  it('a cap, while the next numbers have reached it', async () => {
    const one = campaign(2);
    world.admitAnswers.push({ kind: 'frequency_capped' }, { kind: 'frequency_capped' });
    await world.round();
    expect(one.heldBy).toBe('cap');
  });

  it('nothing, where one of its calls begins although others wait', async () => {
    const one = campaign(2);
    world.admitAnswers.push({ kind: 'frequency_capped' });
    await world.round();
    expect([queued(one), one.heldBy]).toEqual([1, null]);
  });

  it('capacity, while no call could get a trunk', async () => {
    const one = campaign(2);
    world.availability = { kind: 'none' };
    await world.round();
    expect([queued(one), one.heldBy]).toEqual([0, 'capacity']);
  });

  it('capacity, while all its slots are taken by calls that wait for a trunk, and not once one of them is dialed', async () => {
    const one = campaign(5, { maxConcurrent: 2 });
    await rounds(1_500);
    expect([queued(one), one.heldBy]).toEqual([2, 'capacity']);
    const [first] = world.jobs;
    if (first) await world.dial(first);
    await rounds(1_000);
    expect(one.heldBy).toBeNull();
  });

  it('capacity, while single calls take every slot', async () => {
    world.slots = 4;
    await world.scheduleMany(8);
    const one = campaign(5);
    await rounds(1_500);
    expect([queued(one), one.heldBy]).toEqual([0, 'capacity']);
  });

  it('its budget: no hold goes beyond it', async () => {
    await world.schedule();
    await world.round();
    const [single] = world.jobs;
    const holdMicros = single ? world.call(single).holdMicros : micros(1);
    const one = campaign(10, { budgetMicros: micros(holdMicros * 3n + 1n) });
    await world.round();
    expect([queued(one), one.heldBy, dueInMs()]).toEqual([3, 'budget', 30_000]);
  });

  it('its window, until it opens', async () => {
    const days = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
    const one = campaign(5, { window: { timeZone: 'Europe/Berlin', week: days } });
    await world.round();
    expect([queued(one), one.heldBy, dueInMs()]).toEqual([0, 'window', 3_600_000]);
  });

  it('funds, also where a single call finds them missing first', async () => {
    const poor = { kind: 'insufficient_funds', availableMicros: micros(0) } as const;
    await world.schedule();
    world.reserveAnswers.push(poor);
    const one = campaign(5);
    await world.round();
    expect([queued(one), one.heldBy, dueInMs()]).toEqual([0, 'funds', 30_000]);
  });

  it('and lateness is not measured: its stock waits for slots by design', async () => {
    campaign(3);
    await world.round();
    expect(world.lateMs).toEqual([]);
  });
});
