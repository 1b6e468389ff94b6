import { trunkNameSchema, type AccountId, type CallId, type ReservationId } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import type { LineLimits } from '../../line.ts';
import type { Breakers } from '../../ports/breakers.ts';
import type { GateToken } from '../../ports/gate.ts';
import type { LineGate } from '../../ports/lines.ts';
import type { TrunkLimits } from '../../ports/trunks.ts';
import { newAccountId, newCallId, newReservationId } from '../ids.ts';
import { stageForEach, type Stage } from '../stage-for-each.ts';
import { breakerOf, lineOf } from './lines.ts';

/** An open gate without calls, whose lines and channels are restored. */
export interface LineGateStage extends Stage {
  readonly lines: LineGate;
  readonly breakers: Breakers;
  readonly token: GateToken;
  /** Time stands still unless this lets it pass. */
  readonly pass: (durationMs: number) => Promise<void>;
  readonly hold: (callId: CallId, accountId: AccountId, reservationId: ReservationId) => Promise<void>;
  readonly release: (callId: CallId, accountId: AccountId, reservationId: ReservationId) => Promise<void>;
  /** The trunk that has a channel for the call now; null while it has none. */
  readonly acquireChannel: (callId: CallId, trunks: readonly TrunkLimits[]) => Promise<string | null>;
  /** Another generation of the gate with the same holds; its channels are restored, its lines are not. */
  readonly rebuild: () => Promise<GateToken>;
  readonly closeGate: () => Promise<void>;
}

const trunk: TrunkLimits = { name: trunkNameSchema.parse('main'), channels: 1, callsPerSecond: 1_000_000 };
const nowhere = { callId: newCallId(), trunks: [], lines: [] };

const waitsFor = (...lines: readonly LineLimits[]) => ({
  kind: 'wait',
  waitingFor: { lines: lines.map(({ name }) => name) },
});

