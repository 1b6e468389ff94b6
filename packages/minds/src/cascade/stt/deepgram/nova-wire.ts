import { z } from 'zod';
import { createMessageParser } from '../../parse-message.ts';

/** Source: https://developers.deepgram.com/reference/speech-to-text/listen-streaming */
const results = z.object({
  type: z.literal('Results'),
  start: z.number().min(0),
  duration: z.number().min(0),
  is_final: z.boolean().default(false),
  speech_final: z.boolean().default(false),
  /** The last words before `Finalize`. */
  from_finalize: z.boolean().default(false),
  channel: z.object({
    alternatives: z
      .array(
        z.object({
          transcript: z.string(),
          words: z.array(z.object({ start: z.number(), end: z.number() })),
        }),
      )
      .min(1),
  }),
});

const schema = z.discriminatedUnion('type', [
  results,
  z.object({ type: z.literal('SpeechStarted'), timestamp: z.number().min(0) }),
  z.object({ type: z.literal('UtteranceEnd') }),
  z.object({ type: z.literal('Error'), description: z.string().default('') }),
]);

export type NovaResults = z.output<typeof results>;
export const parseNovaMessage = createMessageParser(schema, ['Results', 'SpeechStarted', 'UtteranceEnd', 'Error']);
