import type { Turn } from '@outdial/contracts';
import type { Database } from '@outdial/persistence';

const LLM = { component: 'llm', provider: 'openai', model: 'gpt-5-mini' } as const;
const STT = { component: 'stt', provider: 'deepgram', model: 'flux-general-en' } as const;
const TTS = { component: 'tts', provider: 'cartesia', model: 'sonic-3' } as const;

const NEEDS = [
  { ...STT, credentialId: 'own', isOwn: true, isFallback: false },
  { ...LLM, credentialId: 'operators', isOwn: false, isFallback: false },
  { ...TTS, credentialId: 'own', isOwn: true, isFallback: false },
];
const RATES = [
  { ...LLM, unit: 'input_text_token', priceMicrosPerMillion: 250_000 },
  { ...LLM, unit: 'output_text_token', priceMicrosPerMillion: 2_000_000 },
];
const USAGE = [
  { ...STT, unit: 'second', quantity: 40.25 },
  { ...LLM, unit: 'input_text_token', quantity: 12_400 },
  { ...LLM, unit: 'output_text_token', quantity: 1_001 },
  { ...TTS, unit: 'character', quantity: 612 },
];
const USAGE_COST_MICROS = 3_100 + 2_002;

const turn = (role: Turn['role'], startMs: number, text: string, interrupted = false): Turn => ({
  role,
  text,
  start_ms: startMs,
  end_ms: startMs + 1_800,
  source: role === 'agent' ? 'model' : 'stt',
  interrupted,
});
const TRANSCRIPT = [
  turn('agent', 0, 'Good morning, this is Northwind Dental. How can I help?'),
  turn('callee', 2_000, 'Yes, speaking. Can I move my appointment?'),
  turn('agent', 4_000, 'Of course. I can offer you Tuesday at ten, or', true),
  turn('callee', 5_600, 'Tuesday is fine.'),
  turn('agent', 7_500, 'Tuesday at ten it is. Goodbye.'),
];
const ANALYSIS = {
  summary: 'The callee moved the appointment to Tuesday at ten.',
  data: { day: 'Tuesday', confirmed: true, reasons: ['work', 'travel'], notes: null },
  success: { value: true, reason: 'A new time was agreed.' },
  text: null,
  model: 'gpt-5-mini',
  completedAtMs: Date.parse('2026-11-20T14:30:00.000Z'),
  costMicros: 1_240,
};
const TURN_METRICS = [
  { startMs: 0, v2vMs: null, bargeInMs: null },
  { startMs: 4_000, v2vMs: 812, bargeInMs: 160 },
  { startMs: 7_500, v2vMs: 1_240, bargeInMs: null },
];
const TOOL_CALLS = [
  { name: 'free_slots', arguments: { day: 'tue' }, outcome: 'ok', duration_ms: 421, result: '{"slots":["10:00"]}' },
  { name: 'book', arguments: {}, outcome: 'failed', duration_ms: 2_000, result: 'the server answered 503' },
];

/** Makes an ended call of a script one that models conducted. */
export async function conductByModels({ side }: Database, callId: string): Promise<void> {
  const json = JSON.stringify;
  await side.$executeRaw`
    INSERT INTO model_calls (call_id, driver, needs, rates, usage, usage_cost_micros, analysis_status, analysis,
      turn_metrics)
    VALUES (${callId}::uuid, 'cascade', ${json(NEEDS)}::jsonb, ${json(RATES)}::jsonb, ${json(USAGE)}::jsonb,
      ${USAGE_COST_MICROS}, 'completed', ${json(ANALYSIS)}::jsonb, ${json(TURN_METRICS)}::jsonb)`;
  await side.$executeRaw`
    UPDATE calls SET transcript = ${json(TRANSCRIPT)}::jsonb, cost_micros = cost_micros + ${USAGE_COST_MICROS}
    WHERE id = ${callId}::uuid`;
  for (const [index, data] of TOOL_CALLS.entries()) {
    const afterMs = 3_900 + index * 3_000;
    await side.$executeRaw`
      INSERT INTO call_events (call_id, at, type, data)
      SELECT id, answered_at + ${afterMs}::int * interval '1 millisecond', 'tool_called', ${json(data)}::jsonb
      FROM calls WHERE id = ${callId}::uuid`;
  }
  await side.$executeRaw`
    INSERT INTO call_events (call_id, at, type) SELECT id, ended_at, 'analyzed' FROM calls WHERE id = ${callId}::uuid`;
}
