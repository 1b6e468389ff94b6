import { micros } from '@outdial/contracts';
import { privateRedis, type PrivateServer } from '@outdial/testkit';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDialMarks, createGate } from './index.ts';
import {
  limitsOf,
  newAccountId,
  newCallId,
  newReservationId,
  openGate,
  begunRebuild,
  snapshotOf,
} from '@outdial/calls/testing';

let server: PrivateServer;
const clients: Redis[] = [];
const connect = (options: { readonly commandTimeout?: number } = {}): Redis => {
  const client = new Redis(server.url, options);
  client.on('error', () => {});
  clients.push(client);
  return client;
};

beforeAll(async () => {
  server = await privateRedis({ profile: 'durable' });
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await server.close();
});

test('a Redis that restarts with its data keeps dial marks and comes back with the gate closed', async () => {
  const redis = connect();
  const gate = createGate({ redis });
  const marks = createDialMarks({ redis });
  const accountId = newAccountId();
  const attempt = { callId: newCallId(), accountId, reservationId: newReservationId(), holdMicros: micros(1) };
  const early = await begunRebuild(gate);
  await gate.publish(early, snapshotOf({ accounts: [limitsOf(accountId)] }));
  await gate.reserve(attempt);
  await marks.mark(attempt.callId);

  await server.stop();
  await server.start();

  expect(await gate.state()).toEqual({ open: false, token: null, slotsInUse: 1 });
  expect(await gate.reserve(attempt)).toEqual({ kind: 'closed' });
  expect(await marks.mark(attempt.callId)).toBe(false);
  const later = snapshotOf({ token: { generation: 2, walTimeline: '00000001' } });
  expect(await gate.publish(early, later)).toBe('superseded');
  await openGate(gate, { token: later.token });
  expect(await gate.state()).toEqual({ open: true, token: later.token, slotsInUse: 0 });
});

test('a Redis that hangs makes the gate and the dial marks reject within the command timeout', async () => {
  await server.pause();
  const redis = connect({ commandTimeout: 200 });
  const gate = createGate({ redis });
  try {
    await expect(gate.state()).rejects.toThrow('Command timed out');
    await expect(createDialMarks({ redis }).mark(newCallId())).rejects.toThrow('Command timed out');
  } finally {
    await server.resume();
  }
});

test('a release that was sent while Redis hung takes effect once it is back, without known scripts and without a caller', async () => {
  const patient = connect();
  const gate = createGate({ redis: patient });
  const accountId = newAccountId();
  await patient.flushall();
  await openGate(gate, { accounts: [limitsOf(accountId)] });
  const attempt = { callId: newCallId(), accountId, reservationId: newReservationId(), holdMicros: micros(1) };
  expect(await gate.reserve(attempt)).toMatchObject({ kind: 'reserved' });
  await patient.script('FLUSH');
  const hurried = connect({ commandTimeout: 200 });
  await new Promise<void>((resolve) => hurried.once('ready', () => resolve()));
  await server.pause();
  const released = createGate({ redis: hurried }).release(attempt);
  await expect(released).rejects.toThrow('Command timed out');
  await server.resume();
  await expect.poll(() => gate.state()).toMatchObject({ slotsInUse: 0 });
});
