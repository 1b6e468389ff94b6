import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import { describe, expect, test } from 'vitest';
import { clientEventSchema } from './client-events.ts';
import { xaiClientEvents } from './dialects/xai-events.ts';

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
          noise_reduction: { type: 'near_field' },
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
      'a noise reduction that it does not have',
      { type: 'session.update', session: { type: 'realtime', audio: { input: { noise_reduction: { type: 'off' } } } } },
      'session.audio.input.noise_reduction.type',
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

describe('the simulated xAI', () => {
  const session = {
    voice: 'eve',
    instructions: 'Be brief.',
    turn_detection: { type: 'server_vad', threshold: 0.85, silence_duration_ms: 500, prefix_padding_ms: 333 },
    audio: {
      input: { format: { type: 'audio/pcmu' }, transcription: { model: 'grok-transcribe', keyterms: ['Miller'] } },
      output: { format: { type: 'audio/pcmu' } },
    },
  };

  test('accepts a session of its documentation', () => {
    expect(xaiClientEvents.safeParse({ type: 'session.update', session }).error).toBeUndefined();
  });

  test.each([
    ['a type of the session', 'session', { type: 'realtime', ...session }],
    ['turns within the input', 'session.audio.input', { audio: { input: { turn_detection: { type: 'server_vad' } } } }],
    ['a voice within the output', 'session.audio.output', { audio: { output: { voice: 'eve' } } }],
    ['turns by meaning', 'session.turn_detection.type', { turn_detection: { type: 'semantic_vad' } }],
    ['a limit of tokens', 'session', { max_output_tokens: 100 }],
    ['effort that it does not know', 'session.reasoning.effort', { reasoning: { effort: 'minimal' } }],
    [
      'another model that transcribes',
      'session.audio.input.transcription.model',
      { audio: { input: { transcription: { model: 'whisper-1' } } } },
    ],
  ])('rejects a session with %s', (_name, path, given) => {
    const { error } = xaiClientEvents.safeParse({ type: 'session.update', session: given });
    expect(error?.issues[0]?.path.join('.')).toBe(path);
  });
});
