import type { Documented } from './documented.ts';

const characters = 'At nine.'.split('');

/** Source: https://elevenlabs.io/docs/api-reference/text-to-speech/v-1-text-to-speech-voice-id-multi-stream-input */
export const elevenLabsSpeech: Documented = {
  conversation: [
    {
      audio: Buffer.alloc(640).toString('base64'),
      contextId: 'one',
      isFinal: false,
      alignment: {
        chars: characters,
        charStartTimesMs: characters.map((_, at) => at * 10),
        charDurationsMs: characters.map(() => 10),
      },
      normalizedAlignment: { chars: characters, charStartTimesMs: [], charDurationsMs: [] },
    },
    { audio: null, contextId: 'one', isFinal: true },
  ],
  unused: [
    { audio: null, contextId: 'another', isFinal: true },
    { contextId: 'one', normalizedAlignment: null },
  ],
  unknown: [
    { contextId: 'one', mood: 'calm' },
    { type: 'mood', mood: 'calm' },
  ],
};

/** Source: https://docs.cartesia.ai/api-reference/tts/websocket */
export const cartesiaSpeech: Documented = {
  conversation: [
    {
      type: 'chunk',
      context_id: 'one',
      data: Buffer.alloc(640).toString('base64'),
      done: false,
      status_code: 206,
      step_time: 12,
    },
    {
      type: 'timestamps',
      context_id: 'one',
      done: false,
      status_code: 206,
      word_timestamps: { words: ['At', 'nine.'], start: [0, 0.03], end: [0.03, 0.08] },
    },
    { type: 'done', context_id: 'one', done: true, status_code: 200 },
  ],
  unused: [
    { type: 'flush_done', context_id: 'one', done: false, flush_id: 1, flush_done: true, status_code: 206 },
    {
      type: 'phoneme_timestamps',
      context_id: 'one',
      done: false,
      phoneme_timestamps: { phonemes: [], start: [], end: [] },
    },
  ],
  unknown: [{ type: 'mood', context_id: 'one', mood: 'calm' }],
};