/** What every `LineGate` promises. */
export function describeLineGate(name: string, open: () => Promise<LineGateStage>): void {
  describe(`lines: ${name}`, () => {
    const stage = stageForEach(open);
    const [acme, other] = [newAccountId(), newAccountId()];

    async function held(accountId = acme) {
      const call = { callId: newCallId(), accountId, reservationId: newReservationId() };
      await stage().hold(call.callId, accountId, call.reservationId);
      return { ...call, release: () => stage().release(call.callId, accountId, call.reservationId) };
    }
    async function acquire(call: { readonly callId: CallId }, ...lines: readonly LineLimits[]) {
      await stage().pass(1);
      return stage().lines.acquire({ callId: call.callId, trunks: [], lines });
    }
    const free = (accountId: AccountId, ...lines: readonly LineLimits[]) => stage().lines.free({ accountId, lines });
    async function acquired(accountId: AccountId, ...lines: readonly LineLimits[]) {
      const call = await held(accountId);
      expect(await acquire(call, ...lines)).toMatchObject({ kind: 'acquired' });
      return call;
    }

    test('a call gets all of its lines or none, and the same ones again', async () => {
      const [a, b] = [lineOf('a', 1), lineOf('b', 1)];
      const first = await acquired(acme, b);
      const call = await held();
      expect(await acquire(call, a, b)).toMatchObject(waitsFor(b));
      expect(await acquire(await held(), a)).toMatchObject(waitsFor(a));
      await first.release();
      const names = [a.name, b.name];
      for (let delivery = 0; delivery < 2; delivery += 1)
        expect(await acquire(call, a, b)).toEqual({
          kind: 'acquired',
          token: stage().token,
          trunk: null,
          lines: names,
        });
      expect(await acquire(call)).toMatchObject({ kind: 'acquired', lines: names });
    });

    test('a call that waits for a line gives its channel back in the same step', async () => {
      const line = lineOf('a', 1);
      await acquired(acme, line);
      const [call, scripted] = [await held(), await held()];
      expect(await stage().acquireChannel(call.callId, [trunk])).toBe('main');
      await stage().pass(1);
      expect(await stage().acquireChannel(scripted.callId, [trunk])).toBeNull();
      expect(await stage().lines.acquire({ callId: call.callId, trunks: [trunk], lines: [line] })).toMatchObject({
        kind: 'wait',
        waitingFor: { trunk: false, lines: [line.name] },
      });
      expect(await stage().acquireChannel(scripted.callId, [trunk])).toBe('main');
    });

    test('a call that waits for a trunk takes no line', async () => {
      const line = lineOf('a', 1);
      expect(await stage().acquireChannel((await held()).callId, [trunk])).toBe('main');
      const call = await held();
      expect(await stage().lines.acquire({ callId: call.callId, trunks: [trunk], lines: [line] })).toMatchObject({
        kind: 'wait',
        waitingFor: { trunk: true, lines: [] },
      });
      await acquired(acme, line);
    });

    test('nothing is taken from a call that has lines, whatever is asked for it later', async () => {
      const [a, b] = [lineOf('a', 1), lineOf('b', 1)];
      await acquired(acme, b);
      const call = await held();
      const asked = { callId: call.callId, trunks: [trunk] };
      expect(await stage().lines.acquire({ ...asked, lines: [a] })).toMatchObject({ kind: 'acquired', trunk: 'main' });
      expect(await stage().lines.acquire({ ...asked, lines: [b] })).toMatchObject(waitsFor(b));
      expect(await stage().acquireChannel((await held()).callId, [trunk])).toBeNull();
      expect(await acquire(await held(), a)).toMatchObject(waitsFor(a));
    });

    test('a call that lacks one of two lines keeps the next place at both from calls that need one', async () => {
      const [a, b] = [lineOf('a', 1), lineOf('b', 1)];
      const first = await acquired(acme, a);
      const both = await held();
      expect(await acquire(both, a, b)).toMatchObject(waitsFor(a));
      await first.release();
      expect(await acquire(await held(), a)).toMatchObject(waitsFor(a));
      expect(await acquire(await held(), b)).toMatchObject(waitsFor(b));
      expect(await acquire(both, a, b)).toMatchObject({ kind: 'acquired' });
    });

    test('a kept place is free again once its call is gone or no longer asks', async () => {
      const [a, b] = [lineOf('a', 1), lineOf('b', 1)];
      await acquired(acme, a);
      const both = await held();
      await acquire(both, a, b);
      await both.release();
      await (await acquired(acme, b)).release();
      await acquire(await held(), a, b);
      await stage().pass(12_001);
      expect(await acquire(await held(), b)).toMatchObject({ kind: 'acquired' });
    });

    test('a closed line is given to no call, keeps no place from others, and is asked for again after seconds', async () => {
      const [a, b] = [lineOf('a', 1), lineOf('b', 1)];
      const closed = { ...a, isClosed: true };
      const call = await held();
      const { lines } = stage();
      expect(await lines.acquire({ callId: call.callId, trunks: [], lines: [closed, b] })).toMatchObject({
        kind: 'wait',
        forMs: 5_000,
        waitingFor: { lines: [a.name] },
      });
      expect(await lines.takeLine({ ...call, line: closed })).toMatchObject({ kind: 'line_closed' });
      expect(await free(acme, closed, b)).toEqual([0, 1]);
      // Another key of its project, on the same line, works.
      await acquired(other, a, b);
    });

    test('lines are free as soon as their reservation is released', async () => {
      const line = lineOf('a', 1);
      const call = await acquired(acme, line);
      expect(await acquire(await held(), line)).toMatchObject(waitsFor(line));
      await call.release();
      await acquired(acme, line);
      expect(await acquire(call, line)).toEqual({ kind: 'not_held' });
    });

    test('an account takes at most half of a shared line while another waits for it', async () => {
      const line = lineOf('a', 3);
      const calls = [await acquired(acme, line), await acquired(acme, line), await acquired(acme, line)];
      const waiting = await held(other);
      expect(await acquire(waiting, line)).toMatchObject(waitsFor(line));
      await calls[0]?.release();
      expect(await acquire(await held(acme), line)).toMatchObject(waitsFor(line));
      expect(await acquire(waiting, line)).toMatchObject({ kind: 'acquired' });
      // The other account has asked for nothing since: it no longer waits.
      await stage().pass(12_001);
      await calls[1]?.release();
      await acquired(acme, line);
    });

    test('an account takes a whole line that is not shared', async () => {
      const line = lineOf('a', 2, { isShared: false });
      const call = await acquired(acme, line);
      await acquired(acme, line);
      expect(await acquire(await held(other), line)).toMatchObject(waitsFor(line));
      await call.release();
      await acquired(acme, line);
    });

    test('a lowered line is given to calls of that model while less than half of its calls are left, for its time', async () => {
      const model = breakerOf('a');
      const line = lineOf('a', 9, { breakers: [model] });
      const calls = [
        await acquired(acme, line),
        await acquired(acme, line),
        await acquired(acme, line),
        await acquired(acme, line),
      ];
      expect(await stage().lines.lower({ line: line.name, model, forMs: 60_000 })).toBe(2);
      const waiting = await held();
      expect(await acquire(waiting, line)).toMatchObject(waitsFor(line));
      expect(await free(acme, line)).toEqual([0]);
      // Another model of the same line has its own limits at the provider.
      await (await acquired(acme, lineOf('a', 9, { breakers: [breakerOf('b')] }))).release();
      for (const call of calls.slice(1)) await call.release();
      await acquired(acme, line);
      expect(await acquire(waiting, line)).toMatchObject(waitsFor(line));
      await stage().pass(60_000);
      expect(await acquire(waiting, line)).toMatchObject({ kind: 'acquired' });
    });

    test('a lowered line gives each account one call, however many calls another has', async () => {
      const model = breakerOf('a');
      const line = lineOf('a', 9, { breakers: [model] });
      for (let count = 0; count < 4; count += 1) await acquired(acme, line);
      await stage().lines.lower({ line: line.name, model, forMs: 60_000 });
      expect(await free(other, line)).toEqual([1]);
      await acquired(other, line);
      expect(await acquire(await held(other), line)).toMatchObject(waitsFor(line));
    });

    test('a line that is lowered again stays so for longer, and gets no narrower', async () => {
      const model = breakerOf('a');
      const line = lineOf('a', 9, { breakers: [model] });
      for (let count = 0; count < 4; count += 1) await acquired(acme, line);
      const lower = () => stage().lines.lower({ line: line.name, model, forMs: 60_000 });
      await lower();
      await stage().pass(59_000);
      expect(await lower()).toBe(2);
      await stage().pass(59_000);
      expect(await acquire(await held(), line)).toMatchObject(waitsFor(line));
    });

    test('calls follow each other at the pace of the line', async () => {
      const line = lineOf('a', 9, { startsPerSecond: 10 });
      await acquired(acme, line);
      const call = await held();
      expect(await acquire(call, line)).toMatchObject({ kind: 'wait', forMs: 99 });
      await stage().pass(98);
      expect(await acquire(call, line)).toMatchObject({ kind: 'acquired' });
    });

    test('waiting calls get separate turns, at the latest of their lines', async () => {
      const [slow, quick] = [lineOf('a', 0, { startsPerSecond: 2 }), lineOf('b', 0, { startsPerSecond: 1_000 })];
      const turns: unknown[] = [];
      for (let count = 0; count < 3; count += 1)
        turns.push(await stage().lines.acquire({ callId: (await held()).callId, trunks: [], lines: [quick, slow] }));
      expect(turns).toMatchObject([{ forMs: 500 }, { forMs: 1_000 }, { forMs: 1_500 }]);
    });

    test('a call takes one more line in mid-call, once', async () => {
      const [a, spare] = [lineOf('a', 1), lineOf('spare', 1)];
      const call = await acquired(acme, a);
      const { lines, token } = stage();
      for (let delivery = 0; delivery < 2; delivery += 1)
        expect(await lines.takeLine({ ...call, line: spare })).toEqual({ kind: 'taken', token });
      const late = await acquired(acme);
      expect(await lines.takeLine({ ...late, line: spare })).toEqual({ kind: 'full' });
      expect(await lines.takeLine({ ...late, reservationId: newReservationId(), line: spare })).toEqual({
        kind: 'not_held',
      });
      expect(await acquire(call, a)).toMatchObject({ lines: [a.name, spare.name] });
    });

    test('after a rebuild no line is given out until those of open calls are restored, once', async () => {
      const line = lineOf('a', 1);
      const call = await acquired(acme, line);
      const { lines, token } = stage();
      const next = await stage().rebuild();
      const waiting = await held();
      expect(await acquire(waiting, line)).toEqual({ kind: 'stale', token: next });
      expect(await lines.takeLine({ ...waiting, line })).toEqual({ kind: 'stale', token: next });
      const { callId, accountId, reservationId } = call;
      const taken = [{ callId, accountId, reservationId, lines: [line.name] }];
      expect(await lines.restore(token, [])).toBe('superseded');
      expect(await lines.restore(next, taken)).toBe('restored');
      expect(await lines.restore(next, [])).toBe('restored');
      expect(await acquire(waiting, line)).toMatchObject(waitsFor(line));
      expect(await lines.takeLine({ ...call, line })).toEqual({ kind: 'taken', token: next });
    });

    test('a closed gate gives out nothing', async () => {
      const line = lineOf('a', 1);
      const call = await held();
      await stage().closeGate();
      expect(await stage().lines.acquire(nowhere)).toEqual({ kind: 'closed' });
      expect(await stage().lines.takeLine({ ...call, line })).toEqual({ kind: 'closed' });
      expect(await free(acme, line)).toBeNull();
    });

    test('counts the calls that could get each line within a second, and takes none', async () => {
      const [a, b] = [lineOf('a', 3), lineOf('b', 10, { startsPerSecond: 4 })];
      const call = await acquired(acme, a);
      for (let time = 0; time < 2; time += 1) expect(await free(acme, a, b)).toEqual([2, 4]);
      await call.release();
      await acquired(acme, a);
      await acquired(other, a);
      await acquired(acme, a);
      expect(await free(other, a)).toEqual([0]);
    });

    test('of a shared line an account has half while another waits, and all of a line that is not shared', async () => {
      const line = lineOf('a', 2);
      await acquired(acme, line);
      await acquired(acme, line);
      expect(await acquire(await held(other), line)).toMatchObject(waitsFor(line));
      const wider = lineOf('a', 4);
      expect([await free(acme, wider), await free(other, wider)]).toEqual([[0], [2]]);
      expect(await free(acme, { ...wider, isShared: false })).toEqual([2]);
    });

    test('no call could get a line past an open breaker, and one past a half-open one', async () => {
      const breaker = breakerOf('a');
      const line = lineOf('a', 5, { breakers: [breaker] });
      expect(await free(acme, line)).toEqual([5]);
      await stage().breakers.change(breaker, 0, { kind: 'open', forMs: 5_000, isChecked: true, owner: null });
      expect(await free(acme, line)).toEqual([0]);
      await stage().pass(5_000);
      expect(await free(acme, line)).toEqual([1]);
      await acquired(acme, line);
      expect(await free(acme, line)).toEqual([0]);
    });

    test('while lines are not restored it is not known how many are free', async () => {
      await stage().rebuild();
      expect(await free(acme, lineOf('a', 1))).toBeNull();
    });
  });
}
