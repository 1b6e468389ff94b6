/**
 * What a model learns that no one said. APIs without a truncation count as said what they sent, so the model reads what of
 * it was heard. Square brackets mark a note, as the instructions say.
 */
export const NOTES_EXPLAINED =
  'Texts in square brackets are notes of the telephone system. Follow them, and never say them aloud.';

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
export const typedNote = (text: string): string => `The callee says: ${JSON.stringify(text)}`;
export const saidNote = (text: string): string => `[You said: ${quoted(text)}]`;
/** What follows was held back while the model spoke. */
export const EARLIER_NOTE = '[The callee said what you hear now before your last words. Do not answer it.]';
export const STOP_NOTE = '[The callee does not hear you. Stop speaking now.]';
/** Of a text that does not fit into one note. */
export const partNote = (text: string): string => `[You will say this first: ${JSON.stringify(text)}]`;
export const sayPartsNote = (last: string): string =>
  `[Say exactly the texts that you are to say first, then the following, word for word, and nothing else, and use no tool: ${JSON.stringify(last)}]`;
export const OVER_NOTE = '[The call is over. Say nothing more.]';
export const TOO_EARLY = 'Nothing was done: the callee does not listen yet.';
