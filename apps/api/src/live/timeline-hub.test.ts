import { randomUUID } from 'node:crypto';
import type { CallEvent, TimelinePosition, TimelineReader } from '@outdial/calls';
import { callIdSchema, type CallId } from '@outdial/contracts';
import { fakeClock, type FakeClock } from '@outdial/testkit';
import { beforeEach, expect, it } from 'vitest';
import { createTimelineHub, type TimelineHub } from './timeline-hub.ts';

/** Timelines in memory, with a switch that makes them unavailable. */
class Timelines implements TimelineReader {
  readonly asked: (readonly TimelinePosition[])[] = [];
  isAway = false;
  readonly #events = new Map<CallId, CallEvent[]>();
  #lastId = 0;

  add(callId: CallId): string {
    this.#lastId += 1;
    const id = String(this.#lastId);
    const timeline = this.#events.get(callId) ?? [];
    this.#events.set(callId, [...timeline, { id, atMs: 0, type: 'answered_by', data: {} }]);
    return id;
  }

  async readAfter(positions: readonly TimelinePosition[]): Promise<ReadonlyMap<CallId, readonly CallEvent[]>> {
    this.asked.push(positions);
    if (this.isAway) throw new Error('Postgres is unavailable');
    const found = positions.map(({ callId, afterId }): [CallId, readonly CallEvent[]] => [
      callId,
      (this.#events.get(callId) ?? []).filter(({ id }) => Number(id) > Number(afterId)),
    ]);
    return new Map(found.filter(([, events]) => events.length > 0));
  }
}

let clock: FakeClock;
let timelines: Timelines;
let hub: TimelineHub;
let errors: unknown[];
beforeEach(() => {
  clock = fakeClock();
  timelines = new Timelines();
  errors = [];
  hub = createTimelineHub({ clock, reader: timelines, onError: (error) => errors.push(error) });
});

const newCallId = () => callIdSchema.parse(randomUUID());
/** Lets everything that is ready run, without any time passing. */
const settled = () => clock.advance(0);

function follow(callId: CallId, afterId = '0') {
  const seen: string[] = [];
  const end = hub.follow({ callId, afterId }, (events) => seen.push(...events.map(({ id }) => id)));
  return { seen, end };
}

it('delivers events since the position, then hinted events, without any time passing', async () => {
  const callId = newCallId();
  const first = timelines.add(callId);
  const between = timelines.add(callId);
  const { seen } = follow(callId, first);
  await settled();
  expect(seen).toEqual([between]);
  const next = timelines.add(callId);
  hub.hint(callId);
  await settled();
  expect(seen).toEqual([between, next]);
});

it('finds an event without a hint within a second', async () => {
  const callId = newCallId();
  const { seen } = follow(callId);
  await settled();
  const id = timelines.add(callId);
  await clock.advance(1_000);
  expect(seen).toEqual([id]);
});

it('reads once a second for all followers together, and only while there are followers', async () => {
  const followed = Array.from({ length: 300 }, newCallId);
  const ends = followed.map((callId) => follow(callId).end);
  await settled();
  timelines.asked.length = 0;
  await clock.advance(3_000);
  expect(timelines.asked.map((positions) => positions.length)).toEqual([300, 300, 300]);
  for (const end of ends) end();
  hub.hint(followed[0] ?? newCallId());
  await clock.advance(10_000);
  expect(timelines.asked).toHaveLength(3);
});

it('reads only followed calls that have changed, and those that change together once', async () => {
  const [followed, neighbor, stranger] = [newCallId(), newCallId(), newCallId()];
  follow(followed);
  follow(neighbor);
  await settled();
  timelines.asked.length = 0;
  for (let count = 0; count < 50; count += 1) for (const callId of [followed, stranger]) hub.hint(callId);
  await settled();
  expect(timelines.asked).toEqual([[{ callId: followed, afterId: '0' }]]);
});

it('delivers to each follower of a call the events that it has not seen, once', async () => {
  const callId = newCallId();
  const ids = [timelines.add(callId), timelines.add(callId), timelines.add(callId)];
  const early = follow(callId);
  await settled();
  const late = follow(callId, ids[1]);
  const gone = follow(callId);
  gone.end();
  const next = timelines.add(callId);
  hub.hint(callId);
  await clock.advance(5_000);
  expect([early.seen, late.seen, gone.seen]).toEqual([[...ids, next], [ids[2], next], []]);
});

it('continues when the store is back, without losing or repeating an event', async () => {
  const callId = newCallId();
  const { seen } = follow(callId);
  const ids = [timelines.add(callId)];
  await clock.advance(1_000);
  timelines.isAway = true;
  for (let second = 0; second < 10; second += 1) {
    ids.push(timelines.add(callId));
    hub.hint(callId);
    await clock.advance(1_000);
  }
  expect(seen).toEqual(ids.slice(0, 1));
  // Retries about once a second: hints do not make it query a store that is away.
  expect(errors.length).toBeGreaterThan(5);
  expect(errors.length).toBeLessThanOrEqual(11);
  timelines.isAway = false;
  await clock.advance(2_000);
  expect(seen).toEqual(ids);
});

it('reads nothing after it is stopped', async () => {
  const callId = newCallId();
  follow(callId);
  await settled();
  await hub.stop();
  timelines.asked.length = 0;
  hub.hint(callId);
  follow(callId);
  await clock.advance(10_000);
  expect(timelines.asked).toEqual([]);
});
