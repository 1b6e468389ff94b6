import { e164Schema, TRANSFER_LIMITS } from '@outdial/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DriveWorld, pass } from '../../test/drive-world.ts';
import { LEASE_MS } from '../lease.ts';
import type { TransferOutcome } from '../ports/carrier.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const TARGET = { kind: 'number', number: e164Schema.parse('+12025550142') } as const;
const ANSWERED: TransferOutcome = { kind: 'transferred', sipCode: 200 };
const BUSY: TransferOutcome = { kind: 'failed', sipCode: 486 };

async function transfer(world: DriveWorld): Promise<void> {
  world.conversation.emit({ kind: 'transfer', destination: 'Sales', target: TARGET });
  await pass(0);
}
const states = (world: DriveWorld) => world.store.notes.map(({ data }) => data['state']);

test('a call whose callee was transferred is hung up once and ends transferred, billed until then', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  await pass(61_000);
  await transfer(world);
  expect(leg.transfers).toEqual([{ target: TARGET, timeoutMs: TRANSFER_LIMITS.withinMs }]);
  leg.confirmsAfterMs = 5_000;
  leg.emit({ kind: 'transfer', target: TARGET, outcome: ANSWERED });
  leg.emit({ kind: 'transfer', target: TARGET, outcome: ANSWERED });
  await pass(5_000);
  await driving;
  expect(leg.hangUps).toBe(1);
  const { answeredAtMs, endedAtMs, reason, charge } = world.settlement;
  expect(reason).toBe('transferred');
  expect(endedAtMs - (answeredAtMs ?? 0)).toBe(61_000);
  expect(charge.billableSeconds).toBe(120);
  expect(world.releases).toHaveLength(1);
  expect(world.store.notes).toEqual([
    { type: 'transfer', data: { destination: 'Sales', state: 'started' } },
    { type: 'transfer', data: { destination: 'Sales', state: 'succeeded', sip_code: 200 } },
  ]);
});

test('a failed transfer is reported to the agent, and the call goes on', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  await transfer(world);
  leg.emit({ kind: 'transfer', target: TARGET, outcome: BUSY });
  expect(world.conversation.transferFailures).toEqual([{ reason: 'failed', sipCode: 486 }]);
  expect(leg.hangUps).toBe(0);
  world.conversation.emit({ kind: 'hang_up', reason: 'agent_hangup' });
  await driving;
  expect(world.settlement.reason).toBe('agent_hangup');
  expect(states(world)).toEqual(['started', 'failed']);
});

test('a success that is reported after the time was over still ends the call transferred', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  await transfer(world);
  leg.emit({ kind: 'transfer', target: TARGET, outcome: { kind: 'unreported' } });
  leg.emit({ kind: 'transfer', target: TARGET, outcome: ANSWERED });
  await pass(0);
  await driving;
  expect(world.settlement.reason).toBe('transferred');
  expect(states(world)).toEqual(['started', 'failed', 'succeeded']);
});

test('a late success is noted for the destination that the far end was asked for then', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  await transfer(world);
  leg.emit({ kind: 'transfer', target: TARGET, outcome: { kind: 'unreported' } });
  const support = { kind: 'number', number: e164Schema.parse('+12025550143') } as const;
  world.conversation.emit({ kind: 'transfer', destination: 'Support', target: support });
  await pass(0);
  leg.emit({ kind: 'transfer', target: TARGET, outcome: ANSWERED });
  await pass(0);
  await driving;
  expect(world.store.notes.map(({ data }) => [data['destination'], data['state']])).toEqual([
    ['Sales', 'started'],
    ['Sales', 'failed'],
    ['Support', 'started'],
    ['Sales', 'succeeded'],
  ]);
});

test('the far end is asked three times at most', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  for (let asked = 0; asked < 5; asked += 1) {
    await transfer(world);
    leg.emit({ kind: 'transfer', target: TARGET, outcome: BUSY });
  }
  expect(leg.transfers).toHaveLength(3);
  expect(world.conversation.transferFailures.at(-1)?.reason).toBe('too_many');
  leg.end({ outcome: 'completed' });
  await driving;
});

