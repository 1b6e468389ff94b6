import { micros } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import { newAccountId } from '../ids.ts';
import { accountId, attempt, begunRebuild, collect, limitsOf, openGate, snapshotOf, tokenOf } from './gate-fixture.ts';
import type { GateStage } from './gate-stage.ts';

export function rebuildCases(stage: () => GateStage): void {
  describe('the right to rebuild', () => {
    test('the gate stays closed from the beginning of a rebuild to its publish', async () => {
      const ticket = await begunRebuild(stage().gate);
      expect(await stage().gate.state()).toEqual({ open: false, token: null, slotsInUse: 0 });
      expect(await stage().gate.reserve(attempt())).toEqual({ kind: 'closed' });
      expect(await stage().gate.publish(ticket, snapshotOf({ token: tokenOf(4) }))).toBe('published');
      expect(await stage().gate.state()).toEqual({ open: true, token: tokenOf(4), slotsInUse: 0 });
    });

    test('an open gate needs no rebuild', async () => {
      await openGate(stage().gate);
      expect(await stage().gate.beginRebuild()).toEqual({ kind: 'not_needed' });
    });

    test('a rebuild has ten seconds; then another may begin, and the first may still publish', async () => {
      const first = await begunRebuild(stage().gate);
      expect(await stage().gate.beginRebuild()).toEqual({ kind: 'under_way' });
      await stage().passRebuildTime();
      const second = await begunRebuild(stage().gate);
      expect(await stage().gate.beginRebuild()).toEqual({ kind: 'under_way' });
      expect(await stage().gate.publish(first, snapshotOf({ token: tokenOf(1) }))).toBe('published');
      expect(await stage().gate.publish(second, snapshotOf({ token: tokenOf(2) }))).toBe('published');
    });

    test('after an abandoned rebuild any process may begin at once', async () => {
      const first = await begunRebuild(stage().gate);
      await stage().gate.abandonRebuild(first);
      await stage().gate.abandonRebuild(first);
      const second = await begunRebuild(stage().gate);
      expect(await stage().gate.publish(second, snapshotOf())).toBe('published');
    });

    test("abandoning releases only the rebuild's own right: not a successor's, and nothing after its publish", async () => {
      const first = await begunRebuild(stage().gate);
      await stage().passRebuildTime();
      const second = await begunRebuild(stage().gate);
      await stage().gate.abandonRebuild(first);
      expect(await stage().gate.beginRebuild()).toEqual({ kind: 'under_way' });
      await stage().gate.publish(second, snapshotOf());
      await stage().gate.abandonRebuild(second);
      expect(await stage().gate.beginRebuild()).toEqual({ kind: 'not_needed' });
      await stage().gate.close(snapshotOf().token);
      await begunRebuild(stage().gate);
      await stage().gate.abandonRebuild(second);
      expect(await stage().gate.beginRebuild()).toEqual({ kind: 'under_way' });
    });

    test('an abandoned rebuild that publishes anyway does no harm to its successor', async () => {
      const first = await begunRebuild(stage().gate);
      await stage().gate.abandonRebuild(first);
      const second = await begunRebuild(stage().gate);
      expect(await stage().gate.publish(first, snapshotOf({ token: tokenOf(1) }))).toBe('published');
      expect(await stage().gate.publish(second, snapshotOf({ token: tokenOf(2) }))).toBe('published');
      expect(await stage().gate.state()).toMatchObject({ open: true, token: tokenOf(2) });
    });

    test('close closes the gate only under its token', async () => {
      await openGate(stage().gate, { token: tokenOf(5) });
      await stage().gate.close(tokenOf(4));
      expect((await stage().gate.state()).open).toBe(true);
      await stage().gate.close(tokenOf(5));
      expect((await stage().gate.state()).open).toBe(false);
    });
  });
}

