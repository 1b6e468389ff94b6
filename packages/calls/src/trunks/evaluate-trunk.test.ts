import { accountIdSchema, callIdSchema } from '@outdial/contracts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelState } from '../../test/trunk-breaker-model.ts';
import { evaluateTrunk } from './evaluate-trunk.ts';
import type { CallRefusedByTrunk, TrunkEvidence } from '../trunk-evidence.ts';

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const account = (n: number) => accountIdSchema.parse(uuid(n));

interface Failure {
  readonly call: number;
  readonly account?: number;
  readonly to?: number;
  readonly failure?: CallRefusedByTrunk['failure'];
  readonly sinceMs?: number;
  readonly retryAfterMs?: number | null;
}
const failed = (atMs: number, f: Failure): TrunkEvidence => ({
  kind: 'failed',
  failure: f.failure ?? 'congested',
  callId: callIdSchema.parse(uuid(f.call)),
  accountId: account(f.account ?? 1),
  destination: `to ${f.to ?? f.call}`,
  retryAfterMs: f.retryAfterMs === undefined ? 30_000 : f.retryAfterMs,
  sinceMs: f.sinceMs ?? atMs,
  detail: '',
  atMs,
  own: true,
});
const carried = (atMs: number, of = 9): TrunkEvidence => ({ kind: 'carried', accountId: account(of), atMs, own: true });
const answered = (atMs: number, own = true): TrunkEvidence => ({ kind: 'answered', atMs, own });
const unanswered = (atMs: number, own: boolean, forMs: number | null = null): TrunkEvidence => ({
  kind: 'unanswered',
  state: 'unreachable',
  sinceMs: atMs - 10,
  forMs,
  detail: '',
  atMs,
  own,
});
const kindAt = (nowMs: number, ...evidence: readonly TrunkEvidence[]) => evaluateTrunk(evidence, nowMs).kind;
const outageAt = (nowMs: number, ...evidence: readonly TrunkEvidence[]) => {
  const state = evaluateTrunk(evidence, nowMs);
  return state.kind === 'open' || state.kind === 'half_open' ? state.outage : null;
};

const twoAccounts = [1, 2, 3].map((n) => failed(n * 10, { call: n, account: n === 1 ? 1 : 2 }));

describe('a trunk stays in use', () => {
  test('after one failed call', () => {
    expect(kindAt(11, failed(10, { call: 1 }))).toBe('suspected');
  });

  test('however many calls to one number fail', () => {
    const calls = Array.from({ length: 50 }, (_, n) => failed(n, { call: n, account: n, to: 109 }));
    expect(kindAt(60, ...calls)).toBe('suspected');
  });

  test('however many numbers fail for one account, while other accounts use the trunk', () => {
    const calls = Array.from({ length: 50 }, (_, n) => failed(n + 2, { call: n, account: 1 }));
    expect(kindAt(60, carried(1, 2), ...calls)).toBe('suspected');
  });

  test('if a call got through since', () => {
    for (const life of [carried(31), answered(31)]) expect(kindAt(40, ...twoAccounts, life)).toBe('closed');
  });

  test('if calls got through while others were silent: 32 s of silence then belong to the destinations', () => {
    const silent = [1, 2, 3].map((n) => failed(32_000 + n, { call: n, account: n, failure: 'silent', sinceMs: n }));
    expect(kindAt(32_010, carried(15_000), ...silent)).toBe('closed');
    expect(kindAt(32_010, ...silent)).toBe('open');
  });

  test('for other workers, when one worker’s OPTIONS fails', () => {
    expect(kindAt(20, unanswered(15, false))).toBe('closed');
    expect(kindAt(20, unanswered(15, true))).toBe('open');
  });
});

const lastOfThree = (retryAfterMs: number | null) => failed(40, { call: 4, account: 2, retryAfterMs });

const outUntil = (retryAfterMs: number | null) =>
  outageAt(41, ...twoAccounts.slice(0, 2), lastOfThree(retryAfterMs))?.untilMs;

