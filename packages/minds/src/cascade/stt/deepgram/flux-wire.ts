import { z } from 'zod';
import { createMessageParser } from '../../parse-message.ts';

/** Source: https://developers.deepgram.com/reference/speech-to-text/listen-flux */
const turnInfo = z.object({
  type: z.literal('TurnInfo'),
  event: z.enum(['Update', 'StartOfTurn', 'EagerEndOfTurn', 'TurnResumed', 'EndOfTurn']).or(z.literal('')).catch(''),
  turn_index: z.int(),
  audio_window_start: z.number().min(0),
  audio_window_end: z.number().min(0),
  transcript: z.string(),
  words: z.array(z.object({ word: z.string(), start: z.number().optional(), end: z.number().optional() })),
});

const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Connected') }),
  turnInfo,
  z.object({ type: z.literal('Error'), code: z.string(), description: z.string() }),
]);

export type TurnInfo = z.output<typeof turnInfo>;
export const parseFluxMessage = createMessageParser(schema, ['Connected', 'TurnInfo', 'Error']);
