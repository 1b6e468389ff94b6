import { micros } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import type { Gate } from '../../ports/gate.ts';
import { newReservationId } from '../ids.ts';
import { accountId, attempt, collect, limitsOf, openWith, TOKEN as token } from './gate-fixture.ts';

export function enlargeCases(gate: () => Gate): void {
  describe('enlarge', () => {
    test('sets an absolute amount, so that a second delivery adds nothing', async () => {
      await openWith(gate(), { balanceMicros: micros(300) });
      const input = attempt();
      await gate().reserve(input);
      const larger = { ...input, holdMicros: micros(250) };
      expect(await gate().enlarge(larger)).toEqual({ kind: 'enlarged', token });
      expect(await gate().enlarge(larger)).toEqual({ kind: 'enlarged', token });
      expect(await gate().reserve(attempt())).toEqual({ kind: 'insufficient_funds', availableMicros: 50n });
    });

    test('never lowers a hold', async () => {
      await openWith(gate());
      const input = attempt();
      await gate().reserve(input);
      expect(await gate().enlarge({ ...input, holdMicros: micros(1) })).toEqual({ kind: 'enlarged', token });
      expect(await collect(gate().holds())).toMatchObject([{ holdMicros: 100n }]);
    });

    test('is rejected beyond the balance and leaves the hold as it was', async () => {
      await openWith(gate(), { balanceMicros: micros(300) });
      const input = attempt();
      await gate().reserve(input);
      const refusal = { kind: 'insufficient_funds', availableMicros: 200n };
      expect(await gate().enlarge({ ...input, holdMicros: micros(301) })).toEqual(refusal);
      expect(await collect(gate().holds())).toMatchObject([{ holdMicros: 100n }]);
    });

    test('returns not_held for a released or another reservation', async () => {
      await openWith(gate());
      const input = attempt();
      await gate().reserve(input);
      const foreign = { ...input, reservationId: newReservationId() };
      expect(await gate().enlarge(foreign)).toEqual({ kind: 'not_held' });
      await gate().release(input);
      expect(await gate().enlarge(input)).toEqual({ kind: 'not_held' });
    });
  });
}

export function releaseCases(gate: () => Gate): void {
  describe('release', () => {
    test('frees funds and slot once, however often it is delivered', async () => {
      await openWith(gate(), { balanceMicros: micros(100), capacity: 1 });
      const input = attempt();
      await gate().reserve(input);
      expect(await gate().release(input)).toBe('released');
      expect(await gate().release(input)).toBe('not_held');
      expect(await gate().reserve(attempt())).toMatchObject({ kind: 'reserved' });
    });

    test('of an earlier reservation does not touch the later one', async () => {
      await openWith(gate());
      const first = attempt();
      await gate().reserve(first);
      await gate().release(first);
      const second = { ...first, reservationId: newReservationId() };
      await gate().reserve(second);
      expect(await gate().release(first)).toBe('not_held');
      expect(await collect(gate().holds())).toMatchObject([{ reservationId: second.reservationId }]);
    });

    test('applies a newer balance together with the hold, and never an older one', async () => {
      await openWith(gate(), { balanceMicros: micros(1_000), balanceVersion: 5 });
      const input = attempt();
      await gate().reserve(input);
      await gate().release({ ...input, balance: { balanceMicros: micros(940), balanceVersion: 6 } });
      await gate().release({ ...input, balance: { balanceMicros: micros(1_000), balanceVersion: 5 } });
      expect(await collect(gate().accounts())).toEqual([
        limitsOf(accountId, { balanceMicros: micros(940), balanceVersion: 6 }),
      ]);
    });

    test('applies a balance even when the hold is gone', async () => {
      await openWith(gate());
      const balance = { balanceMicros: micros(7), balanceVersion: 2 };
      expect(await gate().release({ ...attempt(), balance })).toBe('not_held');
      expect(await collect(gate().accounts())).toMatchObject([balance]);
    });
  });
}
