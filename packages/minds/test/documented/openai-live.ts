import type { Documented } from './documented.ts';

const response = { id: 'resp_001', object: 'response', status: 'in_progress', model: 'gpt-5-mini', output: [] };
const delegated = (event: object) => ({ type: 'response.event', delegation_id: 'delegation_001', event });

/** Loud enough, and long enough, to be speech. */
const spoken = Buffer.alloc(8_000, 0x90).toString('base64');

/** Source: https://developers.openai.com/api/reference/resources/live */
export const openAiLive: Documented = {
  conversation: [
    { event_id: 'event_1', type: 'session.started', session: { id: 'live_001', model: 'gpt-live-1.1' } },
    {
      event_id: 'event_2',
      type: 'session.input_transcript.delta',
      delta: 'Is there a slot?',
      start_ms: 0,
      end_ms: 700,
    },
    { event_id: 'event_3', ...delegated({ type: 'response.created', sequence_number: 0, response }) },
    {
      event_id: 'event_4',
      ...delegated({
        type: 'response.output_item.done',
        sequence_number: 1,
        output_index: 0,
        item: {
          id: 'fc_001',
          type: 'function_call',
          status: 'completed',
          call_id: 'call_001',
          name: 'lookup',
          arguments: '{"day":"Tuesday"}',
        },
      }),
    },
    {
      event_id: 'event_5',
      ...delegated({
        type: 'response.completed',
        sequence_number: 2,
        response: {
          ...response,
          status: 'completed',
          usage: {
            input_tokens: 30,
            input_tokens_details: { cached_tokens: 10 },
            output_tokens: 6,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: 36,
          },
        },
      }),
    },
    { event_id: 'event_6', type: 'session.output_transcript.delta', delta: 'At nine.', start_ms: 900, end_ms: 1_300 },
    { event_id: 'event_7', type: 'session.output_audio.delta', delta: spoken },
    { event_id: 'event_8', type: 'session.usage.updated', usage: { seconds: 4 } },
  ],
  unused: [
    { event_id: 'event_20', ...delegated({ type: 'response.in_progress', sequence_number: 1, response }) },
    {
      event_id: 'event_21',
      ...delegated({ type: 'response.output_text.delta', sequence_number: 1, item_id: 'msg_001', delta: 'At nine.' }),
    },
    {
      event_id: 'event_22',
      ...delegated({
        type: 'response.output_item.done',
        sequence_number: 1,
        output_index: 0,
        item: { id: 'msg_001', type: 'message', role: 'assistant', status: 'completed', content: [] },
      }),
    },
  ],
  unknown: [
    { event_id: 'event_30', type: 'session.mood.updated', mood: 'calm' },
    { event_id: 'event_31', ...delegated({ type: 'response.daydream.done', sequence_number: 1, dream: 'sheep' }) },
  ],
};
