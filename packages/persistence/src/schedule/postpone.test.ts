import type { ScheduleRow, TakenCall, Turn } from '@outdial/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invariant } from '@outdial/kernel';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { createScheduleStore } from './schedule-store.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const HOUR_MS = 3_600_000;

async function take({ accountId }: Party): Promise<{ readonly turn: Turn; readonly call: TakenCall }> {
  const turns = await world.schedules.beginTurns({ workerId: 'first', limit: 1_000 });
  const turn = turns.find((each) => each.accountId === accountId);
  invariant(turn, 'the account is due');
  const [call] = await world.schedules.takeDue({ ...turn, limit: 1 });
  invariant(call, 'a call is due');
  return { turn, call };
}

/** Makes the call due, and its account. */
async function makeDue({ accountId }: Party): Promise<void> {
  const { side } = world.database;
  await side.$executeRaw`UPDATE call_schedules SET due_at = clock_timestamp() - interval '1 second' WHERE account_id = ${accountId}::uuid`;
  await side.$executeRaw`UPDATE dial_turns SET due_at = clock_timestamp() - interval '1 second' WHERE account_id = ${accountId}::uuid`;
}

const eventsOf = async (party: Party, { callId }: Pick<ScheduleRow, 'callId'>) =>
  (await world.reader.events(party.accountId, callId))?.map(({ type, data }) => [type, data]);
const iso = (atMs: number) => new Date(atMs).toISOString();

describe('a call that is postponed', () => {
  test('notes in its timeline what it waits for and until when, once for each change', async () => {
    const party = await world.party();
    const row = await world.scheduleRow(party);
    await world.accepts.schedule(row);
    const [first, third] = [Date.now() + HOUR_MS, Date.now() + 2 * HOUR_MS];
    const steps = [
      { waitingFor: 'window', dueAtMs: first },
      { waitingFor: 'cap', dueAtMs: first },
      { waitingFor: 'cap', dueAtMs: third },
    ] as const;
    for (const step of steps) {
      const { turn, call } = await take(party);
      await world.schedules.postpone({ ...call, ...step });
      await world.schedules.endTurn({ ...turn, notBeforeMs: 0 });
      await makeDue(party);
    }
    expect(await eventsOf(party, row)).toEqual([
      ['scheduled', { scheduled_for: iso(row.schedule.scheduledForMs ?? 0) }],
      ['waiting', { for: 'window', until: iso(first) }],
      ['waiting', { for: 'cap', until: iso(first) }],
      ['waiting', { for: 'cap', until: iso(third) }],
    ]);
  });

  test('has no second entry for the same reason and time', async () => {
    const party = await world.party();
    const row = await world.scheduleRow(party);
    await world.accepts.schedule(row);
    const dueAtMs = Date.now() - 1;
    for (let nth = 0; nth < 3; nth += 1) {
      const { turn, call } = await take(party);
      await world.schedules.postpone({ ...call, waitingFor: 'cap', dueAtMs });
      await world.schedules.endTurn({ ...turn, notBeforeMs: 0 });
    }
    expect((await eventsOf(party, row))?.map(([type]) => type)).toEqual(['scheduled', 'waiting']);
  });

  test('is announced if its timeline has a new entry, and only then', async () => {
    const party = await world.party();
    await world.scheduled(party);
    const announced: unknown[] = [];
    const store = createScheduleStore(world.database, { onCommitted: (ids) => void announced.push([...ids]) });
    const { call } = await take(party);
    const wait = { waitingFor: 'window', dueAtMs: Date.now() + HOUR_MS } as const;
    await store.postpone({ ...call, ...wait });
    expect(announced).toEqual([[call.callId]]);
    await store.postpone({ ...call, ...wait });
    expect(announced).toHaveLength(1);
  });

  test('that was accepted to wait says so in its timeline, with the opening', async () => {
    const party = await world.party();
    const scheduledForMs = Date.now();
    const schedule = { scheduledForMs, giveUpAtMs: scheduledForMs + 2 * HOUR_MS, retry: null };
    const row = await world.scheduleRow(party, { schedule, waitingFor: 'window', dueAtMs: scheduledForMs + HOUR_MS });
    await world.accepts.schedule(row);
    expect(await eventsOf(party, row)).toEqual([
      ['scheduled', { scheduled_for: iso(scheduledForMs) }],
      ['waiting', { for: 'window', until: iso(scheduledForMs + HOUR_MS) }],
    ]);
    const turns = await world.schedules.beginTurns({ workerId: 'first', limit: 1_000 });
    expect(turns.map(({ accountId }) => accountId)).not.toContain(party.accountId);
  });
});
