import type { AnalysisJob } from '@outdial/calls';
import { newAccountId, newCallId } from '@outdial/calls/testing';
import { agentSettingsSchema, e164Schema, micros, type AnalysisSettings, type Turn } from '@outdial/contracts';

export function analysisSettings(analysis: object = {}): AnalysisSettings {
  const settings = agentSettingsSchema.parse(conductedSettings(analysis));
  if (settings.driver === 'scripted' || !settings.analysis) throw new Error('the settings have no analysis');
  return settings.analysis;
}

/** Settings of an agent whose calls are analyzed, as they are saved. */
export function conductedSettings(analysis: object = {}) {
  return {
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You remind people of a visit.',
    model: { provider: 'openai', model: 'gpt-realtime' },
    analysis: { summary: {}, llm: { provider: 'openai', model: 'gpt-5-mini' }, ...analysis },
  };
}

export function turn(role: Turn['role'], text: string | null, startMs = 0): Turn {
  return { role, text, start_ms: startMs, end_ms: startMs + 500, source: 'stt', interrupted: false };
}

const SETTINGS = analysisSettings();

export function jobOf(changes: Partial<AnalysisJob> = {}): AnalysisJob {
  return {
    callId: newCallId(),
    accountId: newAccountId(),
    requestId: 'req-1',
    currency: 'USD',
    callerNumber: e164Schema.parse('+12025550100'),
    calleeNumber: e164Schema.parse('+12025550143'),
    variables: { name: 'Zoë' },
    endedAtMs: Date.UTC(2026, 10, 20, 14, 26),
    transcript: [turn('agent', 'Hello.'), turn('callee', 'Yes, I will come.', 1_000)],
    settings: SETTINGS,
    models: [],
    rates: [],
    availableMicros: micros(1_000_000_000),
    tries: 1,
    lease: '0b000000-0000-4000-8000-000000000009',
    ...changes,
  };
}
