import type { LiveTurn, Turn } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callId, DriveWorld, pass } from '../../test/drive-world.ts';
import { LEASE_MS, LEASE_RENEWAL_MS } from '../lease.ts';
import type { CallDriverDeps } from './call-driver.ts';
import { RowRejected } from '../ports/accept-store.ts';
import type { TurnSignals } from '../ports/timeline.ts';
import { takeOverCalls } from '../reconcile/take-over-calls.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const turnOf = (text: string, start_ms = 0): Turn => ({
  role: 'agent',
  text,
  start_ms,
  end_ms: start_ms + 900,
  source: 'script',
  interrupted: false,
});

const metricsOf = (startMs: number) => ({ startMs, v2vMs: 800, bargeInMs: null });

const say = (world: DriveWorld, text: string, startMs = 0) =>
  world.conversation.emit({ kind: 'turn', turn: turnOf(text, startMs) });

test('each turn is announced at once, with those that no renewal has stored', async () => {
  const announced: (readonly LiveTurn[])[] = [];
  const publish = vi.fn<TurnSignals['publish']>((_callId, turns) => void announced.push(turns));
  const world = new DriveWorld({ turnSignals: { publish } });
  const { leg, driving } = await world.answer();
  say(world, 'Hello.');
  say(world, 'It is Northwind.');
  await pass(LEASE_RENEWAL_MS + 1_000);
  say(world, 'Goodbye.');
  leg.end({ outcome: 'completed' });
  await pass(1_000);
  await driving;
  expect(publish.mock.calls.every(([id]) => id === callId)).toBe(true);
  expect(announced.map((turns) => turns.map(({ index, text }) => `${index} ${text}`))).toEqual([
    ['0 Hello.'],
    ['0 Hello.', '1 It is Northwind.'],
    ['2 Goodbye.'],
  ]);
});

test('renewals store each turn once, also after an outage', async () => {
  const world = new DriveWorld();
  const renewals = vi.spyOn(world.store, 'renewLease');
  const { leg, driving } = await world.answer();
  say(world, 'One');
  world.store.away = true;
  await pass(LEASE_RENEWAL_MS + 900);
  world.store.away = false;
  say(world, 'Two');
  await pass(3 * LEASE_RENEWAL_MS);
  expect(world.store.turns.map(({ text }) => text)).toEqual(['One', 'Two']);
  leg.end({ outcome: 'completed' });
  await pass(1_000);
  await driving;
  const carried = renewals.mock.calls.map(([{ turns }]) => turns?.map(({ text }) => text) ?? null);
  expect(carried.filter((texts) => texts?.includes('Two'))).toHaveLength(1);
  expect(carried.at(-1)).toBeNull();
});

test('a lost worker leaves the transcript as its last renewal stored it', async () => {
  const world = new DriveWorld();
  await world.answer();
  say(world, 'Second.', 5_000);
  say(world, 'First.', 1_000);
  await pass(LEASE_RENEWAL_MS + 1_000);
  say(world, 'Nobody knows.', 20_000);
  world.store.before = () => {
    throw new Error('the worker is cut off');
  };
  await pass(LEASE_MS + 60_000);
  world.store.before = () => undefined;
  const logger = createLogger({ name: 'test', level: 'silent' });
  await takeOverCalls({ ...world.deps, logger, workerId: 'worker-2' }, { limit: 10 });
  await pass(60_000);
  expect(world.settlement).toMatchObject({ reason: 'worker_lost' });
  expect(world.settlement.transcript).toEqual([turnOf('First.', 1_000), turnOf('Second.', 5_000)]);
});

test('turns that Postgres rejects cost the call neither its lease nor later turns', async () => {
  const world = new DriveWorld();
  const renew = world.store.renewLease.bind(world.store);
  vi.spyOn(world.store, 'renewLease').mockImplementation(async (input) => {
    if (input.turns?.some(({ text }) => text === 'bad')) throw new RowRejected(new Error('rejected'));
    return renew(input);
  });
  const { leg, driving } = await world.answer();
  say(world, 'bad');
  await pass(2 * LEASE_MS);
  say(world, 'good');
  await pass(LEASE_RENEWAL_MS + 1_000);
  expect(world.store.turns.map(({ index, text }) => `${index} ${text}`)).toEqual(['1 good']);
  leg.end({ outcome: 'completed' });
  await pass(1_000);
  await driving;
  expect(world.settlement.reason).toBe('callee_hangup');
});

test('a worker that has lost the call announces nothing more', async () => {
  const publish = vi.fn<TurnSignals['publish']>();
  const world = new DriveWorld({ turnSignals: { publish } });
  const { leg, driving } = await world.answer();
  world.store.takeAway();
  await pass(LEASE_RENEWAL_MS + 1_000);
  say(world, 'Too late.');
  leg.end({ outcome: 'completed' });
  await pass(1_000);
  await driving;
  expect(publish).not.toHaveBeenCalled();
});

test('the delays of the agent’s turns are reported at once and settled with the call, no more than 500', async () => {
  const onTurnMetrics = vi.fn<NonNullable<CallDriverDeps['onTurnMetrics']>>();
  const world = new DriveWorld({ onTurnMetrics });
  const { leg, driving } = await world.answer();
  for (let turn = 0; turn < 510; turn += 1) {
    world.conversation.emit({ kind: 'turn_metrics', ...metricsOf(turn * 1_000) });
  }
  expect(onTurnMetrics).toHaveBeenCalledTimes(510);
  expect(onTurnMetrics.mock.calls[0]).toEqual([expect.objectContaining({ id: callId }), metricsOf(0)]);
  leg.end({ outcome: 'completed' });
  await pass(1_000);
  await driving;
  expect(world.settlement.turnMetrics).toHaveLength(500);
  expect(world.settlement.turnMetrics?.[1]).toEqual(metricsOf(1_000));
});
