/**
 * What the model learns that no one said. The API has no truncation: what it sent counts as said, so the model reads what of
 * it was heard. Square brackets mark a note, as the instructions say.
 */
const MAX_QUOTED = 500;
const quoted = (text: string): string => JSON.stringify(text.trim().slice(-MAX_QUOTED));

export function cutNote(heardText: string): string {
  return heardText.trim() === ''
    ? '[The callee broke in, and heard nothing of your last answer.]'
    : `[The callee broke in. Of your last answer they heard only: ${quoted(heardText)}]`;
}

/** Of an answer that the model gave before it was its turn. */
export const unheardNote = (text: string): string =>
  `[The callee did not hear these words of yours: ${quoted(text)} They wait for what comes next.]`;

export const resultNote = (tool: string, output: string): string => `[Result of ${tool}: ${output}]`;
export const calledNote = (tool: string, argumentsText: string): string => `[You called ${tool} with ${argumentsText}]`;

export const sayNote = (text: string): string =>
  `[Say exactly the following, word for word, and nothing else, and use no tool: ${JSON.stringify(text)}]`;
export const respondNote = (hint: string | undefined): string => `[${hint ?? 'It is your turn to speak.'}]`;
export const OVER_NOTE = '[The call is over. Say nothing more.]';
export const TOO_EARLY = 'Nothing was done: the callee does not listen yet.';
