import { FRAME_MS, type Frame } from '@outdial/calls';
import { createBeepDetector } from './beep-detector.ts';
import { createSpeechDetector } from './speech-detector.ts';
import type { VoiceDetector } from './voice-detector.ts';

/** This much silence ends the callee's turn: a shorter one is a pause within a sentence. */
export const END_OF_TURN_MS = 700;
/** A click does not start a turn: this many of the last frames must be speech. */
const ONSET_FRAMES = 3;
const ONSET_WINDOW_FRAMES = 5;
const ONSET_MASK = (1 << ONSET_WINDOW_FRAMES) - 1;
const TONE_NOTICED_FRAMES = 4;
/** Music on hold contains tones, so detection stops after this time; greetings are over by then. */
const BEEPS_UNTIL_MS = 90_000;

/** A stretch of the callee's speech without a pause of END_OF_TURN_MS. Times are relative to the answer. */
export interface SpokenTurn {
  readonly startMs: number;
  /** End of the last speech frame so far. */
  readonly endMs: number;
  /** Duration of the speech frames. */
  readonly speechMs: number;
}

/** The result of one frame. */
export interface Heard {
  /** End of the frame, relative to the answer. */
  readonly nowMs: number;
  /** The current turn. */
  readonly turn: SpokenTurn | undefined;
  /** The turn that this frame ended. */
  readonly ended: SpokenTurn | undefined;
  /** A beep ended with this frame. */
  readonly beep: boolean;
  /** A steady tone is sounding that may become a beep. */
  readonly tone: boolean;
}

export interface TurnDetector {
  hear(frame: Frame): Heard;
  nowMs(): number;
  /** Ends and returns the current turn, for example at a key press or at the end of the call. */
  cut(): SpokenTurn | undefined;
  free(): void;
}

export function createTurnDetector(voice: VoiceDetector): TurnDetector {
  const speech = createSpeechDetector(voice);
  const beeps = createBeepDetector();
  let nowMs = 0;
  let turn: SpokenTurn | undefined;
  let recent = 0;
  /** The turn as of each of the last frames, oldest first, and as of the start of the current tone. */
  const history: (SpokenTurn | undefined)[] = [];
  let beforeTone: { readonly turn: SpokenTurn | undefined } | undefined;

  /** A tone is recognized only after some frames, which counted as speech: a beep reverts them. */
  function revertTone(): void {
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
      if (countBits(recent) >= ONSET_FRAMES) turn = startOfTurn(recent, nowMs);
      return undefined;
    }
    if (isSpeech) {
      turn = { startMs: turn.startMs, endMs: nowMs, speechMs: turn.speechMs + FRAME_MS };
      return undefined;
    }
    // Whether a tone is part of the turn is known only when the tone is over.
    return nowMs - turn.endMs >= END_OF_TURN_MS && !tone ? cut() : undefined;
  }

  function cut(): SpokenTurn | undefined {
    const ended = turn;
    turn = undefined;
    recent = 0;
    // A later beep must not restore a turn that has ended.
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
      // The beep is not the callee's speech: as a turn, it would delay the message.
      const isSpeech = speech.isSpeech(frame) && !beep && !(findsBeeps && beeps.inTone());
      if (beep) revertTone();
      const ended = hearSpeech(isSpeech, tone);
      remember(tone);
      return { nowMs, turn, ended, beep, tone };
    },
    nowMs: () => nowMs,
    cut,
    free: () => voice.free(),
  };
}

/** The turn that starts with these frames, newest in the lowest bit. */
function startOfTurn(bits: number, nowMs: number): SpokenTurn {
  const framesAgo = 32 - Math.clz32(bits);
  return { startMs: nowMs - framesAgo * FRAME_MS, endMs: nowMs, speechMs: countBits(bits) * FRAME_MS };
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest >>= 1) count += rest & 1;
  return count;
}
