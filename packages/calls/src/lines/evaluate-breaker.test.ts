import { accountIdSchema, type AccountId } from '@outdial/contracts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelMove } from '../../test/model-breaker-model.ts';
import type { BreakerEvidence } from '../breaker.ts';
import { evaluateBreaker, openMs } from './evaluate-breaker.ts';

const account = (n: number): AccountId =>
  accountIdSchema.parse(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
const seen = (outcome: BreakerEvidence['outcome'], of: number, atMs = 1_000): BreakerEvidence => ({
  atMs,
  outcome,
  accountId: account(of),
});
const times = (count: number, outcome: BreakerEvidence['outcome'], of: number, atMs?: number) =>
  Array.from({ length: count }, () => seen(outcome, of, atMs));

/** The newest is a fault. */
function after(evidence: readonly BreakerEvidence[], { isShared = false, nowMs = 1_000 } = {}) {
  const newest = { outcome: 'fault', isProbe: false } as const;
  return evaluateBreaker({ nowMs, isShared, outage: null, evidence, newest }).kind;
}

const slow = (outcomes: readonly BreakerEvidence[]) => outcomes.map((one, at) => ({ ...one, atMs: at * 40_000 }));

describe('a credential of one account', () => {
  test('opens its breaker with the fifth fault within 30 s', () => {
    expect(after(times(4, 'fault', 1))).toBe('stay');
    expect(after(times(5, 'fault', 1))).toBe('open');
    expect(after([seen('fault', 1), ...times(4, 'fault', 1, 31_000)], { nowMs: 31_000 })).toBe('stay');
  });

  test('stays in use while successes outnumber the faults', () => {
    expect(after([...times(6, 'success', 1), ...times(5, 'fault', 1)])).toBe('stay');
    expect(after([...times(5, 'success', 1), ...times(5, 'fault', 1)])).toBe('open');
  });

  test('opens its breaker once half of the last 20 outcomes are faults, however far apart', () => {
    const most = { nowMs: 800_000 };
    expect(after(slow([...times(10, 'success', 1), ...times(10, 'fault', 1)]), most)).toBe('open');
    expect(after(slow([...times(11, 'success', 1), ...times(9, 'fault', 1)]), most)).toBe('stay');
    expect(after(slow(times(19, 'fault', 1)), most)).toBe('stay');
  });
});

describe('a credential of the operator', () => {
  const shared = { isShared: true };

  test('is closed by no account alone, however many faults it sees', () => {
    expect(after(times(200, 'fault', 1), shared)).toBe('stay');
  });

  test('is closed by faults of two accounts', () => {
    expect(after([...times(3, 'fault', 1), ...times(2, 'fault', 2)], shared)).toBe('open');
    expect(after([...times(200, 'fault', 1), seen('fault', 2)], shared)).toBe('stay');
  });

  test('stays in use while it works for a third account', () => {
    const failing = [...times(20, 'fault', 1), ...times(2, 'fault', 2)];
    expect(after([...times(6, 'success', 3), ...failing], shared)).toBe('stay');
    expect(after([...times(5, 'success', 3), ...failing], shared)).toBe('open');
    expect(after([...times(20, 'success', 3), ...failing, ...times(3, 'fault', 4)], shared)).toBe('open');
  });
});

describe('an open breaker', () => {
  const outage = { streak: 2, sinceMs: 0, untilMs: 30_000 };
  const then = (nowMs: number, outcome: BreakerEvidence['outcome'], isProbe: boolean) =>
    evaluateBreaker({ nowMs, isShared: true, outage, evidence: [], newest: { outcome, isProbe } });

  test('stays open until its time is over, whatever running calls see', () => {
    for (const outcome of ['success', 'fault'] as const) expect(then(29_999, outcome, false)).toEqual({ kind: 'stay' });
  });

  test('is closed by a success once it is half-open', () => {
    for (const isProbe of [false, true]) expect(then(30_000, 'success', isProbe)).toEqual({ kind: 'close' });
  });

  test('opens again, for longer, only by a fault of the call that it let through', () => {
    expect(then(30_000, 'fault', false)).toEqual({ kind: 'stay' });
    expect(then(30_000, 'fault', true)).toEqual({ kind: 'open', forMs: 60_000 });
    expect([1, 2, 3, 4, 5, 9].map(openMs)).toEqual([15_000, 30_000, 60_000, 120_000, 120_000, 120_000]);
  });
});

const evidence = fc
  .array(
    fc.record({
      pauseMs: fc.oneof(fc.constant(0), fc.nat(4_000), fc.nat(40_000)),
      outcome: fc.constantFrom('success' as const, 'fault' as const),
      of: fc.oneof(fc.constant(1), fc.nat(4)),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    let atMs = 0;
    return steps.map(({ pauseMs, outcome, of }) => seen(outcome, of, (atMs += pauseMs)));
  });
const outage = fc.option(
  fc.record({ streak: fc.integer({ min: 1, max: 6 }), sinceMs: fc.constant(0), untilMs: fc.nat(200_000) }),
);

test('the move equals that of an independent model', () => {
  const newest = fc.record({ outcome: fc.constantFrom('success' as const, 'fault' as const), isProbe: fc.boolean() });
  fc.assert(
    fc.property(evidence, fc.boolean(), outage, newest, fc.nat(40_000), (known, isShared, standing, last, laterMs) => {
      const nowMs = (known.at(-1)?.atMs ?? 0) + laterMs;
      const view = { nowMs, isShared, outage: standing, evidence: known, newest: last };
      const move = evaluateBreaker(view);
      const wanted = modelMove(view);
      expect(move).toEqual('forMs' in wanted ? { ...wanted, forMs: (wanted.forMs ?? 0) * 1_000 } : wanted);
    }),
    { numRuns: 3_000 },
  );
});

test('one account never closes a shared line, whatever it sees, and whatever works for others', () => {
  fc.assert(
    fc.property(evidence, (known) => {
      const own = known.map((one) => (one.outcome === 'fault' ? { ...one, accountId: account(1) } : one));
      expect(after(own, { isShared: true, nowMs: own.at(-1)?.atMs ?? 0 })).toBe('stay');
    }),
  );
});
