import { randomUUID } from 'node:crypto';
import { accountIdSchema, type AccountId, type CallId } from '@outdial/contracts';
import { fakeClock, type FakeClock } from '@outdial/testkit';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryEvents } from '../../test/memory-events.ts';
import { createChangeHub, type ChangeHub } from './change-hub.ts';
import type { ChangePosition } from './change-position.ts';

const ACCOUNTS = [1, 2, 3].map(() => accountIdSchema.parse(randomUUID()));
const [ours = accountIdSchema.parse(randomUUID()), theirs = ours] = ACCOUNTS;

let clock: FakeClock;
let events: MemoryEvents;
let hub: ChangeHub;
let errors: unknown[];
beforeEach(() => {
  clock = fakeClock();
  events = new MemoryEvents();
  errors = [];
  hub = createChangeHub({ clock, reader: events, onError: (error) => errors.push(error) });
});

function follow(accountId: AccountId, after: ChangePosition | null = null) {
  const heard: (CallId | 'resync')[] = [];
  let position = after;
  const end = hub.follow(accountId, after, (news, at) => {
    position = at;
    heard.push(...(news.kind === 'resync' ? (['resync'] as const) : news.calls.map(({ id }) => id)));
  });
  return { heard, end, position: () => position };
}

/** Lets everything that is ready run, without any time passing. */
const settled = () => clock.advance(0);

function change(callId: CallId): void {
  events.add(callId);
  hub.hint();
}

it('begins with a resync, then sends a hinted change at once, to the followers of that account alone', async () => {
  const [mine, foreign] = [events.newCall(ours), events.newCall(theirs)];
  events.add(mine);
  const [first, second, other] = [follow(ours), follow(ours), follow(theirs)];
  await settled();
  expect([first.heard, second.heard, other.heard]).toEqual([['resync'], ['resync'], ['resync']]);
  await clock.advance(500);
  change(mine);
  await settled();
  expect([first.heard, second.heard, other.heard]).toEqual([['resync', mine], ['resync', mine], ['resync']]);
  await clock.advance(500);
  change(foreign);
  await clock.advance(5_000);
  expect([first.heard, other.heard]).toEqual([
    ['resync', mine],
    ['resync', foreign],
  ]);
});

it('finds a change without a hint within a second', async () => {
  const callId = events.newCall(ours);
  const { heard } = follow(ours);
  await settled();
  events.add(callId);
  await clock.advance(1_000);
  expect(heard).toEqual(['resync', callId]);
});

it('sends a call that changes constantly at most ten times a second', async () => {
  const callId = events.newCall(ours);
  const { heard } = follow(ours);
  await clock.advance(500);
  events.asked.length = 0;
  for (let count = 0; count < 200; count += 1) {
    change(callId);
    await clock.advance(5);
  }
  expect(heard.length).toBeLessThanOrEqual(13);
  expect(events.asked.length).toBeLessThanOrEqual(12);
  await clock.advance(100);
  expect(heard.at(-1)).toBe(callId);
});

it('reads once a second for all followers together, and only while there are followers', async () => {
  const ends = ACCOUNTS.flatMap((accountId) => [follow(accountId).end, follow(accountId).end]);
  await clock.advance(500);
  events.asked.length = 0;
  await clock.advance(3_000);
  expect(events.asked.map(({ accountIds }) => accountIds.length)).toEqual([3, 3, 3]);
  for (const end of ends) end();
  hub.hint();
  await clock.advance(10_000);
  expect(events.asked).toHaveLength(3);
});

it('sends a change that commits behind the last one sent, and repeats none', async () => {
  const [slow, quick] = [events.newCall(ours), events.newCall(ours)];
  const { heard } = follow(ours);
  await settled();
  const commit = events.begin(slow);
  change(quick);
  await clock.advance(5_000);
  expect(heard).toEqual(['resync', quick]);
  commit();
  await clock.advance(5_000);
  expect(heard).toEqual(['resync', quick, slow]);
});

describe('a returning follower', () => {
  it('receives the changes that it missed, without a resync', async () => {
    const [before, missed] = [events.newCall(ours), events.newCall(ours)];
    const first = follow(ours);
    await settled();
    change(before);
    await clock.advance(1_000);
    first.end();
    events.add(missed);
    events.add(events.newCall(theirs));
    const second = follow(ours, first.position());
    // A read may have been in flight, with the rest period after it.
    await clock.advance(100);
    expect(second.heard).toEqual([missed]);
    const next = events.newCall(ours);
    change(next);
    await clock.advance(1_000);
    expect(second.heard).toEqual([missed, next]);
  });

  it.each<[string, (position: ChangePosition) => ChangePosition]>([
    ['from too old a position', (position) => position],
    ['from another history', (position) => ({ ...position, history: '00000009' })],
    ['from a position that never existed', (position) => ({ ...position, id: position.id + 1_000_000n })],
  ])('%s receives a resync', async (_, from) => {
    const first = follow(ours);
    await settled();
    first.end();
    events.skip(60_000);
    events.add(events.newCall(ours));
    const position = first.position();
    const second = follow(ours, position && from(position));
    await clock.advance(100);
    expect(second.heard).toEqual(['resync']);
    expect(events.asked.filter(({ afterId }) => afterId === position?.id)).toEqual([]);
  });
});

