import { assert, boolean, constantFrom, infiniteStream, integer, option, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import type { ProviderFailure, ProviderFailureKind } from '../mind.ts';
import { Succession } from './succession.ts';

const KINDS: readonly ProviderFailureKind[] = [
  'unreachable',
  'rejected',
  'rate_limited',
  'dropped',
  'stalled',
  'invalid_response',
];

const failureOf = (kind: ProviderFailureKind, retryAfterMs: number | null = null): ProviderFailure => ({
  component: 'stt',
  kind,
  message: '',
  retryAfterMs,
});

test('every succession ends, never goes back, and never waits longer than a callee would', () => {
  assert(
    property(
      integer({ min: 1, max: 4 }),
      boolean(),
      boolean(),
      infiniteStream(
        record({
          kind: constantFrom(...KINDS),
          wasReady: boolean(),
          retryAfterMs: option(integer({ min: 0, max: 4_000 })),
        }),
      ),
      (count, prefersFallback, retriesConnecting, failures) => {
        const succession = new Succession({ count, prefersFallback, retriesConnecting });
        let last = 0;
        let attempts = 1;
        for (const { kind, wasReady, retryAfterMs } of failures) {
          const next = succession.after(failureOf(kind, retryAfterMs), wasReady);
          if (next === null) break;
          attempts += 1;
          expect(next.index).toBeGreaterThanOrEqual(last);
          expect(next.index).toBeLessThan(count);
          expect(next.delayMs).toBeLessThanOrEqual(1_500);
          last = next.index;
        }
        // Each provider once, once more after a 429 each, two reconnections in all, and the last one once more.
        expect(attempts).toBeLessThanOrEqual(2 * count + 2 + (retriesConnecting ? 1 : 0));
        expect(last).toBe(count - 1);
      },
    ),
  );
});

test('a credential that is rejected is not tried again', () => {
  expect(new Succession({ count: 1 }).after(failureOf('rejected'), true)).toBeNull();
  expect(new Succession({ count: 2 }).after(failureOf('rejected'), true)).toEqual({ index: 1, delayMs: 0 });
});

test('a provider that asks for a long wait is left for its fallback', () => {
  expect(new Succession({ count: 1 }).after(failureOf('rate_limited', 1_501), false)).toBeNull();
  expect(new Succession({ count: 1 }).after(failureOf('rate_limited', 1_500), false)).toEqual({
    index: 0,
    delayMs: 1_500,
  });
});
