import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import { describe, expect, test } from 'vitest';
import { clientEventSchema } from './client-events.ts';

const valid: readonly RealtimeClientEvent[] = [
  { type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } },
  {
    type: 'session.update',
    session: {
      type: 'realtime',
      output_modalities: ['audio'],
      audio: {
        input: {
          format: { type: 'audio/pcmu' },
          turn_detection: { type: 'semantic_vad', eagerness: 'low', create_response: false },
          transcription: { model: 'gpt-4o-transcribe', language: 'en' },
        },
        output: { format: { type: 'audio/pcmu' }, voice: 'marin' },
      },
      tools: [{ type: 'function', name: 'end_call', description: 'Ends the call.', parameters: { type: 'object' } }],
    },
  },
  { type: 'input_audio_buffer.append', audio: 'AAAA', event_id: 'event_1' },
  { type: 'conversation.item.create', item: { type: 'function_call_output', call_id: 'call_1', output: '{}' } },
  { type: 'conversation.item.truncate', item_id: 'item_1', content_index: 0, audio_end_ms: 1_500 },
  { type: 'response.create', response: { instructions: 'Greet the callee.', metadata: { request: '1' } } },
  { type: 'response.cancel' },
];

describe('the simulated Realtime API', () => {
  test.each(valid)('accepts an event of the documentation: $type', (event) => {
    expect(clientEventSchema.safeParse(event).error).toBeUndefined();
  });

  test.each([
    ['an unknown field', { type: 'response.create', response: { voice: 'marin' } }, 'response'],
    ['a session without its type', { type: 'session.update', session: { instructions: '' } }, 'session.type'],
    [
      'a wrong format',
      { type: 'session.update', session: { type: 'realtime', audio: { output: { format: 'g711' } } } },
      'session.audio.output.format',
    ],
    [
      'a negative time',
      { type: 'conversation.item.truncate', item_id: 'i', content_index: 0, audio_end_ms: -1 },
      'audio_end_ms',
    ],
    ['an unknown event', { type: 'response.start' }, 'type'],
  ])('rejects %s, and names it', (_name, event, path) => {
    expect(clientEventSchema.safeParse(event).error?.issues[0]?.path.join('.')).toBe(path);
  });
});
