import { FRAME_MS, type Frame } from '@outdial/calls';
import { createBeepDetector } from './beep-detector.ts';
import { createSpeechDetector } from './speech-detector.ts';
import type { VoiceDetector } from './voice-detector.ts';

/** The callee's turn is over after this much silence: shorter is a pause within a sentence. */
export const END_OF_TURN_MS = 700;
/** A click is not the beginning of a turn: so many of the last frames must be speech. */
const ONSET_FRAMES = 3;
const ONSET_WINDOW_FRAMES = 5;
const ONSET_MASK = (1 << ONSET_WINDOW_FRAMES) - 1;
const TONE_NOTICED_FRAMES = 4;
/** A detector that is fed the whole call finds tones in music on hold; greetings are over by then. */
const BEEPS_UNTIL_MS = 90_000;

/** A stretch of the callee's speech with no pause of END_OF_TURN_MS in it. Times are from answer. */
export interface SpokenTurn {
  readonly startMs: number;
  /** The end of its last frame of speech so far. */
  readonly endMs: number;
  /** How much of it was speech. */
  readonly speechMs: number;
}

/** What the frame that was just heard has brought. */
export interface Heard {
  /** From answer to the end of the frame. */
  readonly nowMs: number;
  /** The turn that is under way. */
  readonly turn: SpokenTurn | undefined;
  /** The turn that this frame ended. */
  readonly ended: SpokenTurn | undefined;
  /** A beep ended. */
  readonly beep: boolean;
  /** A steady tone is sounding, which may become a beep. */
  readonly tone: boolean;
}

export interface Ear {
  hear(frame: Frame): Heard;
  nowMs(): number;
  /** Ends the turn under way, as a key press or the end of the call does, and returns it. */
  cut(): SpokenTurn | undefined;
  free(): void;
}

export function createEar(voice: VoiceDetector): Ear {
  const speech = createSpeechDetector(voice);
  const beeps = createBeepDetector();
  let nowMs = 0;
  let turn: SpokenTurn | undefined;
  let recent = 0;
  /** The turn as it was in each of the last frames, the oldest first, and as it was before the tone that sounds. */
  const history: (SpokenTurn | undefined)[] = [];
  let beforeTone: { readonly turn: SpokenTurn | undefined } | undefined;

  /** A tone is known as one only after some frames, which were taken for speech: a beep gives them back. */
  function giveBack(): void {
    if (beforeTone !== undefined) turn = beforeTone.turn;
  }

  function remember(tone: boolean): void {
    if (tone) beforeTone ??= { turn: history[0] };
    else beforeTone = undefined;
    history.push(turn);
    if (history.length > TONE_NOTICED_FRAMES) history.shift();
  }

  function hearSpeech(isSpeech: boolean, tone: boolean): SpokenTurn | undefined {
    recent = ((recent << 1) | (isSpeech ? 1 : 0)) & ONSET_MASK;
    if (turn === undefined) {
      if (countBits(recent) >= ONSET_FRAMES) turn = beginning(recent, nowMs);
      return undefined;
    }
    if (isSpeech) {
      turn = { startMs: turn.startMs, endMs: nowMs, speechMs: turn.speechMs + FRAME_MS };
      return undefined;
    }
    // What the turn was is known when the tone is over.
    return nowMs - turn.endMs >= END_OF_TURN_MS && !tone ? cut() : undefined;
  }

  function cut(): SpokenTurn | undefined {
    const ended = turn;
    turn = undefined;
    recent = 0;
    // A beep shall not give back what is over.
    history.length = 0;
    if (beforeTone !== undefined) beforeTone = { turn: undefined };
    return ended;
  }

  return {
    hear(frame) {
      nowMs += FRAME_MS;
      const findsBeeps = nowMs <= BEEPS_UNTIL_MS;
      const beep = findsBeeps && beeps.hear(frame) !== undefined;
      const tone = findsBeeps && beeps.mayBecomeBeep();
      // The beep itself is no speech of the callee's: it would be a turn, and would hold the message back.
      const isSpeech = speech.isSpeech(frame) && !beep && !(findsBeeps && beeps.inTone());
      if (beep) giveBack();
      const ended = hearSpeech(isSpeech, tone);
      remember(tone);
      return { nowMs, turn, ended, beep, tone };
    },
    nowMs: () => nowMs,
    cut,
    free: () => voice.free(),
  };
}

/** The turn whose first frames the bits are, the newest lowest. */
function beginning(bits: number, nowMs: number): SpokenTurn {
  const framesAgo = 32 - Math.clz32(bits);
  return { startMs: nowMs - framesAgo * FRAME_MS, endMs: nowMs, speechMs: countBits(bits) * FRAME_MS };
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest >>= 1) count += rest & 1;
  return count;
}
