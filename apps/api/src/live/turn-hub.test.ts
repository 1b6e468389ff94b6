import { randomUUID } from 'node:crypto';
import type { TurnPosition, TurnReader } from '@outdial/calls';
import { callIdSchema, type CallId, type LiveTurn } from '@outdial/contracts';
import { fakeClock, type FakeClock } from '@outdial/testkit';
import * as fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { createTurnHub, type TurnHub } from './turn-hub.ts';

/** Stored turns in memory, with a switch that makes them unavailable. */
class Turns implements TurnReader {
  readonly asked: (readonly TurnPosition[])[] = [];
  isAway = false;
  readonly #stored = new Map<CallId, readonly LiveTurn[]>();

  store(callId: CallId, ...indexes: readonly number[]): void {
    this.#stored.set(callId, [...(this.#stored.get(callId) ?? []), ...indexes.map(turnOf)]);
  }

  async readFrom(positions: readonly TurnPosition[]): Promise<ReadonlyMap<CallId, readonly LiveTurn[]>> {
    this.asked.push(positions);
    if (this.isAway) throw new Error('Postgres is unavailable');
    const found = positions.map(({ callId, fromIndex }): [CallId, readonly LiveTurn[]] => [
      callId,
      (this.#stored.get(callId) ?? []).filter(({ index }) => index >= fromIndex),
    ]);
    return new Map(found.filter(([, turns]) => turns.length > 0));
  }
}

let clock: FakeClock;
let turns: Turns;
let hub: TurnHub;
let errors: unknown[];
beforeEach(() => {
  clock = fakeClock();
  turns = new Turns();
  errors = [];
  hub = createTurnHub({ clock, reader: turns, onError: (error) => errors.push(error) });
});

const newCallId = () => callIdSchema.parse(randomUUID());
/** Lets everything that is ready run, without any time passing. */
const settled = () => clock.advance(0);

function turnOf(index: number): LiveTurn {
  const times = { start_ms: index * 1_000, end_ms: index * 1_000 + 500 };
  return { index, replaces: [], role: 'agent', text: `${index}`, ...times, source: 'script', interrupted: false };
}

function follow(callId: CallId, fromIndex = 0) {
  const heard: number[] = [];
  const end = hub.follow({ callId, fromIndex }, (said) => heard.push(...said.map(({ index }) => index)));
  return { heard, end };
}

it('delivers stored turns from the position on, then announced ones, without any time passing', async () => {
  const callId = newCallId();
  turns.store(callId, 0, 1, 2);
  const { heard } = follow(callId, 1);
  await settled();
  hub.said(callId, [turnOf(3)]);
  expect(heard).toEqual([1, 2, 3]);
});

it('delivers only the turns of the call that is followed', async () => {
  const [callId, foreign] = [newCallId(), newCallId()];
  turns.store(foreign, 0);
  const { heard } = follow(callId);
  hub.said(foreign, [turnOf(1)]);
  await clock.advance(3_000);
  expect(heard).toEqual([]);
  expect([hub.follows(callId), hub.follows(foreign)]).toEqual([true, false]);
});

it('finds stored turns without an announcement within a second', async () => {
  const callId = newCallId();
  const { heard } = follow(callId);
  await settled();
  turns.store(callId, 0, 1);
  await clock.advance(1_000);
  expect(heard).toEqual([0, 1]);
});

it('holds an announced turn back until those before it are known', async () => {
  const callId = newCallId();
  const { heard } = follow(callId);
  await settled();
  hub.said(callId, [turnOf(2)]);
  await settled();
  expect(heard).toEqual([]);
  turns.store(callId, 0, 1);
  await clock.advance(1_000);
  expect(heard).toEqual([0, 1, 2]);
});

it('takes what it lacks from a later announcement', async () => {
  const callId = newCallId();
  const { heard } = follow(callId);
  hub.said(callId, [turnOf(0), turnOf(1)]);
  hub.said(callId, [turnOf(0), turnOf(1), turnOf(2)]);
  await clock.advance(2_000);
  expect(heard).toEqual([0, 1, 2]);
});

it('goes on after a turn that was never stored', async () => {
  const callId = newCallId();
  const { heard } = follow(callId);
  turns.store(callId, 0, 2);
  await settled();
  hub.said(callId, [turnOf(3)]);
  expect(heard).toEqual([0, 2, 3]);
});

it('reads once a second for all followers together, and only while there are followers', async () => {
  const followed = Array.from({ length: 300 }, newCallId);
  const ends = followed.map((callId) => follow(callId).end);
  await settled();
  turns.asked.length = 0;
  await clock.advance(3_000);
  expect(turns.asked.map((positions) => positions.length)).toEqual([300, 300, 300]);
  for (const end of ends) end();
  await clock.advance(10_000);
  expect(turns.asked).toHaveLength(3);
});

it('continues when the store is back', async () => {
  const callId = newCallId();
  turns.isAway = true;
  const { heard } = follow(callId);
  turns.store(callId, 0);
  await clock.advance(3_000);
  expect(errors.length).toBeGreaterThan(0);
  turns.isAway = false;
  await clock.advance(2_000);
  expect(heard).toEqual([0]);
  await hub.stop();
});

it('whatever announcements are lost, every follower receives each stored turn once and in order', async () => {
  const steps = fc.array(fc.constantFrom('say', 'lose', 'store', 'join', 'pass'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, async (schedule) => {
      const [time, store, callId] = [fakeClock(), new Turns(), newCallId()];
      const live = createTurnHub({ clock: time, reader: store, onError: () => undefined });
      const heard: number[][] = [];
      let [count, stored] = [0, 0];
      const save = () => {
        for (; stored < count; stored += 1) store.store(callId, stored);
      };
      const join = () => {
        const mine: number[] = [];
        heard.push(mine);
        live.follow({ callId, fromIndex: 0 }, (said) => mine.push(...said.map(({ index }) => index)));
      };
      join();
      for (const step of schedule) {
        if (step === 'say' || step === 'lose') count += 1;
        if (step === 'say')
          live.said(
            callId,
            Array.from({ length: count - stored }, (_, at) => turnOf(stored + at)),
          );
        if (step === 'store') save();
        if (step === 'join') join();
        if (step === 'pass') await time.advance(300);
      }
      save();
      await time.advance(2_000);
      for (const mine of heard) expect(mine).toEqual(Array.from({ length: count }, (_, index) => index));
      const stopped = live.stop();
      await time.advance(1_000);
      await stopped;
    }),
    { numRuns: 30 },
  );
});
