import type { Turn } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { CalleeTurns } from './callee-turns.ts';
import { createTranscript } from './transcript.ts';

const FRAME_MS = 20;

/** Hears until `endMs`, with a beep in this stretch. */
function hear(turns: CalleeTurns, endMs: number, beep: { readonly startMs: number; readonly endMs: number }): void {
  for (let nowMs = FRAME_MS; nowMs <= endMs; nowMs += FRAME_MS) {
    const tone = nowMs > beep.startMs && nowMs < beep.endMs;
    turns.follow({ nowMs, tone, beep: nowMs === beep.endMs });
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