it('sends every follower a resync after a failover of Postgres to a replica', async () => {
  const callId = events.newCall(ours);
  const { heard } = follow(ours);
  await settled();
  events.history = '00000002';
  change(callId);
  await clock.advance(1_000);
  expect(heard).toEqual(['resync', 'resync']);
  change(callId);
  await clock.advance(1_000);
  expect(heard).toEqual(['resync', 'resync', callId]);
});

it('sends a resync for more changes than it can send, at most once a second', async () => {
  const { heard } = follow(ours);
  await settled();
  for (let count = 0; count < 2_001; count += 1) events.add(events.newCall(ours));
  hub.hint();
  await clock.advance(900);
  expect(heard).toEqual(['resync', 'resync']);
  for (let count = 0; count < 600; count += 1) events.add(events.newCall(ours));
  await clock.advance(2_000);
  expect(heard).toEqual(['resync', 'resync', 'resync']);
});

it('continues when the store is back, without losing a change', async () => {
  const callIds = [events.newCall(ours), events.newCall(ours)];
  const { heard } = follow(ours);
  await settled();
  events.isAway = true;
  const late = follow(ours);
  for (const callId of callIds) {
    change(callId);
    await clock.advance(1_000);
  }
  // Retries about once a second: hints do not make it query a store that is away.
  expect(errors.length).toBeLessThanOrEqual(3);
  events.isAway = false;
  await clock.advance(2_000);
  expect([heard, late.heard]).toEqual([['resync', ...callIds], ['resync']]);
});

it('reads nothing after it is stopped', async () => {
  follow(ours);
  await settled();
  const stopped = hub.stop();
  await clock.advance(1_000);
  await stopped;
  events.asked.length = 0;
  hub.hint();
  follow(ours);
  await clock.advance(10_000);
  expect(events.asked).toEqual([]);
});

type Step =
  | { readonly kind: 'begin'; readonly call: number }
  | { readonly kind: 'commit' | 'leave' | 'come back'; readonly pick: number }
  | { readonly kind: 'away' | 'back' }
  | { readonly kind: 'pass'; readonly ms: number };
const nat = fc.nat(1_000);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('begin'), call: fc.nat(5) }),
  fc.record({ kind: fc.constantFrom('commit', 'commit', 'leave', 'come back'), pick: nat }),
  fc.record({ kind: fc.constantFrom('away', 'back') }),
  fc.record({ kind: fc.constant('pass'), ms: fc.nat(400) }),
);

it('a follower that lists the calls at each resync and resumes from its position ends with the last state of each call', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const [time, store] = [fakeClock(), new MemoryEvents()];
      const live = createChangeHub({ clock: time, reader: store, onError: () => undefined });
      const callIds = ACCOUNTS.flatMap((accountId) => [store.newCall(accountId), store.newCall(accountId)]);
      const open: (() => void)[] = [];
      const browsers = [ours, theirs].map((accountId) => {
        const known = new Map<CallId, bigint | undefined>();
        const own = callIds.filter((_, index) => ACCOUNTS[Math.floor(index / 2)] === accountId);
        let [position, end]: [ChangePosition | null, (() => void) | null] = [null, null];
        const learn = (ids: readonly CallId[]) => ids.forEach((id) => known.set(id, store.lastOf(id)));
        return {
          known,
          own,
          leave: () => void (end = end?.() ?? null),
          comeBack: () =>
            (end ??= live.follow(accountId, position, (news, at) => {
              position = at;
              learn(news.kind === 'resync' ? own : news.calls.map(({ id }) => id));
            })),
        };
      });
      for (const one of steps) {
        if (one.kind === 'begin') {
          const callId = callIds[one.call];
          if (callId) open.push(store.begin(callId));
        } else if (one.kind === 'commit') {
          open.splice(one.pick % Math.max(1, open.length), 1)[0]?.();
          live.hint();
        } else if (one.kind === 'leave') browsers[one.pick % 2]?.leave();
        else if (one.kind === 'come back') browsers[one.pick % 2]?.comeBack();
        else if (one.kind === 'pass') await time.advance(one.ms);
        else store.isAway = one.kind === 'away';
      }
      store.isAway = false;
      for (const commit of open) commit();
      for (const browser of browsers) browser.comeBack();
      await time.advance(5_000);
      for (const { own, known } of browsers)
        expect(own.map((id) => known.get(id))).toEqual(own.map((id) => store.lastOf(id)));
      const stopped = live.stop();
      await time.advance(1_000);
      await stopped;
    }),
  );
});
