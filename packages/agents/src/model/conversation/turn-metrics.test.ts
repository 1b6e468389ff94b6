import type { VoiceAgentEvent } from '@outdial/calls';
import { expect, test } from 'vitest';
import { TurnMetrics } from './turn-metrics.ts';

const DELAYS = { endpointingMs: 260, llmTtftMs: 120, ttsTtfbMs: 100 };

function follow() {
  const events: VoiceAgentEvent[] = [];
  const metrics = new TurnMetrics((event) => void events.push(event));
  return {
    events,
    metrics,
    /** The agent speaks, after the callee's last speech. */
    answer: (item: string, lastSpeechMs: number | null, startMs: number, endMs: number) => {
      metrics.follow(true, lastSpeechMs);
      metrics.agentSpoke({ item, startMs, endMs });
      metrics.follow(false, lastSpeechMs);
    },
  };
}

test('an answer has the parts of its delay, and the next one has its own alone', () => {
  const { events, metrics, answer } = follow();
  answer('opening', null, 500, 1_000);
  metrics.answerTimed({ item: 'answer', ...DELAYS });
  answer('answer', 2_000, 2_500, 3_000);
  answer('static', 4_000, 4_600, 5_000);
  expect(events).toEqual([
    { kind: 'turn_metrics', startMs: 500, v2vMs: null, bargeInMs: null },
    { kind: 'turn_metrics', startMs: 2_500, v2vMs: 500, bargeInMs: null, delays: DELAYS },
    { kind: 'turn_metrics', startMs: 4_600, v2vMs: 600, bargeInMs: null },
  ]);
});

test('words that answer nothing have no delay, whatever the models report', () => {
  const { events, metrics, answer } = follow();
  metrics.answerTimed({ item: 'opening', ...DELAYS, endpointingMs: null });
  answer('opening', null, 500, 1_000);
  expect(events).toEqual([{ kind: 'turn_metrics', startMs: 500, v2vMs: null, bargeInMs: null }]);
});
