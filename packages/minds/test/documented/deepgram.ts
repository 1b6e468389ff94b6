import type { Documented } from './documented.ts';

const words = [
  { word: 'Is', start: 0.2, end: 0.4, confidence: 0.99, punctuated_word: 'Is' },
  { word: 'there', start: 0.4, end: 0.7, confidence: 0.98, punctuated_word: 'there?' },
];
const turn = {
  type: 'TurnInfo',
  request_id: 'req_001',
  turn_index: 0,
  audio_window_start: 0,
  audio_window_end: 0.9,
  end_of_turn_confidence: 0.4,
  languages: ['en'],
};

/** Source: https://developers.deepgram.com/reference/speech-to-text/listen-flux */
export const flux: Documented = {
  conversation: [
    { type: 'Connected', request_id: 'req_001', sequence_id: 0 },
    { ...turn, sequence_id: 1, event: 'StartOfTurn', transcript: 'Is', words: words.slice(0, 1) },
    { ...turn, sequence_id: 2, event: 'Update', transcript: 'Is there?', words },
    { ...turn, sequence_id: 3, event: 'EagerEndOfTurn', transcript: 'Is there?', words },
    { ...turn, sequence_id: 4, event: 'TurnResumed', transcript: 'Is there?', words },
    { ...turn, sequence_id: 5, event: 'EndOfTurn', transcript: 'Is there?', words, end_of_turn_confidence: 0.9 },
  ],
  unused: [
    { type: 'ConfigureSuccess', request_id: 'req_001', thresholds: { eot_threshold: 0.7 }, sequence_id: 9 },
    { ...turn, sequence_id: 10, event: 'TurnYawned', transcript: '', words: [] },
  ],
  unknown: [{ type: 'MoodInfo', request_id: 'req_001', mood: 'calm' }],
};

const metadata = {
  request_id: 'req_001',
  model_uuid: 'model_001',
  model_info: { name: 'nova-3', version: '1', arch: 'nova' },
};
const results = {
  type: 'Results',
  channel_index: [0, 1],
  duration: 0.9,
  start: 0,
  from_finalize: false,
  metadata,
  entities: [],
};

/** Source: https://developers.deepgram.com/reference/speech-to-text/listen-streaming */
export const nova: Documented = {
  conversation: [
    { type: 'SpeechStarted', channel: [0, 1], timestamp: 0.2 },
    {
      ...results,
      is_final: false,
      speech_final: false,
      channel: { alternatives: [{ transcript: 'Is', confidence: 0.9, languages: ['en'], words: words.slice(0, 1) }] },
    },
    {
      ...results,
      is_final: true,
      speech_final: true,
      channel: { alternatives: [{ transcript: 'Is there?', confidence: 0.9, languages: ['en'], words }] },
    },
    { type: 'UtteranceEnd', channel: [0, 1], last_word_end: 0.7 },
  ],
  unused: [
    { type: 'Metadata', transaction_key: 'deprecated', sha256: '00', created: '2026-01-01', duration: 1, channels: 1 },
  ],
  unknown: [{ type: 'MoodDetected', channel: [0, 1], mood: 'calm' }],
};

/** Source: https://developers.deepgram.com/docs/flux-tts/server-messages */
export const deepgramSpeech: Documented = {
  conversation: [
    { type: 'Connected', request_id: 'req_001' },
    { type: 'SpeechStarted', speech_id: 'speech_001', request_id: 'req_001' },
    'gICAgICAgIA=',
    { type: 'SpeechMetadata', speech_id: 'speech_001', billable_character_count: 9, audio_duration_ms: 1 },
  ],
  unused: [{ type: 'Flushed', sequence_id: 1 }],
  unknown: [{ type: 'MoodDetected', speech_id: 'speech_001', mood: 'calm' }],
};
