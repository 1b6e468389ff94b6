import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ATTEMPT_ERRORS, type AttemptVerdict, type SentEndpointKind } from '../ports/webhook-store.ts';
import { parseRetryAfter } from './retry-after.ts';
import { delayAfter, TRIES } from './schedule.ts';
import { judge, type AttemptOutcome, type JudgedAttempt } from './verdict.ts';

const NOW_MS = Date.UTC(2026, 11, 4, 10, 11, 12);

/** The schedule as the documentation writes it, apart from the code. */
const DOCUMENTED: Readonly<Record<SentEndpointKind, readonly string[]>> = {
  standing: ['5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h'],
  per_call: ['5 s', '5 min', '30 min', '2 h'],
};
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 };
const secondsOf = (text: string) => {
  const [count, unit = ''] = text.split(' ');
  return Number(count) * (UNIT_SECONDS[unit] ?? Number.NaN);
};

const FIRST_TRY: JudgedAttempt = { kind: 'standing', triesLeft: 9, nowMs: NOW_MS, random: 0.5 };

const statuses = fc.integer({ min: 100, max: 599 });
const outcomes: fc.Arbitrary<AttemptOutcome> = fc.oneof(
  fc.record({
    kind: fc.constant('response' as const),
    status: fc.oneof(statuses, fc.constantFrom(200, 204, 301, 410, 429, 500, 502, 503, 504)),
    retryAfter: fc.oneof(fc.constant(undefined), fc.nat({ max: 9_999 }).map(String), fc.string()),
  }),
  fc.record({ kind: fc.constant('error' as const), error: fc.constantFrom(...ATTEMPT_ERRORS) }),
);
const randoms = fc.double({ min: 0, max: 1, noNaN: true });

/** A delivery from its first attempt to its end, with the responses that a receiver gives. */
function live(kind: SentEndpointKind, answers: readonly AttemptOutcome[], random: number): AttemptVerdict[] {
  const verdicts: AttemptVerdict[] = [];
  for (const [index, outcome] of answers.entries()) {
    const attempt = index + 1;
    const verdict = judge(outcome, { kind, triesLeft: TRIES[kind] - attempt, nowMs: NOW_MS, random });
    verdicts.push(verdict);
    if (verdict.kind !== 'retry' || attempt === TRIES[kind]) break;
  }
  return verdicts;
}

describe('the life of a delivery', () => {
  test('follows the documented schedule, and ends with the first success, 410, or its last try', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<SentEndpointKind>('standing', 'per_call'),
        fc.array(outcomes, { minLength: 12, maxLength: 12 }),
        randoms,
        (kind, answers, random) => {
          const schedule = DOCUMENTED[kind];
          const verdicts = live(kind, answers, random);
          const endsAt = answers.findIndex(
            (answer) => answer.kind === 'response' && (Math.floor(answer.status / 100) === 2 || answer.status === 410),
          );
          const tries = schedule.length + 1;
          const expected = endsAt === -1 || endsAt >= tries ? tries : endsAt + 1;
          expect(verdicts).toHaveLength(expected);
          const last = answers[expected - 1];
          const isGone = last?.kind === 'response' && last.status === 410;
          const ending = endsAt === -1 || endsAt >= tries ? 'retry' : isGone ? 'gone' : 'delivered';
          expect(verdicts.at(-1)?.kind).toBe(ending);
          for (const [index, verdict] of verdicts.slice(0, -1).entries()) {
            const plannedMs = secondsOf(schedule[index] ?? '') * 1_000;
            expect(verdict.kind === 'retry' && Math.abs(verdict.dueInMs - plannedMs)).toBeLessThanOrEqual(
              plannedMs * 0.2 + 1,
            );
          }
        },
      ),
    );
  });

  test('takes 75.6 hours at most with the average of its delays', () => {
    const totalMs = DOCUMENTED.standing.map((_, index) => delayAfter(index + 1, 0.5)).reduce((sum, ms) => sum + ms, 0);
    expect(totalMs / 3_600_000).toBeCloseTo(75.6, 1);
  });

  test('does not end by the tries that were left at its claim: a resend may have given it new ones, soon', () => {
    const outcome: AttemptOutcome = { kind: 'response', status: 500, retryAfter: undefined };
    const verdict = judge(outcome, { ...FIRST_TRY, triesLeft: 0 });
    expect(verdict).toEqual({ kind: 'retry', dueInMs: 5_000, laneDelayMs: 0 });
  });

  test('waits for the shortest delay if it has all its tries, or more', () => {
    const outcome: AttemptOutcome = { kind: 'response', status: 500, retryAfter: undefined };
    for (const triesLeft of [10, 11]) {
      expect(judge(outcome, { ...FIRST_TRY, triesLeft })).toMatchObject({ kind: 'retry', dueInMs: 5_000 });
    }
  });
});

describe('the lane of a receiver', () => {
  test('waits only after 429, 502, 503 and 504', () => {
    fc.assert(
      fc.property(outcomes, (outcome) => {
        const verdict = judge(outcome, FIRST_TRY);
        const delayMs = 'laneDelayMs' in verdict ? verdict.laneDelayMs : 0;
        const isBusy = outcome.kind === 'response' && ['429', '502', '503', '504'].includes(String(outcome.status));
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThanOrEqual(3_600_000);
        if (!isBusy) expect(delayMs).toBe(0);
      }),
    );
  });

  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['999999', 3_600_000],
    ['Fri, 04 Dec 2026 10:12:12 GMT', 60_000],
    ['Fri, 04 Dec 2026 10:11:00 GMT', 0],
    ['Sat, 05 Dec 2026 10:11:00 GMT', 3_600_000],
  ])('waits as `Retry-After: %s` asks, at most an hour', (value, expectedMs) => {
    expect(parseRetryAfter(value, NOW_MS)).toBe(expectedMs);
  });

  test.each(['', 'soon', '-5', '1.5', '1e9', '0x10', '99999999999', '2026-12-04', 'Fri, 99 Foo 2026 10:12:12 GMT'])(
    'waits 5 seconds after `Retry-After: %s`, which has no meaning',
    (retryAfter) => {
      const outcome: AttemptOutcome = { kind: 'response', status: 503, retryAfter };
      const verdict = judge(outcome, FIRST_TRY);
      expect(verdict).toEqual({ kind: 'retry', dueInMs: 5_000, laneDelayMs: 5_000 });
    },
  );
});
