import { MAX_MICROS, micros } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import type { Gate } from '../../ports/gate.ts';
import { newAccountId, newReservationId } from '../ids.ts';
import { attempt, openWith, TOKEN as token } from './gate-fixture.ts';

export function reserveCases(gate: () => Gate): void {
  describe('reserve returns the first outcome that applies', () => {
    test('a gate that was never built is closed', async () => {
      expect(await gate().reserve(attempt())).toEqual({ kind: 'closed' });
    });

    test('a closed gate returns closed even for an existing reservation', async () => {
      await openWith(gate());
      const input = attempt();
      await gate().reserve(input);
      await gate().close(token);
      expect(await gate().reserve(input)).toEqual({ kind: 'closed' });
    });

    test('an existing reservation comes before funds and capacity, and claims nothing more', async () => {
      await openWith(gate(), { balanceMicros: micros(100), capacity: 1 }, 1);
      const input = attempt();
      expect(await gate().reserve(input)).toEqual({ kind: 'reserved', token });
      expect(await gate().reserve(input)).toEqual({ kind: 'reserved', token });
      expect((await gate().state()).slotsInUse).toBe(1);
    });

    test('another reservation of the same call is a duplicate, even if the account is unknown', async () => {
      await openWith(gate());
      const input = attempt();
      await gate().reserve(input);
      const other = { ...input, reservationId: newReservationId(), accountId: newAccountId() };
      expect(await gate().reserve(other)).toEqual({ kind: 'duplicate' });
    });

    test('the same reservation id under another account is a duplicate', async () => {
      await openWith(gate());
      const input = attempt();
      await gate().reserve(input);
      expect(await gate().reserve({ ...input, accountId: newAccountId() })).toEqual({ kind: 'duplicate' });
    });

    test('an account that the gate has not loaded is unknown, with the token under which to load it', async () => {
      await openWith(gate(), {}, 0);
      const unknown = attempt({ accountId: newAccountId() });
      expect(await gate().reserve(unknown)).toEqual({ kind: 'account_unknown', token });
    });

    test('missing funds come before capacity, with the amount that no hold claims', async () => {
      await openWith(gate(), { balanceMicros: micros(150), capacity: 1 }, 1);
      await gate().reserve(attempt());
      expect(await gate().reserve(attempt())).toEqual({ kind: 'insufficient_funds', availableMicros: 50n });
    });

    test("the account's slots come before the system's", async () => {
      await openWith(gate(), { capacity: 1 }, 1);
      await gate().reserve(attempt());
      const refusal = { kind: 'capacity_exceeded', scope: 'account', limit: 1, inUse: 1 };
      expect(await gate().reserve(attempt())).toEqual(refusal);
    });

    test("the system's slots come last", async () => {
      await openWith(gate(), { capacity: 2 }, 1);
      await gate().reserve(attempt());
      const refusal = { kind: 'capacity_exceeded', scope: 'system', limit: 1, inUse: 1 };
      expect(await gate().reserve(attempt())).toEqual(refusal);
    });

    test('the whole balance may be held, and not a micro more', async () => {
      await openWith(gate(), { balanceMicros: micros(MAX_MICROS) });
      expect(await gate().reserve(attempt({ holdMicros: micros(MAX_MICROS - 1n) }))).toMatchObject({
        kind: 'reserved',
      });
      const refusal = { kind: 'insufficient_funds', availableMicros: 1n };
      expect(await gate().reserve(attempt({ holdMicros: micros(2) }))).toEqual(refusal);
      expect(await gate().reserve(attempt({ holdMicros: micros(1) }))).toMatchObject({ kind: 'reserved' });
    });

    test('a negative hold is rejected, and claims no slot', async () => {
      await openWith(gate());
      await expect(gate().reserve(attempt({ holdMicros: micros(-1) }))).rejects.toThrow('below zero');
      expect((await gate().state()).slotsInUse).toBe(0);
    });
  });
}
