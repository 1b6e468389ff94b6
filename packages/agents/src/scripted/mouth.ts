import { FRAME_MS, FRAME_SAMPLES, type Frame } from '@outdial/calls';
import type { Line } from './line.ts';

/** What was really played of a line. Times are from answer. */
export interface Utterance {
  readonly line: Line;
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** From 0 to 1. */
  readonly playedShare: number;
}

export interface Mouth {
  /** Begins a line; its sound is waited for in silence if it is not ready. Nothing else may be under way. */
  say(line: Line): void;
  /** The frame that is played in the 20 ms before `nowMs`; undefined for silence. */
  pull(nowMs: number): Frame | undefined;
  /** The line that was begun and is not over. */
  line(): Line | undefined;
  /** Ends the line under way: what was played of it, or undefined if nothing was. */
  stop(): Utterance | undefined;
  /** The line that was played to its end since the last call. */
  takeFinished(): Utterance | undefined;
}

export function createMouth(): Mouth {
  let line: Line | undefined;
  let playedSamples = 0;
  let startMs = 0;
  let endMs = 0;
  let finished: Utterance | undefined;

  function utterance(said: Line, sampleCount: number): Utterance {
    const playedShare = Math.min(1, playedSamples / sampleCount);
    return { line: said, text: playedWords(said.text, playedShare), startMs, endMs, playedShare };
  }

  return {
    say(next) {
      line = next;
      playedSamples = 0;
    },
    pull(nowMs) {
      const speech = line?.speech();
      if (line === undefined || speech?.state !== 'ready') return undefined;
      const { samples } = speech;
      if (playedSamples === 0) startMs = Math.max(0, nowMs - FRAME_MS);
      endMs = nowMs;
      const frame = wholeFrame(samples.subarray(playedSamples, playedSamples + FRAME_SAMPLES));
      playedSamples += FRAME_SAMPLES;
      if (playedSamples >= samples.length) {
        finished = utterance(line, samples.length);
        line = undefined;
      }
      return frame;
    },
    line: () => line,
    stop() {
      const speech = line?.speech();
      const stopped = line;
      line = undefined;
      if (stopped === undefined || speech?.state !== 'ready' || playedSamples === 0) return undefined;
      return utterance(stopped, speech.samples.length);
    },
    takeFinished() {
      const taken = finished;
      finished = undefined;
      return taken;
    },
  };
}

function wholeFrame(samples: Int16Array): Frame {
  if (samples.length === FRAME_SAMPLES) return samples;
  const frame = new Int16Array(FRAME_SAMPLES);
  frame.set(samples);
  return frame;
}

/**
 * The words of a text that were played when `share` of its sound was. The engine tells no times of words, so letters
 * stand for time; a word that was begun is left out, since nobody can know that it was understood.
 */
export function playedWords(text: string, share: number): string {
  if (share >= 1) return text;
  const played = Math.floor(text.length * share);
  if (/\s/.test(text.charAt(played))) return text.slice(0, played).trimEnd();
  return text.slice(0, played).replace(/\S*$/, '').trimEnd();
}
