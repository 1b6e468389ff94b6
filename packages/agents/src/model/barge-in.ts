import type { ConductedSettings } from '@outdial/contracts';
import type { Heard } from '../hearing/turn-detector.ts';

/** This much speech is more than a cough. */
const CONFIRMED_SPEECH_MS = 300;
/** Where words decide and none are known yet: a word takes about this long. */
const WORD_MS = 400;
/** A phrase such as "I see" takes at most this long. */
const PHRASE_MS = 1_000;
/** The callee is silent again. */
const SILENT_MS = 200;

export type BargeInMove =
  | { readonly kind: 'stay' }
  /** Silence at once; what was not played is kept. */
  | { readonly kind: 'pause' }
  /** The callee interrupts: what was not played is dropped. */
  | { readonly kind: 'cut' }
  /** It was a noise, or a phrase to ignore: the agent speaks on. */
  | { readonly kind: 'resume' };

export interface BargeInMoment {
  readonly heard: Heard;
  readonly settings: Pick<ConductedSettings, 'interruption'>;
  /** Sound of an answer is played, waits, or is on its way. */
  readonly playing: boolean;
  /** Since when the playout is paused. */
  readonly paused: { readonly sinceMs: number } | null;
  /** How much of the callee's speech fell into the agent's, since the answer or the last resume. */
  readonly speechOverMs: number;
  /** Since when the callee is silent; 0 while the callee speaks. */
  readonly calleeSilentMs: number;
  /** The provider has heard the callee begin since the answer or the last resume. */
  readonly providerHeard: boolean;
  /** What the callee was understood to say over the agent. */
  readonly wordsOver: string | null;
}

const STAY: BargeInMove = { kind: 'stay' };

/** Whether the callee interrupts the agent. Whichever sign comes first acts. Pure. */
export function bargeIn(moment: BargeInMoment): BargeInMove {
  const { settings, playing, paused, wordsOver, speechOverMs, calleeSilentMs, heard } = moment;
  const { interruption } = settings;
  if (!interruption.enabled || !playing) return STAY;
  if (wordsOver !== null) {
    if (isIgnored(wordsOver, interruption.ignore_phrases)) return paused === null ? STAY : { kind: 'resume' };
    if (wordCount(wordsOver) >= Math.max(1, interruption.min_words)) return { kind: 'cut' };
  }
  if (paused === null) {
    const isSpeaking = calleeSilentMs < SILENT_MS;
    return isSpeaking && speechOverMs >= interruption.min_speech_ms ? { kind: 'pause' } : STAY;
  }
  if (isConfirmed(moment)) return { kind: 'cut' };
  const isOver = heard.nowMs - paused.sinceMs >= interruption.false_interruption_timeout_ms;
  return isOver && calleeSilentMs >= SILENT_MS ? { kind: 'resume' } : STAY;
}

function isConfirmed({ settings, speechOverMs, providerHeard }: BargeInMoment): boolean {
  const { min_words: minWords, ignore_phrases: phrases } = settings.interruption;
  // Words decide, and come late: until then only speech that is too long to be without them.
  if (minWords > 0) return speechOverMs >= CONFIRMED_SPEECH_MS + minWords * WORD_MS;
  if (phrases.length > 0) return speechOverMs >= PHRASE_MS;
  return providerHeard || speechOverMs >= CONFIRMED_SPEECH_MS;
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const wordCount = (text: string): number => wordsOf(text).length;

/** Case and punctuation do not count. */
const sameWords = (one: string, other: string): boolean => wordsOf(one).join(' ') === wordsOf(other).join(' ');

/** Whether a text has the words of a phrase, in their order, at one place. */
export const holdsPhrase = (text: string, phrase: string): boolean =>
  ` ${wordsOf(text).join(' ')} `.includes(` ${wordsOf(phrase).join(' ')} `);

const isIgnored = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => sameWords(text, phrase));
