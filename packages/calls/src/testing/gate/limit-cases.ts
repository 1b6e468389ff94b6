import { micros } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import type { Gate } from '../../ports/gate.ts';
import { newAccountId, newCallId } from '../ids.ts';
import { accountId, attempt, collect, limitsOf, openGate, openWith, TOKEN as token } from './gate-fixture.ts';

export function accountCases(gate: () => Gate): void {
  describe('an account in the gate', () => {
    test('is loaded under the token of the request for it', async () => {
      await openGate(gate());
      const input = attempt();
      expect(await gate().loadAccount(token, limitsOf(accountId))).toBe('loaded');
      expect(await gate().reserve(input)).toEqual({ kind: 'reserved', token });
    });

    test('is not replaced by a late load', async () => {
      await openWith(gate(), { balanceMicros: micros(40), balanceVersion: 9 });
      await gate().loadAccount(token, limitsOf(accountId, { balanceMicros: micros(100), balanceVersion: 8 }));
      expect(await collect(gate().accounts())).toMatchObject([{ balanceMicros: 40n, balanceVersion: 9 }]);
    });

    test('has its balance and capacity refreshed separately, each by its own version', async () => {
      await openWith(gate(), { balanceVersion: 5, capacity: 3, capacityVersion: 5 });
      const newerCapacity = limitsOf(accountId, { balanceVersion: 4, capacity: 8, capacityVersion: 6 });
      expect(await gate().refreshAccount({ ...newerCapacity, balanceMicros: micros(1) })).toBe('refreshed');
      expect(await collect(gate().accounts())).toEqual([
        limitsOf(accountId, { balanceVersion: 5, capacity: 8, capacityVersion: 6 }),
      ]);
      expect(await gate().refreshAccount(newerCapacity)).toBe('unchanged');
    });

    test('is never created by a refresh', async () => {
      await openGate(gate());
      expect(await gate().refreshAccount(limitsOf(accountId))).toBe('unchanged');
      expect(await collect(gate().accounts())).toEqual([]);
    });

    test('shows what its calls hold, and nothing while the gate is closed', async () => {
      await openWith(gate());
      const held = attempt({ holdMicros: micros(7) });
      await gate().reserve(held);
      await gate().reserve(attempt({ holdMicros: micros(5) }));
      expect(await gate().accountUse(accountId)).toEqual({ heldMicros: 12n, openCalls: 2 });
      expect(await gate().accountUse(newAccountId())).toEqual({ heldMicros: 0n, openCalls: 0 });
      const { callId, reservationId, holdMicros } = held;
      expect(await gate().holdsOf([newCallId(), callId])).toEqual([null, { reservationId, holdMicros }]);
      await gate().release(held);
      expect(await gate().accountUse(accountId)).toEqual({ heldMicros: 5n, openCalls: 1 });
      await gate().close(token);
      expect(await gate().accountUse(accountId)).toBeNull();
      expect(await gate().holdsOf([callId])).toBeNull();
    });

    test('with a negative balance gets no hold, and the balance is returned unchanged', async () => {
      await openWith(gate(), { balanceMicros: micros(-5) });
      const refusal = { kind: 'insufficient_funds', availableMicros: -5n };
      expect(await gate().reserve(attempt({ holdMicros: micros(0) }))).toEqual(refusal);
    });
  });
}

export function systemCases(gate: () => Gate): void {
  describe("the system's capacity", () => {
    test('is refreshed only by a newer version', async () => {
      await openWith(gate(), {}, 0);
      expect(await gate().refreshSystem({ capacity: 5, capacityVersion: 1 })).toBe('unchanged');
      expect(await gate().refreshSystem({ capacity: 5, capacityVersion: 2 })).toBe('refreshed');
      expect(await gate().reserve(attempt())).toMatchObject({ kind: 'reserved' });
    });

    test('below the slots in use rejects new calls and keeps the open ones', async () => {
      await openWith(gate());
      await gate().reserve(attempt());
      await gate().reserve(attempt());
      await gate().refreshSystem({ capacity: 1, capacityVersion: 2 });
      const refusal = { kind: 'capacity_exceeded', scope: 'system', limit: 1, inUse: 2 };
      expect(await gate().reserve(attempt())).toEqual(refusal);
      expect((await gate().state()).slotsInUse).toBe(2);
    });
  });
}