describe('the far end is not asked', () => {
  test.each(['destination_not_allowed', 'suppressed'] as const)('for a destination that is %s', async (problem) => {
    const world = new DriveWorld();
    world.transferProblem = async () => problem;
    const { leg, driving } = await world.answer();
    await transfer(world);
    expect(leg.transfers).toEqual([]);
    expect(world.conversation.transferFailures).toEqual([{ reason: problem, sipCode: null }]);
    leg.end({ outcome: 'completed' });
    await driving;
  });

  test('while it is unknown whether the destination may be called', async () => {
    const world = new DriveWorld({ warnings: [] });
    world.transferProblem = () => Promise.reject(new Error('Postgres is away'));
    const { leg, driving } = await world.answer();
    await transfer(world);
    expect(leg.transfers).toEqual([]);
    expect(world.conversation.transferFailures[0]?.reason).toBe('unavailable');
    leg.end({ outcome: 'completed' });
    await driving;
  });

  test('by a worker whose call another worker owns', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    world.store.takeAway();
    await transfer(world);
    await driving;
    expect(leg.transfers).toEqual([]);
    expect(leg.hangUps).toBe(1);
    expect(world.store.settlements).toEqual([]);
  });

  test('by a worker that cannot store the wish, and loses its lease', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    world.store.away = true;
    await transfer(world);
    await pass(LEASE_MS);
    expect(leg.transfers).toEqual([]);
    world.store.away = false;
    await pass(10_000);
    await driving;
    expect(leg.transfers).toEqual([]);
    expect(world.settlement.reason).toBe('worker_lost');
  });
});

describe('during a transfer', () => {
  test('a callee who hangs up ends the call callee_hangup', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await transfer(world);
    leg.end({ outcome: 'completed' });
    await driving;
    expect(world.settlement.reason).toBe('callee_hangup');
  });

  test('an end by the API hangs up, and a later outcome changes nothing', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await transfer(world);
    leg.confirmsAfterMs = 1_000;
    world.store.endRequested = true;
    world.driver.endRequested(world.store.settlements[0]?.callId ?? leg.request.callId);
    await pass(0);
    leg.emit({ kind: 'transfer', target: TARGET, outcome: ANSWERED });
    await pass(1_000);
    await driving;
    expect(world.settlement.reason).toBe('hung_up_by_api');
    expect(world.conversation.transferFailures).toEqual([]);
  });

  test('a lost lease ends the call worker_lost', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await transfer(world);
    world.store.away = true;
    await pass(LEASE_MS);
    expect(leg.hangUps).toBe(1);
    leg.emit({ kind: 'transfer', target: TARGET, outcome: ANSWERED });
    world.store.away = false;
    await pass(10_000);
    await driving;
    expect(world.settlement.reason).toBe('worker_lost');
    expect(leg.transfers).toHaveLength(1);
  });

  test('an opt-out counts more than the transfer', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await transfer(world);
    world.conversation.emit({ kind: 'opt_out', evidence: 'tool', note: null });
    leg.emit({ kind: 'transfer', target: TARGET, outcome: ANSWERED });
    await pass(0);
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'opted_out', optOut: { evidence: 'tool' } });
  });
});

test('a call that is taken over during a transfer is ended by its dialog, and nothing is transferred again', async () => {
  const world = new DriveWorld();
  const { leg } = await world.answer();
  leg.emit({ kind: 'dialog', dialog: { leg: 'one' } });
  await transfer(world);
  // The worker dies: nothing of it runs any more.
  const successor = new DriveWorld();
  Object.assign(successor.store, { status: 'dialing', epoch: 1, dialog: { leg: 'one' }, carrier: 'fake' });
  Object.assign(successor.store, { answeredAtMs: Date.now(), leaseExpiresAtMs: 0 });
  await successor.drive();
  expect(successor.carrier.orphansEnded).toEqual([{ leg: 'one' }]);
  expect(successor.carrier.legs).toEqual([]);
  expect(successor.settlement.reason).toBe('worker_lost');
});
