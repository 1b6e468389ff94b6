import { FRAME_MS, FRAME_SAMPLES, type Frame } from '@outdial/calls';
import { playedWords } from '../transcript/played-words.ts';
import type { ScriptLine } from './script-line.ts';

/** The played part of a line. Times are relative to the answer. */
export interface Utterance {
  readonly line: ScriptLine;
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** From 0 to 1. */
  readonly playedShare: number;
}

export interface LinePlayer {
  /** Starts a line, in silence until its sound is ready. No other line may be playing. */
  say(line: ScriptLine): void;
  /** The frame for the 20 ms before `nowMs`; undefined for silence. */
  pull(nowMs: number): Frame | undefined;
  /** The current line. */
  line(): ScriptLine | undefined;
  /** Ends the current line and returns its played part, or undefined if nothing was played. */
  stop(): Utterance | undefined;
  /** The line that finished since the last call. */
  takeFinished(): Utterance | undefined;
}

export function createLinePlayer(): LinePlayer {
  let line: ScriptLine | undefined;
  let playedSamples = 0;
  let startMs = 0;
  let endMs = 0;
  let finished: Utterance | undefined;

  function utterance(spoken: ScriptLine, sampleCount: number): Utterance {
    const playedShare = Math.min(1, playedSamples / sampleCount);
    return { line: spoken, text: playedWords(spoken.text, playedShare), startMs, endMs, playedShare };
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
