import type { ReserveInput } from '@outdial/calls';
import { micros } from '@outdial/contracts';
import { limitsOf, newAccountId, newCallId, newReservationId, openGate, TIMELINE } from '@outdial/calls/testing';
import { assert, asyncProperty, integer } from 'fast-check';
import { expect, test } from 'vitest';
import { gateUnderTest } from '../test/stores.ts';
import { createFundsGate } from './index.ts';

const under = gateUnderTest();
const token = { generation: 1, walTimeline: TIMELINE };
const accountId = newAccountId();

function request(amount: number, changes: Partial<ReserveInput> = {}): ReserveInput {
  return { callId: newCallId(), accountId, reservationId: newReservationId(), holdMicros: micros(amount), ...changes };
}

const open = (balance: number, capacity = 10) =>
  openGate(under.gate, { accounts: [limitsOf(accountId, { balanceMicros: micros(balance), capacity })] });
const funds = () => createFundsGate({ redis: under.redis });

test('a closed gate and an unknown account hold nothing', async () => {
  expect(await funds().holdFunds(request(1))).toEqual({ kind: 'closed' });
  await open(100);
  const stranger = request(1, { accountId: newAccountId() });
  expect(await funds().holdFunds(stranger)).toEqual({ kind: 'account_unknown', token });
});

test('what is held is promised to no call, whatever the capacity, until it is released with the new balance', async () => {
  await open(100, 0);
  const charge = request(30);
  expect(await funds().holdFunds(charge)).toEqual({ kind: 'held', token });
  expect(await funds().holdFunds(charge)).toEqual({ kind: 'held', token });
  expect(await under.gate.reserve(request(71))).toEqual({ kind: 'insufficient_funds', availableMicros: 70n });
  const balance = { balanceMicros: micros(70), balanceVersion: 2 };
  expect(await under.gate.release({ ...charge, balance })).toBe('released');
  expect(await funds().holdFunds(request(71))).toEqual({ kind: 'insufficient_funds', availableMicros: 70n });
  expect((await under.gate.state()).slotsInUse).toBe(0);
});

test('the hold of the call itself stands in the way until it is released', async () => {
  await open(100);
  const call = request(10);
  await under.gate.reserve(call);
  const charge = { ...call, reservationId: newReservationId() };
  expect(await funds().holdFunds(charge)).toEqual({ kind: 'duplicate' });
  await under.gate.release(call);
  expect(await funds().holdFunds(charge)).toEqual({ kind: 'held', token });
});

test('calls and charges together never hold more than the balance', async () => {
  await assert(
    asyncProperty(integer({ min: 0, max: 60 }), integer({ min: 0, max: 60 }), async (perCall, perCharge) => {
      await under.redis.flushdb();
      await open(100);
      const asked = Array.from({ length: 8 }, (_, index) => (index % 2 ? request(perCharge) : request(perCall)));
      const outcomes = await Promise.all(
        asked.map((input, index) => (index % 2 ? funds().holdFunds(input) : under.gate.reserve(input))),
      );
      const given = asked.filter((_, index) => ['held', 'reserved'].includes(outcomes[index]?.kind ?? ''));
      const held = given.reduce((sum, { holdMicros }) => sum + holdMicros, 0n);
      expect(held).toBeLessThanOrEqual(100n);
      const rest = 100n - held;
      const refused = asked.filter((input) => !given.includes(input));
      for (const { holdMicros } of refused) expect(holdMicros).toBeGreaterThan(rest);
    }),
    { numRuns: 30 },
  );
});
