import type { Documented } from './documented.ts';

/** Source: https://platform.openai.com/docs/api-reference/realtime-server-events */
const place = { response_id: 'resp_001', item_id: 'item_agent', output_index: 0, content_index: 0 };
const session = { type: 'realtime', object: 'realtime.session', id: 'sess_001', model: 'gpt-realtime-2.1', tools: [] };
const item = { id: 'item_agent', object: 'realtime.item', type: 'message', role: 'assistant' };
const response = {
  id: 'resp_001',
  object: 'realtime.response',
  output: [],
  conversation_id: 'conv_001',
  metadata: null,
};

export const openAiRealtime: Documented = {
  conversation: [
    { event_id: 'event_1', type: 'session.created', session },
    { event_id: 'event_2', type: 'session.updated', session },
    { event_id: 'event_3', type: 'input_audio_buffer.speech_started', audio_start_ms: 200, item_id: 'item_callee' },
    { event_id: 'event_4', type: 'input_audio_buffer.speech_stopped', audio_end_ms: 900, item_id: 'item_callee' },
    { event_id: 'event_5', type: 'input_audio_buffer.committed', previous_item_id: null, item_id: 'item_callee' },
    {
      event_id: 'event_6',
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: 'item_callee',
      content_index: 0,
      transcript: 'Is there a slot?',
      usage: { type: 'tokens', total_tokens: 16, input_tokens: 11, output_tokens: 5 },
    },
    { event_id: 'event_7', type: 'response.created', response: { ...response, status: 'in_progress' } },
    { event_id: 'event_8', type: 'response.output_audio_transcript.delta', ...place, delta: 'At nine.' },
    { event_id: 'event_9', type: 'response.output_audio.delta', ...place, delta: 'gICAgA==' },
    { event_id: 'event_10', type: 'response.output_audio.done', ...place },
    { event_id: 'event_11', type: 'response.output_item.done', response_id: 'resp_001', output_index: 0, item },
    {
      event_id: 'event_12',
      type: 'response.output_item.done',
      response_id: 'resp_001',
      output_index: 1,
      item: {
        id: 'item_call',
        object: 'realtime.item',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_001',
        name: 'lookup',
        arguments: '{"day":"Tuesday"}',
      },
    },
    {
      event_id: 'event_13',
      type: 'response.done',
      response: {
        ...response,
        status: 'completed',
        status_details: null,
        usage: {
          total_tokens: 40,
          input_tokens: 25,
          output_tokens: 15,
          input_token_details: {
            text_tokens: 20,
            audio_tokens: 5,
            cached_tokens: 8,
            cached_tokens_details: { text_tokens: 8, audio_tokens: 0 },
          },
          output_token_details: { text_tokens: 5, audio_tokens: 10 },
        },
      },
    },
  ],
  unused: [
    { event_id: 'event_20', type: 'conversation.item.added', previous_item_id: null, item },
    { event_id: 'event_21', type: 'conversation.item.done', previous_item_id: null, item },
    { event_id: 'event_22', type: 'conversation.item.truncated', item_id: 'i', content_index: 0, audio_end_ms: 20 },
    { event_id: 'event_23', type: 'conversation.item.deleted', item_id: 'i' },
    { event_id: 'event_24', type: 'input_audio_buffer.cleared' },
    {
      event_id: 'event_25',
      type: 'input_audio_buffer.timeout_triggered',
      item_id: 'i',
      audio_start_ms: 0,
      audio_end_ms: 9,
    },
    {
      event_id: 'event_26',
      type: 'conversation.item.input_audio_transcription.delta',
      item_id: 'i',
      delta: 'Is',
      content_index: 0,
    },
    { event_id: 'event_27', type: 'response.output_item.added', response_id: 'resp_001', output_index: 0, item },
    { event_id: 'event_28', type: 'response.content_part.added', ...place, part: { type: 'audio', transcript: '' } },
    { event_id: 'event_29', type: 'response.output_audio_transcript.done', ...place, transcript: 'At nine.' },
    { event_id: 'event_30', type: 'response.function_call_arguments.delta', ...place, call_id: 'call_001', delta: '{' },
    {
      event_id: 'event_31',
      type: 'rate_limits.updated',
      rate_limits: [{ name: 'tokens', limit: 50_000, remaining: 49_000, reset_seconds: 0.5 }],
    },
    { event_id: 'event_32', type: 'mcp_list_tools.in_progress', item_id: 'i' },
  ],
  unknown: [
    { event_id: 'event_40', type: 'session.mood.updated', mood: 'calm' },
    { event_id: 'event_41', type: 'response.output_gesture.delta', ...place, delta: 'nod' },
  ],
};

/** Source: https://docs.x.ai/developers/model-capabilities/audio/voice-agent */
export const xaiRealtime: Documented = {
  ...openAiRealtime,
  unused: [
    ...openAiRealtime.unused,
    {
      event_id: 'event_50',
      type: 'conversation.created',
      conversation: { id: 'conv_001', object: 'realtime.conversation' },
    },
    { event_id: 'event_51', type: 'ping', timestamp: 1_760_000_000 },
  ],
};
