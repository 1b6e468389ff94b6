import { trunkOf } from '@outdial/calls/testing';
import type { CallId } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { createAdministration, type TrunkSettings } from '@outdial/persistence';
import type { IncomingSession } from '@outdial/sip';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { openStage, type Stage } from '../stage.ts';
import { AUDIO, openTrunkPeer, type TrunkPeer } from '../trunk-peer.ts';
import { openTrunkWorker, type TrunkWorker } from '../trunk-worker.ts';

const NUMBER = '+12025550143';

let stage: Stage;
const workers: TrunkWorker[] = [];
const peers: TrunkPeer[] = [];
beforeAll(async () => {
  stage = await openStage();
  for (const id of ['one', 'two']) workers.push(await openTrunkWorker(stage, id));
});
afterEach(async () => {
  const { trunks } = administration();
  for (const { name } of await trunks.list()) await trunks.remove(name);
  for (const peer of peers.splice(0)) await peer.close();
});
afterAll(async () => {
  for (const worker of workers) await worker.close();
  await stage.close();
});

const administration = () => createAdministration(stage.database, { actor: 'test' });

async function everybodySeesTheTrunks(): Promise<void> {
  const names = (await administration().trunks.list()).map(({ name }) => name);
  for (const each of workers) await each.seesTrunks(names);
}

async function trunkTo(name: string, onCall: (session: IncomingSession) => void, changes: Partial<TrunkSettings> = {}) {
  const peer = await openTrunkPeer(onCall);
  peers.push(peer);
  await administration().trunks.add({
    ...trunkOf({ name, uri: peer.uri, channels: 50, callsPerSecond: 50, codecs: ['PCMU'], ...changes }),
    credentials: null,
  });
  await everybodySeesTheTrunks();
  return peer;
}

const talksFor = (ms: number) => (session: IncomingSession) => {
  session.ring();
  session.answer(AUDIO);
  systemClock.after(ms, () => session.hangUp());
};
const rings = (session: IncomingSession) => session.ring();

const worker = (index: number): TrunkWorker => {
  const found = workers[index % workers.length];
  if (!found) throw new Error('there are no workers');
  return found;
};
const attemptsOf = (callId: CallId) => stage.database.side.$queryRaw<{ number: number; trunk: string }[]>`
  SELECT number, trunk FROM call_attempts WHERE call_id = ${callId}::uuid ORDER BY number`;

