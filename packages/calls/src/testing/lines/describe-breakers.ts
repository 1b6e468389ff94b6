import type { AccountId, BreakerName, CallId } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import type { BreakerChange } from '../../ports/breakers.ts';
import { newAccountId, newCallId, newReservationId } from '../ids.ts';
import { stageForEach } from '../stage-for-each.ts';
import type { LineGateStage } from './describe-line-gate.ts';
import { breakerOf, lineOf } from './lines.ts';

const opening = (forMs: number, changes: Partial<Extract<BreakerChange, { kind: 'open' }>> = {}): BreakerChange => ({
  kind: 'open',
  forMs,
  isChecked: true,
  owner: null,
  ...changes,
});

/** What every `Breakers` promises, and what a `LineGate` makes of it. */
export function describeBreakers(name: string, open: () => Promise<LineGateStage>): void {
  describe(`breakers: ${name}`, () => {
    const stage = stageForEach(open);
    const [acme, other] = [newAccountId(), newAccountId()];
    const breaker = breakerOf('a');
    const line = lineOf('a', 9, { breakers: [breaker] });

    async function held(accountId = acme) {
      const call = { callId: newCallId(), accountId, reservationId: newReservationId() };
      await stage().hold(call.callId, accountId, call.reservationId);
      return call;
    }
    async function acquire({ callId }: { readonly callId: CallId }, wanted = line) {
      const outcome = await stage().lines.acquire({ callId, trunks: [], lines: [wanted] });
      await stage().pass(1);
      return outcome;
    }
    const seen = (accountId: AccountId, outcome: 'success' | 'fault' | 'neither', callId = newCallId()) =>
      stage().breakers.record({ breaker, callId, accountId, outcome });
    async function halfOpen(changes: Parameters<typeof opening>[1] = {}): Promise<void> {
      expect(await stage().breakers.change(breaker, 0, opening(5_000, changes))).toBe('changed');
      await stage().pass(5_000);
    }

    test('an open breaker gives a line to no call for its time; calls that have it keep it', async () => {
      const call = await held();
      expect(await acquire(call)).toMatchObject({ kind: 'acquired' });
      await stage().breakers.change(breaker, 0, opening(5_000));
      const waiting = await held();
      const waits = { kind: 'wait', forMs: 5_000, waitingFor: { lines: [line.name] } };
      expect(await acquire(waiting)).toMatchObject(waits);
      expect(await stage().lines.takeLine({ ...waiting, line })).toEqual({ kind: 'line_closed', forMs: 4_999 });
      expect(await acquire(call)).toMatchObject({ kind: 'acquired' });
      await stage().pass(4_999);
      expect(await acquire(waiting)).toMatchObject({ kind: 'acquired' });
    });

    test('an open breaker leaves other models of the same line alone', async () => {
      await stage().breakers.change(breaker, 0, opening(5_000));
      expect(await acquire(await held(), lineOf('a', 9, { breakers: [breakerOf('b')] }))).toMatchObject({
        kind: 'acquired',
      });
      const call = await held();
      await acquire(call, lineOf('a', 9));
      // The call has the line for another model.
      expect(await stage().lines.takeLine({ ...call, line })).toMatchObject({ kind: 'line_closed' });
    });

    test('a half-open breaker lets one call through, and the next one once that showed nothing', async () => {
      await halfOpen();
      const [probe, next] = [await held(), await held(other)];
      expect(await acquire(probe)).toMatchObject({ kind: 'acquired' });
      expect(await acquire(next)).toMatchObject({ kind: 'wait', forMs: 500 });
      expect(await seen(other, 'fault')).toMatchObject({ isProbe: false });
      expect(await seen(acme, 'neither', probe.callId)).toMatchObject({ isProbe: true });
      expect(await acquire(next)).toMatchObject({ kind: 'acquired' });
      expect(await seen(other, 'fault', next.callId)).toMatchObject({ isProbe: true, outage: { streak: 1 } });
    });

    test('a call that was let through and says nothing gives way after 30 s, to another account first', async () => {
      await halfOpen();
      await acquire(await held());
      const [again, next] = [await held(), await held(other)];
      await stage().pass(29_000);
      expect(await acquire(next)).toMatchObject({ kind: 'wait' });
      await stage().pass(1_000);
      expect(await acquire(again)).toMatchObject({ kind: 'wait' });
      expect(await acquire(next)).toMatchObject({ kind: 'acquired' });
    });

    test('an account that is alone tries again after two seconds', async () => {
      await halfOpen();
      const probe = await held();
      await acquire(probe);
      await stage().breakers.change(breaker, 1, opening(5_000));
      await stage().pass(5_000);
      const again = await held();
      expect(await acquire(again)).toMatchObject({ kind: 'wait' });
      await stage().pass(2_000);
      expect(await acquire(again)).toMatchObject({ kind: 'acquired' });
    });

    test('a breaker that nothing is heard of closes two minutes after its time', async () => {
      await halfOpen();
      await acquire(await held());
      await stage().pass(120_000);
      expect(await stage().breakers.open()).toEqual([]);
      for (let count = 0; count < 2; count += 1)
        expect(await acquire(await held())).toMatchObject({ kind: 'acquired' });
    });

    test('a credential is checked by one worker, and no call is let through before, for 15 s at most', async () => {
      await halfOpen({ isChecked: false });
      const { breakers } = stage();
      const call = await held();
      expect(await acquire(call)).toMatchObject({ kind: 'wait', forMs: 500 });
      expect(await breakers.open()).toMatchObject([{ breaker, streak: 1, forMs: 0, needsCheck: true }]);
      expect(await breakers.change(breaker, 1, { kind: 'begin_check' })).toBe('changed');
      expect(await breakers.change(breaker, 1, { kind: 'begin_check' })).toBe('unchanged');
      expect(await breakers.open()).toMatchObject([{ needsCheck: false }]);
      expect(await acquire(call)).toMatchObject({ kind: 'wait' });
      // Its worker died.
      await stage().pass(12_000);
      expect(await breakers.open()).toMatchObject([{ needsCheck: true }]);
      expect(await breakers.change(breaker, 1, { kind: 'begin_check' })).toBe('changed');
      expect(await breakers.change(breaker, 1, { kind: 'checked' })).toBe('changed');
      expect(await acquire(call)).toMatchObject({ kind: 'acquired' });
    });

    test('a credential that no worker checks in 15 s is tried by a call', async () => {
      await halfOpen({ isChecked: false });
      await stage().pass(15_000);
      expect(await acquire(await held())).toMatchObject({ kind: 'acquired' });
    });

    test('of several workers one opens and one closes it', async () => {
      const { breakers } = stage();
      expect(await breakers.change(breaker, 0, opening(5_000))).toBe('changed');
      expect(await breakers.change(breaker, 0, opening(9_000))).toBe('unchanged');
      expect(await breakers.open()).toMatchObject([{ streak: 1, forMs: 5_000, needsCheck: false }]);
      await stage().pass(5_000);
      expect(await breakers.change(breaker, 1, opening(30_000))).toBe('changed');
      expect(await breakers.change(breaker, 1, { kind: 'close' })).toBe('unchanged');
      expect(await breakers.change(breaker, 2, { kind: 'close' })).toBe('changed');
      expect(await breakers.open()).toEqual([]);
    });

    test('evidence is what was seen since the breaker closed last, within five minutes', async () => {
      await seen(acme, 'fault');
      await stage().pass(300_000);
      await seen(other, 'success');
      await seen(acme, 'neither');
      expect(outcomesOf(await seen(acme, 'fault'))).toEqual([
        [other, 'success'],
        [acme, 'fault'],
      ]);
      await stage().breakers.change(breaker, 0, opening(5_000));
      expect((await seen(acme, 'fault')).evidence).toEqual([]);
      await stage().breakers.change(breaker, 1, { kind: 'close' });
      expect(outcomesOf(await seen(acme, 'fault'))).toEqual([[acme, 'fault']]);
    });

    test('an account that floods drops its own evidence, and none of its neighbors', async () => {
      await seen(other, 'success');
      for (let count = 0; count < 30; count += 1) await seen(acme, 'success');
      const { evidence } = await seen(acme, 'fault');
      expect(evidence.filter(({ accountId }) => accountId === acme)).toHaveLength(20);
      expect(evidence[0]).toMatchObject({ accountId: other });
    });

    test('an account has at most 20 open breakers, and takes none from others', async () => {
      const { breakers } = stage();
      const names = Array.from({ length: 21 }, (_, index): BreakerName => breakerOf(`own-${index}`));
      const changes: string[] = [];
      for (const own of names) changes.push(await breakers.change(own, 0, opening(5_000, { owner: acme })));
      expect(changes).toEqual([...names.slice(1).map(() => 'changed'), 'unchanged']);
      expect(await breakers.change(breaker, 0, opening(5_000, { owner: other }))).toBe('changed');
      expect(await breakers.change(breakerOf('shared'), 0, opening(5_000))).toBe('changed');
    });

    test('a closed gate keeps its breakers', async () => {
      await stage().closeGate();
      expect(await stage().breakers.change(breaker, 0, opening(5_000))).toBe('changed');
      expect(await stage().breakers.open()).toHaveLength(1);
    });
  });
}

function outcomesOf({ evidence }: { readonly evidence: readonly { accountId: AccountId; outcome: string }[] }) {
  return evidence.map(({ accountId, outcome }) => [accountId, outcome]);
}
