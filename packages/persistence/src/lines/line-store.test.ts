import { randomUUID } from 'node:crypto';
import type { ClaimedCall, GateToken, LineStore } from '@outdial/calls';
import { lineOf } from '@outdial/calls/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, settlementOf, WORKER, type Party, type World } from '../../test/world.ts';
import { createLineStore } from './line-store.ts';

let world: World;
let party: Party;
let store: LineStore;
beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
  store = createLineStore(world.database);
});
afterAll(() => world.close());

const [first, spare] = [lineOf('first', 1).name, lineOf('spare', 1).name];

async function conducted() {
  const call = await world.queued(party);
  await world.database.side.$executeRaw`
    INSERT INTO model_calls (call_id, driver) VALUES (${call.id}::uuid, 'realtime')`;
  return call;
}
function claim(callId: ClaimedCall['id'], token: GateToken) {
  const lines = { names: [first], token };
  return world.drives.claim({
    callId,
    workerId: WORKER,
    leaseMs: 60_000,
    writeAheadDial: true,
    drivers: ['realtime'],
    lines,
  });
}
async function claimed(): Promise<ClaimedCall> {
  const outcome = await claim((await conducted()).id, await world.reconciles.currentToken());
  if (outcome.kind !== 'claimed') throw new Error(`not claimed: ${outcome.kind}`);
  return outcome.call;
}
async function linesOf({ id }: Pick<ClaimedCall, 'id'>): Promise<readonly string[] | undefined> {
  return (await store.takenLines()).find(({ callId }) => callId === id)?.lines;
}
const append = async ({ id: callId, epoch }: Pick<ClaimedCall, 'id' | 'epoch'>, token?: GateToken) =>
  store.appendLine({ callId, epoch, line: spare, token: token ?? (await world.reconciles.currentToken()) });
const WRITTEN = { kind: 'written', endRequested: false };

test('the lines of an open call are those of its claim and of its fallbacks, each once', async () => {
  const call = await claimed();
  expect(await linesOf(call)).toEqual([first]);
  for (let delivery = 0; delivery < 2; delivery += 1) expect(await append(call)).toEqual(WRITTEN);
  expect((await store.takenLines()).find(({ callId }) => callId === call.id)).toEqual({
    callId: call.id,
    reservationId: call.reservationId,
    accountId: party.accountId,
    lines: [first, spare],
  });
  await world.drives.settle(settlementOf(call));
  expect(await linesOf(call)).toBeUndefined();
});

test('a queued call and a scripted one have no lines', async () => {
  const [queued, scripted] = [await conducted(), await world.claimed(party)];
  expect(await linesOf(queued)).toBeUndefined();
  expect(await linesOf(scripted)).toBeUndefined();
});

test('a fallback is fenced by the epoch, and by the gate’s token before it', async () => {
  const call = await claimed();
  const stale = await world.reconciles.currentToken();
  expect(await append({ ...call, epoch: call.epoch + 1 })).toEqual({ kind: 'fenced' });
  await world.reconciles.nextGeneration();
  expect(await append({ ...call, epoch: call.epoch + 1 }, stale)).toEqual({ kind: 'gate_stale' });
  expect(await append(call, stale)).toEqual({ kind: 'gate_stale' });
  expect(await linesOf(call)).toEqual([first]);
  await world.drives.settle(settlementOf(call));
  expect(await append(call)).toEqual({ kind: 'fenced' });
});

test('a fallback returns that the end was requested', async () => {
  const call = await claimed();
  await world.ends.requestEnd({ accountId: party.accountId, callId: call.id });
  expect(await append(call)).toEqual({ kind: 'written', endRequested: true });
});

test('a generation that begins while a claim stores its lines waits for it, and so the restore reads them', async () => {
  const [{ id }, token] = [await conducted(), await world.reconciles.currentToken()];
  const blocker = new Client({ connectionString: world.databaseUrl });
  await blocker.connect();
  try {
    // The claim holds the token, and waits for its row of lines.
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM model_calls WHERE call_id = $1 FOR UPDATE', [id]);
    const claiming = claim(id, token);
    await lockWaiters(1);
    const order: string[] = [];
    const next = world.reconciles.nextGeneration().then(() => order.push('generation'));
    await lockWaiters(2);
    await blocker.query('COMMIT');
    expect(await claiming.finally(() => order.push('claim'))).toMatchObject({ kind: 'claimed' });
    await next;
    expect(await linesOf({ id })).toEqual([first]);
    expect(order).toHaveLength(2);
  } finally {
    await blocker.end();
  }
});

test('a claim that waits for a generation that is being issued is rejected as stale', async () => {
  const [{ id }, token] = [await conducted(), await world.reconciles.currentToken()];
  const issuer = new Client({ connectionString: world.databaseUrl });
  await issuer.connect();
  try {
    await issuer.query('BEGIN');
    await issuer.query('SELECT * FROM next_gate_generation()');
    const claiming = claim(id, token);
    await lockWaiters(1);
    await issuer.query('COMMIT');
    expect(await claiming).toEqual({ kind: 'gate_stale' });
    expect(await linesOf({ id })).toBeUndefined();
  } finally {
    await issuer.end();
  }
});

test('a claim of scripted calls does not wait for a generation', async () => {
  const issuer = new Client({ connectionString: world.databaseUrl });
  const call = await world.queued(party);
  await issuer.connect();
  try {
    await issuer.query('BEGIN');
    await issuer.query('SELECT * FROM next_gate_generation()');
    const input = { callId: call.id, workerId: randomUUID(), leaseMs: 60_000, writeAheadDial: true };
    expect(await world.drives.claim(input)).toMatchObject({ kind: 'claimed' });
    await issuer.query('ROLLBACK');
  } finally {
    await issuer.end();
  }
});

/** Until so many statements of this database wait for a lock. Not within a transaction: it would see one moment only. */
async function lockWaiters(count: number): Promise<void> {
  for (let waiting = 0; waiting < count;) {
    const [row] = await world.database.side.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    waiting = row?.waiting ?? 0;
  }
}