describe('a trunk is down', () => {
  test('when several calls of two accounts to several numbers failed and none got through', () => {
    expect(kindAt(31, ...twoAccounts)).toBe('open');
  });

  test('when only its single account sees failures, for ten seconds at most', () => {
    const calls = [1, 2, 3].map((n) => failed(n, { call: n }));
    expect(outageAt(10, ...calls)).toMatchObject({ problem: 'congested', untilMs: 10_003 });
  });

  test('when only a few of many accounts see failures, for ten seconds at most', () => {
    const others = Array.from({ length: 7 }, (_, n) => carried(n - 10, 10 + n));
    expect(outageAt(41, ...others, ...twoAccounts)).toMatchObject({ untilMs: 10_030 });
    expect(outageAt(41, ...others.slice(1), ...twoAccounts)).toMatchObject({ untilMs: 30_030 });
  });

  test('when one account sees failures and a failed OPTIONS confirms them, before or after', () => {
    const calls = [11, 12, 13].map((n) => failed(n, { call: n }));
    for (const witness of [unanswered(12, false), unanswered(15, false)]) {
      expect(kindAt(20, carried(0, 2), witness, ...calls)).toBe('open');
    }
  });

  test('for the time of Retry-After, between a second and a minute', () => {
    expect([30_000, 86_400_000, 0, null].map(outUntil)).toEqual([30_040, 60_040, 1_040, 10_040]);
  });

  test('until it is half-open after its time; each failed call then opens the breaker again', () => {
    expect(kindAt(30_030, ...twoAccounts)).toBe('half_open');
    const again = failed(40_000, { call: 9 });
    expect(outageAt(40_001, ...twoAccounts, again)).toMatchObject({ sinceMs: 30 });
    expect(kindAt(40_001, ...twoAccounts, again)).toBe('open');
    expect(kindAt(40_001, ...twoAccounts, carried(40_000))).toBe('closed');
  });

  test('indefinitely if OPTIONS fails, until this worker sees a sign of life', () => {
    expect(kindAt(1e9, unanswered(15, true))).toBe('open');
    expect(kindAt(1e9, unanswered(15, true), answered(20, false))).toBe('open');
    expect(kindAt(1e9, unanswered(15, true), answered(20))).toBe('closed');
    expect(kindAt(90_000, unanswered(15, true, 60_000))).toBe('half_open');
  });
});

const refused = (atMs: number, call: number, of = 1) => failed(atMs, { call, account: of, failure: 'unauthorized' });

describe('a trunk that rejects our password', () => {
  test('is down after one call if no call has used the password successfully, and OPTIONS does not restore it', () => {
    expect(outageAt(599_999, refused(1, 1), answered(5))).toMatchObject({ problem: 'unauthorized', untilMs: 600_001 });
  });

  test('is down only after several calls of two accounts if calls got through before', () => {
    const calls = [refused(1, 1), refused(2, 2), refused(3, 3)];
    expect(kindAt(10, carried(0, 2), ...calls)).toBe('suspected');
    expect(kindAt(10, carried(0, 2), ...calls, refused(4, 4, 2))).toBe('open');
    expect(kindAt(10, ...calls, carried(4))).toBe('closed');
  });
});

const monotonicNowMs = fc.nat(400_000);
const evidence: fc.Arbitrary<TrunkEvidence> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        atMs: monotonicNowMs,
        call: fc.nat(30),
        account: fc.oneof(fc.nat(1), fc.nat(11)),
        to: fc.nat(5),
        failure: fc.constantFrom('congested' as const, 'silent' as const, 'unauthorized' as const),
        waitedMs: fc.nat(32_000),
        retryAfterMs: fc.option(fc.nat(120_000)),
      })
      .map(({ atMs, waitedMs, ...f }) =>
        failed(atMs, { ...f, sinceMs: f.failure === 'silent' ? atMs - waitedMs : atMs }),
      ),
  },
  { weight: 1, arbitrary: fc.record({ atMs: monotonicNowMs, of: fc.nat(2) }).map(({ atMs, of }) => carried(atMs, of)) },
  {
    weight: 1,
    arbitrary: fc.record({ atMs: monotonicNowMs, own: fc.boolean() }).map(({ atMs, own }) => answered(atMs, own)),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ atMs: monotonicNowMs, own: fc.boolean(), forMs: fc.option(fc.constant(60_000)) })
      .map(({ atMs, own, forMs }) => unanswered(atMs, own, forMs)),
  },
);
/** Two events of the same moment have no defined order, so each event has its own moment. */
const history = fc.uniqueArray(evidence, { maxLength: 40, selector: ({ atMs }) => atMs });

test('the state equals that of the model, at every moment', () => {
  fc.assert(
    fc.property(history, fc.nat(1_200_000), (seen, laterMs) => {
      const nowMs = Math.max(0, ...seen.map(({ atMs }) => atMs)) + laterMs;
      const state = evaluateTrunk(seen, nowMs);
      const outage = 'outage' in state ? state.outage : null;
      expect({ kind: state.kind, untilMs: outage?.untilMs ?? null }).toEqual(modelState(seen, nowMs));
    }),
    { numRuns: 2_000 },
  );
});

test('the order in which evidence arrives does not matter', () => {
  const shuffled = history.chain((seen) =>
    fc.tuple(fc.constant(seen), fc.shuffledSubarray(seen, { minLength: seen.length })),
  );
  fc.assert(
    fc.property(shuffled, ([seen, other]) => {
      expect(evaluateTrunk(other, 500_000)).toEqual(evaluateTrunk(seen, 500_000));
    }),
  );
});

test('one account never takes a trunk from others that use it, whatever it dials', () => {
  const ones = fc.array(
    fc
      .record({ atMs: fc.nat(300_000), call: fc.nat(1_000), to: fc.nat(1_000) })
      .map(({ atMs, ...f }) => failed(atMs + 1, { ...f, failure: f.to % 2 === 0 ? 'congested' : 'silent' })),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(ones, (seen) => {
      expect(['closed', 'suspected']).toContain(kindAt(301_000, carried(0, 2), ...seen));
    }),
  );
});
