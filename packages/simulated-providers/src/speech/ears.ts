import { aligned } from './aligned.ts';
import { correlation, envelopeOf, trimmed, type Envelope } from './envelope.ts';

/** What the simulated providers write for speech that they do not know. A real one would have transcribed it. */
export const UNRECOGNISED = '[unrecognised]';

/** A sentence that a simulated callee may say, and its sound: mono, 8 kHz. */
export interface KnownSentence {
  readonly text: string;
  readonly samples: Int16Array;
}

export interface Ears {
  /** The sentence that this sound is, or `UNRECOGNISED`. */
  recognise(samples: Int16Array): string;
}

/** Sentences differ by more than this, and the same sentence through a telephone line stays well above it. */
const SAME_SENTENCE = 0.9;
/** Of aligned steps, which are more alike in any two sentences. */
const SAME_WHEN_ALIGNED = 0.97;
/** A line cuts the soft ends of words, and a detector adds silence. */
const MAX_LENGTH_DIFFERENCE = 0.15;
const MAX_SHIFT_STEPS = 4;

/** Knows sentences by the shape of their loudness, so that transcripts of simulated calls are true without a model. */
export function createEars(sentences: readonly KnownSentence[]): Ears {
  const known = sentences.map(({ text, samples }) => ({ text, envelope: trimmed(envelopeOf(samples)) }));
  /** The sentence to which a late line added steps, or from which it took some. */
  function brokenSentence(heard: Envelope): string {
    let best = { text: UNRECOGNISED, likeness: SAME_WHEN_ALIGNED };
    for (const { text, envelope } of known) {
      const pair = aligned(heard, envelope);
      const likeness = pair === null ? 0 : correlation(...pair);
      if (likeness > best.likeness) best = { text, likeness };
    }
    return best.text;
  }

  return {
    recognise(samples) {
      const heard = trimmed(envelopeOf(samples));
      let best = { text: UNRECOGNISED, likeness: SAME_SENTENCE };
      for (const { text, envelope } of known) {
        if (Math.abs(envelope.length - heard.length) > MAX_LENGTH_DIFFERENCE * envelope.length + MAX_SHIFT_STEPS)
          continue;
        const likeness = likenessOf(heard, envelope);
        if (likeness > best.likeness) best = { text, likeness };
      }
      return best.text === UNRECOGNISED ? brokenSentence(heard) : best.text;
    },
  };
}

/** The best correlation over small shifts in either direction. */
function likenessOf(heard: Envelope, known: Envelope): number {
  let best = 0;
  for (let shift = -MAX_SHIFT_STEPS; shift <= MAX_SHIFT_STEPS; shift += 1) {
    const left = shift > 0 ? heard.subarray(shift) : heard;
    const right = shift < 0 ? known.subarray(-shift) : known;
    best = Math.max(best, correlation(left, right));
  }
  return best;
}
