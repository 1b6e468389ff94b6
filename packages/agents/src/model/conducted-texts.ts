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
  /** Before a transfer to that destination of that tool; null: what the model says. */
  readonly transfer: (tool: string, destination: string) => string | null;
  /** To the person who answers a warm transfer; `summary`: what the model adds. */
  readonly introduction: (tool: string, destination: string, summary: string | null) => string;
}

/** For a destination without an introduction, and a model that says nothing of the callee. */
const INTRODUCTION = 'Hello. I connect you with a caller now.';

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
    transfer: (tool, destination) => filled(destinationOf(settings, tool, destination)?.message),
    introduction(tool, destination, summary) {
      const own = filled(destinationOf(settings, tool, destination)?.introduction);
      const texts = [own, summary].filter((text) => text !== null && text.trim() !== '');
      return texts.length === 0 ? INTRODUCTION : texts.join(' ');
    },
  };
}

function destinationOf({ tools }: ConductedSettings, name: string, destination: string) {
  return tools
    .flatMap((tool) => (tool.type === 'transfer_call' && tool.name === name ? tool.destinations : []))
    .find((one) => one.name === destination);
}

/** What the model learns when it speaks without a turn of the callee. */
export const HINTS = {
  opening: 'The callee has just answered. Greet them and say why you call.',
  openingLike: (text: string): string => `The callee has just answered. Begin the call. For example: ${text}`,
  noInput: 'The callee has been silent for a while. Ask briefly whether they are still there.',
  voicemail: 'This is a voicemail, and it is recording. Leave a short message, then stop.',
  notTransferred: (text: string): string => `The transfer that you announced has failed. ${text} Say so, and go on.`,
  again: 'The last answer was empty. Answer the callee now, in words.',
} as const;
