import { breakingModel } from './break-connections.ts';

/** Without a pause, so that a longer silence in it is a fault; longer than what callees take for a farewell. */
export const ANSWER =
  'I can offer you a time tomorrow morning at ten or another one in the late afternoon of the following day and I ' +
  'would like to know which one of them suits you better';
export const OPENING =
  'Hello, this is a reminder of your appointment on Monday. We would like to go through everything that you may want to ' +
  'bring with you, so that you know what to expect. Do you have a moment to talk about it?';
/** As many as the longest measurement takes. */
const SCRIPTED_LINES = 50;

const conducted = {
  instructions:
    'You call customers of a dental office and remind them of their appointment. Offer another time if they cannot come. ' +
    'Be brief and friendly, never give medical advice, and say goodbye once everything is settled.',
  first_message: OPENING,
};
const realtimeModel = { provider: 'openai', model: 'gpt-realtime-2.1', voice: 'marin' };

/** The agents of the benchmark. All of them speak answers of about the same length. */
export const AGENTS = {
  scripted: { name: 'Scripted', first_message: OPENING, lines: Array.from({ length: SCRIPTED_LINES }, () => ANSWER) },
  realtime: { driver: 'realtime', name: 'Realtime', ...conducted, model: realtimeModel },
  cascade: {
    driver: 'cascade',
    name: 'Cascade',
    ...conducted,
    stt: { provider: 'deepgram', model: 'flux-general-en' },
    llm: { provider: 'openai', model: 'gpt-4.1-mini' },
    tts: { provider: 'elevenlabs', model: 'eleven_flash_v2_5', voice: 'EXAVITQu4vr4xnSDxMaL' },
  },
} as const;
export type AgentName = keyof typeof AGENTS;

/** The sounds of 200 ms after which a first connection is lost: in all parts of an answer. */
const LOST_AFTER_SOUNDS = [1, 2, 4, 8, 16];
const LOST_OF_EACH = 4;

/** Agents whose connection is lost once, in their first answer. Each call needs its own. */
export const BREAKING_AGENTS = LOST_AFTER_SOUNDS.flatMap((sounds) =>
  Array.from({ length: LOST_OF_EACH }, (_, nth) => ({
    driver: 'realtime',
    name: `Breaks after ${sounds}, ${nth}`,
    instructions: conducted.instructions,
    first_speaker: 'callee',
    model: { ...realtimeModel, model: breakingModel(sounds, String(nth)) },
  })),
);
