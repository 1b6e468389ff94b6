import type { AnswerDelays, TurnMetrics } from '@outdial/calls';
import type { CallBody } from '@outdial/contracts';

/** Null without an answer. */
export function presentLatency(metrics: readonly TurnMetrics[]): CallBody['latency'] {
  const answers = metrics.flatMap(({ v2vMs }) => (v2vMs === null ? [] : [Math.round(v2vMs)])).toSorted((a, b) => a - b);
  const slowest = answers.at(-1);
  if (slowest === undefined) return null;
  /** The nearest rank. */
  const percentile = (percent: number) => answers[Math.ceil((percent * answers.length) / 100) - 1] ?? slowest;
  return {
    p50_ms: percentile(50),
    p95_ms: percentile(95),
    turns: metrics.map(({ startMs, v2vMs, bargeInMs, delays }) => ({
      start_ms: Math.round(startMs),
      answer_ms: v2vMs === null ? null : Math.round(v2vMs),
      barge_in_ms: bargeInMs === null ? null : Math.round(bargeInMs),
      parts: delays === undefined ? null : presentDelays(delays),
    })),
  };
}

const presentDelays = ({ endpointingMs, llmTtftMs, ttsTtfbMs }: AnswerDelays) => ({
  endpointing_ms: endpointingMs === null ? null : Math.round(endpointingMs),
  llm_ttft_ms: Math.round(llmTtftMs),
  tts_ttfb_ms: Math.round(ttsTtfbMs),
});
