import type { Driver } from '@outdial/contracts';

export const DRIVER_WORDS: Readonly<Record<Driver, string>> = {
  scripted: 'Scripted',
  realtime: 'Realtime',
  cascade: 'Cascade',
};

/** For the choice of a new agent. */
export const DRIVER_HINTS: Readonly<Record<Driver, string>> = {
  scripted: 'Reads its lines in order. Needs no provider.',
  realtime: 'One speech-to-speech model hears and answers. Fast and natural.',
  cascade: 'Speech to text, a language model, and text to speech. Each by a provider of your choice.',
};