export function publishCases(stage: () => GateStage): void {
  describe('a publish', () => {
    test('a generation that is not greater than the last published one is superseded, even while the gate is closed', async () => {
      await openGate(stage().gate, { token: tokenOf(7) });
      await stage().gate.close(tokenOf(7));
      const ticket = await begunRebuild(stage().gate);
      expect(await stage().gate.publish(ticket, snapshotOf({ token: tokenOf(6) }))).toBe('superseded');
      expect(await stage().gate.publish(ticket, snapshotOf({ token: tokenOf(7) }))).toBe('superseded');
      expect(await stage().gate.publish(ticket, snapshotOf({ token: tokenOf(8) }))).toBe('published');
    });

    test('a promoted Postgres opens the gate although its generation went back, and the old Postgres no longer can', async () => {
      await openGate(stage().gate, { token: tokenOf(7, '00000009') });
      await stage().gate.close(tokenOf(7, '00000009'));
      const ticket = await begunRebuild(stage().gate);
      expect(await stage().gate.publish(ticket, snapshotOf({ token: tokenOf(3, '0000000A') }))).toBe('published');
      expect(await stage().gate.publish(ticket, snapshotOf({ token: tokenOf(9, '00000009') }))).toBe('superseded');
    });

    test('the second delivery of a publish does not undo what came after the first', async () => {
      const ticket = await begunRebuild(stage().gate);
      const snapshot = snapshotOf({ accounts: [limitsOf(accountId)] });
      await stage().gate.publish(ticket, snapshot);
      const hold = attempt();
      await stage().gate.reserve(hold);
      expect(await stage().gate.publish(ticket, snapshot)).toBe('published');
      expect(await collect(stage().gate.holds())).toMatchObject([hold]);
    });

    test('a publish that began before a flush is superseded, even while another rebuild is running', async () => {
      const stale = await begunRebuild(stage().gate);
      await stage().loseContents();
      expect(await stage().gate.publish(stale, snapshotOf({ token: tokenOf(5) }))).toBe('superseded');
      await begunRebuild(stage().gate);
      expect(await stage().gate.publish(stale, snapshotOf({ token: tokenOf(5) }))).toBe('superseded');
      expect((await stage().gate.state()).open).toBe(false);
    });

    test('a balance read before a rebuild is not loaded after it', async () => {
      await openGate(stage().gate, { token: tokenOf(1) });
      const unknown = await stage().gate.reserve(attempt());
      await stage().gate.close(tokenOf(1));
      await openGate(stage().gate, { token: tokenOf(2) });
      expect(unknown).toEqual({ kind: 'account_unknown', token: tokenOf(1) });
      expect(await stage().gate.loadAccount(tokenOf(1), limitsOf(accountId))).toBe('closed');
      expect(await collect(stage().gate.accounts())).toEqual([]);
    });

    test('a publish replaces all contents: nothing of the earlier ones survives', async () => {
      const gone = newAccountId();
      const goneHold = { ...attempt(), accountId: gone };
      await openGate(stage().gate, { token: tokenOf(1), accounts: [limitsOf(gone)], holds: [goneHold] });
      await stage().gate.close(tokenOf(1));
      const kept = attempt();
      await openGate(stage().gate, { token: tokenOf(2), accounts: [limitsOf(accountId)], holds: [kept] });
      expect(await collect(stage().gate.holds())).toMatchObject([kept]);
      expect(await collect(stage().gate.accounts())).toEqual([limitsOf(accountId)]);
      await stage().gate.close(tokenOf(2));
      await openGate(stage().gate, { token: tokenOf(3) });
    });

    test('published holds count against funds and slots, and are released like any other', async () => {
      const hold = attempt();
      const accounts = [limitsOf(accountId, { balanceMicros: micros(150), capacity: 2 })];
      await openGate(stage().gate, { accounts, holds: [hold] });
      expect(await stage().gate.reserve(attempt())).toEqual({ kind: 'insufficient_funds', availableMicros: 50n });
      expect(await stage().gate.release(hold)).toBe('released');
      expect(await stage().gate.reserve(attempt())).toMatchObject({ kind: 'reserved' });
    });

    test('an inconsistent snapshot is rejected before anything is written', async () => {
      const ticket = await begunRebuild(stage().gate);
      const hold = attempt();
      const accounts = [limitsOf(accountId)];
      const publishing = (changes: Parameters<typeof snapshotOf>[0]) =>
        stage().gate.publish(ticket, snapshotOf(changes));
      await expect(publishing({ holds: [hold] })).rejects.toThrow('without its account');
      await expect(publishing({ accounts, holds: [hold, hold] })).rejects.toThrow(
        `call ${hold.callId} is in the snapshot twice`,
      );
      await expect(publishing({ accounts: [...accounts, ...accounts] })).rejects.toThrow('is in the snapshot twice');
    });
  });
}
