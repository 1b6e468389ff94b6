import { answeringProvider, providerOf, type ClaimedCall, type TurnMetrics } from '@outdial/calls';
import type { WorkerMetrics } from '@outdial/metrics';

/** Measures how long callees wait for answers, and for which part of them. */
export function measureTurn(
  metrics: Pick<WorkerMetrics, 'turnLatency' | 'answerDelay'>,
  { conducted }: Pick<ClaimedCall, 'conducted'>,
  { v2vMs, delays }: TurnMetrics,
): void {
  if (conducted === null || v2vMs === null) return;
  const answering = answeringProvider(conducted);
  if (answering !== null) metrics.turnLatency(answering, v2vMs);
  if (delays === undefined) return;
  const parts = { stt: delays.endpointingMs, llm: delays.llmTtftMs, tts: delays.ttsTtfbMs } as const;
  for (const component of ['stt', 'llm', 'tts'] as const) {
    const provider = providerOf(conducted, component);
    const ms = parts[component];
    if (provider !== null && ms !== null) metrics.answerDelay(provider, component, ms);
  }
}
