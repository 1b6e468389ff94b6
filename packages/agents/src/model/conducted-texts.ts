import { fillTemplate, type ConductedSettings } from '@outdial/contracts';

/** What the agent itself may ask the mind to say, with all variables filled in. */
export interface ConductedTexts {
  readonly opening: string | null;
  readonly noInput: string | null;
  readonly voicemail: string | null;
  readonly screening: string | null;
  readonly closing: string | null;
  /** To a callee who has opted out. */
  readonly optOut: string;
  readonly failure: string;
}

export function conductedTextsOf(
  settings: ConductedSettings,
  variables: Readonly<Record<string, string>>,
): ConductedTexts {
  const filled = (text: string | undefined): string | null =>
    text === undefined ? null : fillTemplate(text, variables);
  return {
    opening: filled(settings.first_message),
    noInput: filled(settings.no_input.prompt),
    voicemail: filled(settings.voicemail.message),
    screening: filled(settings.screening_reply),
    closing: filled(settings.closing),
    optOut: fillTemplate(settings.opt_out.confirmation, variables),
    failure: fillTemplate(settings.failure_message, variables),
  };
}

/** What the model learns when it speaks without a turn of the callee. */
export const HINTS = {
  opening: 'The callee has just answered. Greet them and say why you call.',
  openingLike: (text: string): string => `The callee has just answered. Begin the call. For example: ${text}`,
  noInput: 'The callee has been silent for a while. Ask briefly whether they are still there.',
  voicemail: 'This is a voicemail, and it is recording. Leave a short message, then stop.',
  again: 'The last answer was empty. Answer the callee now, in words.',
} as const;
