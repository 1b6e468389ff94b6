import { micros } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { createGate } from './index.ts';
import { collect, limitsOf, newAccountId, newCallId, newReservationId, openGate } from '@outdial/calls/testing';
import { gateUnderTest } from '../test/stores.ts';

const under = gateUnderTest();
const accountId = newAccountId();

/** Simulates several processes: each request uses one of four connections. Returns how many got each outcome. */
async function reserveInParallel(attempts: number, holdMicros: number): Promise<Record<string, number>> {
  const gates = Array.from({ length: 4 }, () => createGate({ redis: under.connect() }));
  const outcomes = await Promise.all(
    Array.from({ length: attempts }, (_, index) => {
      const gate = gates[index % gates.length] ?? under.gate;
      const callId = newCallId();
      return gate.reserve({ callId, accountId, reservationId: newReservationId(), holdMicros: micros(holdMicros) });
    }),
  );
  const counts: Record<string, number> = {};
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

test('1,000 parallel reservations fill exactly the 100 slots of the account', async () => {
  await openGate(under.gate, { accounts: [limitsOf(accountId, { capacity: 100 })] });
  expect(await reserveInParallel(1_000, 1)).toEqual({ reserved: 100, capacity_exceeded: 900 });
  expect((await under.gate.state()).slotsInUse).toBe(100);
});

test('1,000 parallel reservations fill exactly the 100 slots of the system', async () => {
  const accounts = [limitsOf(accountId, { capacity: 1_000 })];
  await openGate(under.gate, { accounts, system: { capacity: 100, capacityVersion: 1 } });
  expect(await reserveInParallel(1_000, 1)).toEqual({ reserved: 100, capacity_exceeded: 900 });
});

test('50 parallel reservations are granted exactly the 7 that the funds cover', async () => {
  await openGate(under.gate, { accounts: [limitsOf(accountId, { balanceMicros: micros(799), capacity: 50 })] });
  expect(await reserveInParallel(50, 100)).toEqual({ reserved: 7, insufficient_funds: 43 });
  const holds = await collect(under.gate.holds());
  expect(holds.map(({ holdMicros }) => holdMicros)).toEqual(Array.from({ length: 7 }, () => 100n));
});

test('50 parallel reservations of one call are granted exactly once', async () => {
  await openGate(under.gate, { accounts: [limitsOf(accountId)] });
  const callId = newCallId();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () =>
      under.gate.reserve({ callId, accountId, reservationId: newReservationId(), holdMicros: micros(1) }),
    ),
  );
  expect(outcomes.filter(({ kind }) => kind === 'reserved')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'duplicate')).toHaveLength(49);
});

test('reservations succeed while the script cache is flushed again and again', async () => {
  await openGate(under.gate, { accounts: [limitsOf(accountId, { capacity: 200 })] });
  const flusher = under.connect();
  const [outcomes] = await Promise.all([
    reserveInParallel(200, 1),
    Promise.all(Array.from({ length: 20 }, () => flusher.script('FLUSH'))),
  ]);
  expect(outcomes).toEqual({ reserved: 200 });
});
