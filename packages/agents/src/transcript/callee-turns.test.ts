import type { Turn } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import { END_OF_TURN_MS, type SpokenTurn } from '../hearing/turn-detector.ts';
import { CalleeTurns } from './callee-turns.ts';
import { createTranscript } from './transcript.ts';

const FRAME_MS = 20;

/** Hears until `endMs`, with a beep in this stretch. */
function hear(turns: CalleeTurns, endMs: number, beep: { readonly startMs: number; readonly endMs: number }): void {
  for (let nowMs = FRAME_MS; nowMs <= endMs; nowMs += FRAME_MS) {
    const tone = nowMs > beep.startMs && nowMs < beep.endMs;
    turns.follow({ nowMs, turn: undefined, tone, beep: nowMs === beep.endMs });
  }
}

test('what a provider makes of the beep of a voicemail is no turn, and the greeting before it is one', () => {
  const transcript = createTranscript(() => undefined);
  const turns = new CalleeTurns(transcript);
  hear(turns, 5_000, { startMs: 3_000, endMs: 4_000 });
  turns.said({ text: 'Please leave a message.', startMs: 400, endMs: 2_600 });
  turns.said({ text: '[unrecognised]', startMs: 2_900, endMs: 4_300 });
  turns.said({ text: 'Hello?', startMs: 4_600, endMs: 5_000 });
  expect(transcript.turns().map(({ text }) => text)).toEqual(['Please leave a message.', 'Hello?']);
});

test('speech of the agent that was cut off before its first word is no turn', () => {
  const reported: Turn[] = [];
  const transcript = createTranscript((turn) => reported.push(turn));
  transcript.addAgentSpeech({ text: '', startMs: 0, endMs: 60, interrupted: true, source: 'model' });
  transcript.addAgentSpeech({ text: 'Hello.', startMs: 500, endMs: 900, interrupted: true, source: 'model' });
  expect(transcript.turns().map(({ text }) => text)).toEqual(['Hello.']);
  expect(reported).toHaveLength(1);
});

/** The ear hears speech in these stretches, and takes pauses under 700 ms for a part of a turn. */
function heard(...stretches: readonly (readonly [startMs: number, endMs: number])[]) {
  const transcript = createTranscript(() => undefined);
  const turns = new CalleeTurns(transcript);
  let turn: SpokenTurn | undefined;
  for (let nowMs = FRAME_MS; nowMs <= 10_000; nowMs += FRAME_MS) {
    const isSpeech = stretches.some(([startMs, endMs]) => nowMs > startMs && nowMs <= endMs);
    if (isSpeech) turn = { startMs: turn?.startMs ?? nowMs - FRAME_MS, endMs: nowMs, speechMs: FRAME_MS };
    else if (turn !== undefined && nowMs - turn.endMs >= END_OF_TURN_MS) turn = undefined;
    turns.follow({ nowMs, turn, tone: false, beep: false });
  }
  return {
    times(...words: readonly (readonly [startMs: number, endMs: number])[]) {
      for (const [startMs, endMs] of words) turns.said({ text: 'Yes.', startMs, endMs });
      return transcript.turns().map(({ start_ms, end_ms }) => [start_ms, end_ms]);
    },
  };
}

describe('what a provider understood stands in the transcript', () => {
  test('when the ear heard it, not when the provider was sure of it', () => {
    expect(heard([1_000, 2_000]).times([1_140, 2_500])).toEqual([[1_000, 2_000]]);
    expect(heard([1_000, 2_000]).times([820, 1_860])).toEqual([[1_000, 2_000]]);
  });

  test('with its pauses, and up to where the provider ended the turn where the callee goes on', () => {
    expect(heard([1_000, 2_000], [2_300, 3_000]).times([1_000, 3_500])).toEqual([[1_000, 3_000]]);
    expect(heard([1_000, 2_000], [2_600, 4_000]).times([1_000, 2_500], [2_700, 4_500])).toEqual([
      [1_000, 2_000],
      [2_600, 4_000],
    ]);
    expect(heard([1_000, 6_000]).times([1_000, 3_000], [3_000, 6_500])).toEqual([
      [1_000, 3_000],
      [3_000, 6_000],
    ]);
  });

  test('as the provider has it where the ear heard nothing', () => {
    expect(heard([1_000, 2_000]).times([4_000, 5_000])).toEqual([[4_000, 5_000]]);
  });
});
