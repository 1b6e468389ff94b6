import type { Documented, Message } from './documented.ts';

const chunk = {
  id: 'chatcmpl_001',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'gpt',
  system_fingerprint: 'fp',
};
const choice = (delta: object, finish: string | null = null): Message => ({
  ...chunk,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  usage: null,
});
const call = {
  index: 0,
  id: 'call_001',
  type: 'function',
  function: { name: 'lookup', arguments: '{"day":"Tuesday"}' },
};

/** Source: https://platform.openai.com/docs/api-reference/chat-streaming */
export const chatCompletions: Documented = {
  conversation: [
    choice({ role: 'assistant', content: '', refusal: null }),
    choice({ content: 'At nine.' }),
    choice({ tool_calls: [call] }),
    choice({}, 'tool_calls'),
    {
      ...chunk,
      choices: [],
      usage: {
        prompt_tokens: 12,
        completion_tokens: 7,
        total_tokens: 19,
        prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0, accepted_prediction_tokens: 0 },
      },
    },
  ],
  unused: [choice({ annotations: [], audio: null })],
  unknown: [{ ...chunk, object: 'chat.completion.mood', choices: [], mood: 'calm' }],
};

/** Source: https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export const anthropicMessages: Documented = {
  conversation: [
    {
      type: 'message_start',
      message: {
        id: 'msg_001',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 12, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'At nine.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ],
  unused: [{ type: 'ping' }],
  unknown: [],
};

/** Source: https://ai.google.dev/api/generate-content#generatecontentresponse */
export const googleContent: Documented = {
  conversation: [
    {
      candidates: [{ content: { role: 'model', parts: [{ text: 'At nine.' }] }, index: 0 }],
      modelVersion: 'gemini',
      responseId: 'response_001',
    },
    {
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, index: 0, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 },
    },
  ],
  unused: [],
  unknown: [{ mood: { name: 'calm' } }],
};