test('a call over a trunk is dialed, talks, is settled, and leaves nothing behind', async () => {
  const peer = await trunkTo('main', talksFor(1_200));
  const callId = await stage.place(NUMBER);
  await worker(0).drive(callId);
  const call = await stage.find(callId);
  expect(call).toMatchObject({
    status: 'ended',
    endedReason: 'callee_hangup',
    sipCode: 200,
    recordingStatus: 'available',
  });
  const { answeredAtMs, endedAtMs, billableSeconds } = await stage.untilEnded(callId);
  expect(billableSeconds).toBe(Math.ceil((endedAtMs - (answeredAtMs ?? 0)) / 1_000));
  expect(billableSeconds).toBeGreaterThanOrEqual(2);
  const states = ['queued', 'dialing', 'ringing', 'in_progress', 'ended'];
  expect(await stage.events(callId)).toEqual([...states, 'recording_available']);
  expect(await attemptsOf(callId)).toEqual([{ number: 1, trunk: 'main' }]);
  expect(peer.calls.map(({ number }) => number)).toEqual([NUMBER]);
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('a trunk that answers 503 costs a dial attempt, and the next one takes the call', async () => {
  const busy = await trunkTo('main', (session) => session.reject(503), { priority: 1 });
  const spare = await trunkTo('spare', talksFor(200), { priority: 2 });
  const callId = await stage.place(NUMBER);
  await worker(0).drive(callId);
  expect(await stage.find(callId)).toMatchObject({ endedReason: 'callee_hangup', sipCode: 200 });
  expect(await attemptsOf(callId)).toEqual([
    { number: 1, trunk: 'main' },
    { number: 2, trunk: 'spare' },
  ]);
  expect([busy.calls.length, spare.calls.length]).toEqual([1, 1]);
});

test('two workers together respect the channels of a trunk, and every call gets its turn', async () => {
  const peer = await trunkTo('narrow', talksFor(400), { channels: 2 });
  const calls = await Promise.all(Array.from({ length: 12 }, () => stage.place(NUMBER)));
  await Promise.all(calls.map((callId, index) => worker(index).drive(callId)));
  for (const callId of calls) expect(await stage.find(callId)).toMatchObject({ endedReason: 'callee_hangup' });
  expect(peer.calls).toHaveLength(12);
  expect(peer.mostAtOnce()).toBeLessThanOrEqual(2);
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('two workers together respect the calls per second of a trunk', async () => {
  const peer = await trunkTo('slow', talksFor(50), { callsPerSecond: 10 });
  const calls = await Promise.all(Array.from({ length: 12 }, () => stage.place(NUMBER)));
  const startedAtMs = systemClock.monotonicMs();
  await Promise.all(calls.map((callId, index) => worker(index).drive(callId)));
  const atMs = peer.calls.map((call) => call.atMs);
  expect(atMs).toHaveLength(12);
  // Eleven tenths of a second after the first one was released, at the earliest; Redis has its own clock.
  expect((atMs.at(-1) ?? 0) - startedAtMs).toBeGreaterThan(1_090);
});

test('a call that waits for a channel is still queued, and can be ended there', async () => {
  const peer = await trunkTo('single', rings, { channels: 1 });
  const [first, second] = [await stage.place(NUMBER), await stage.place(NUMBER)];
  const driving = worker(0).drive(first);
  await stage.until(first, 'ringing');
  expect(await worker(1).driver.drive(second)).toMatchObject({ kind: 'later' });
  expect((await stage.find(second)).status).toBe('queued');
  await stage.end(second);
  await worker(1).drive(second);
  expect(await stage.find(second)).toMatchObject({ endedReason: 'cancelled' });
  await stage.end(first);
  worker(0).driver.endRequested(first);
  await driving;
  expect(await stage.find(first)).toMatchObject({ endedReason: 'hung_up_by_api', sipCode: 487 });
  expect(peer.calls).toHaveLength(1);
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('a rebuilt gate knows the channels of live calls', async () => {
  const peer = await trunkTo('rebuilt', rings, { channels: 1 });
  const [first, second] = [await stage.place(NUMBER), await stage.place(NUMBER)];
  const driving = worker(0).drive(first);
  await stage.until(first, 'ringing');
  await stage.redis.del(
    '{outdial}:gate',
    '{outdial}:holds',
    '{outdial}:accounts',
    '{outdial}:channels',
    '{outdial}:trunks',
  );
  await stage.rebuild();
  // The first answer adds the channels, and the second one knows them.
  expect(await worker(1).driver.drive(second)).toEqual({ kind: 'later', afterMs: 0 });
  expect(await worker(1).driver.drive(second)).toMatchObject({ kind: 'later' });
  expect(peer.calls).toHaveLength(1);
  for (const callId of [first, second]) await stage.end(callId);
  worker(0).driver.endRequested(first);
  await driving;
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('another worker ends the leg of a worker that lost its call', async () => {
  const peer = await trunkTo('orphans', rings);
  const doomed = await openTrunkWorker(stage, 'doomed');
  const callId = await stage.place(NUMBER);
  const driving = doomed.drive(callId);
  await stage.until(callId, 'ringing');
  await doomed.driver.handOverAll();
  await worker(0).drive(callId);
  await driving;
  expect(peer.calls[0]?.end).toMatchObject({ outcome: 'cancelled', by: 'remote' });
  expect(await stage.find(callId)).toMatchObject({ endedReason: 'worker_lost', answeredAtMs: null });
  await doomed.close();
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('a call goes to the trunk that carries its number, even while another trunk is free', async () => {
  const french = await trunkTo('french', talksFor(50), {
    callerId: { prefixes: ['33'], asserted: false },
    priority: 1,
  });
  const single = await trunkTo('single', talksFor(300), { channels: 1, priority: 2 });
  const calls = [await stage.place(NUMBER), await stage.place(NUMBER)];
  await Promise.all(calls.map((callId, index) => worker(index).drive(callId)));
  for (const callId of calls) expect(await stage.find(callId)).toMatchObject({ endedReason: 'callee_hangup' });
  expect([french.calls.length, single.calls.length]).toEqual([0, 2]);
});

test('a call from a number that no trunk carries ends carrier_rejected at once', async () => {
  const peer = await trunkTo('french', rings, { callerId: { prefixes: ['33'], asserted: false } });
  const callId = await stage.place(NUMBER);
  await worker(0).drive(callId);
  expect(await stage.find(callId)).toMatchObject({ endedReason: 'carrier_rejected', sipCode: null, costMicros: 0n });
  expect(peer.calls).toEqual([]);
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('without a trunk a call waits in the queue, and is dialed once there is one', async () => {
  await everybodySeesTheTrunks();
  const callId = await stage.place(NUMBER);
  expect(await worker(0).driver.drive(callId)).toEqual({ kind: 'later', afterMs: 2_000 });
  expect((await stage.find(callId)).status).toBe('queued');
  await trunkTo('late', talksFor(50));
  await worker(0).drive(callId);
  expect(await stage.find(callId)).toMatchObject({ endedReason: 'callee_hangup' });
  expect(await attemptsOf(callId)).toEqual([{ number: 1, trunk: 'late' }]);
});
