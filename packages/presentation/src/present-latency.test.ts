import { callLatencySchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { presentLatency } from './present-latency.ts';

const metricsOf = (v2vMs: number | null) => ({ startMs: 0, v2vMs, bargeInMs: null });

test('half of the answers came within p50, and 95 of 100 within p95', () => {
  const answers = Array.from({ length: 100 }, (_, index) => metricsOf(1_000 - index * 10));
  expect(presentLatency(answers)).toMatchObject({ p50_ms: 500, p95_ms: 950 });
  expect(presentLatency([metricsOf(700.4)])).toMatchObject({ p50_ms: 700, p95_ms: 700 });
});

test('only answers count, and every turn is shown', () => {
  const delays = { endpointingMs: 260.2, llmTtftMs: 120.7, ttsTtfbMs: 99.4 };
  const latency = presentLatency([metricsOf(null), { startMs: 4_000.2, v2vMs: 812.5, bargeInMs: 160.4, delays }]);
  expect(callLatencySchema.parse(latency)).toEqual({
    p50_ms: 813,
    p95_ms: 813,
    turns: [
      { start_ms: 0, answer_ms: null, barge_in_ms: null, parts: null },
      {
        start_ms: 4_000,
        answer_ms: 813,
        barge_in_ms: 160,
        parts: { endpointing_ms: 260, llm_ttft_ms: 121, tts_ttfb_ms: 99 },
      },
    ],
  });
});

test('without an answer there is no latency', () => {
  expect(presentLatency([])).toBeNull();
  expect(presentLatency([metricsOf(null)])).toBeNull();
});
