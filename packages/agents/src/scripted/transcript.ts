import type { Turn } from '@outdial/contracts';
import type { SpokenTurn } from '../hearing/turn-detector.ts';
import type { Utterance } from './line-player.ts';

/** Turns in the order in which they end. Turns of one role are in order and never overlap. */
export interface Transcript {
  addAgentSpeech(utterance: Utterance): void;
  addCalleeSpeech(turn: SpokenTurn): void;
  addKeys(digits: string, atMs: number): void;
  /** Sorted by start. */
  turns(): readonly Turn[];
}

export function createTranscript(onTurn: (turn: Turn) => void): Transcript {
  const turns: Turn[] = [];
  const ends = { agent: 0, callee: 0 };

  function add(turn: Turn): void {
    // A turn starts some frames before it was detected, which may overlap the previous one.
    const start_ms = Math.max(turn.start_ms, ends[turn.role]);
    const settled = { ...turn, start_ms, end_ms: Math.max(turn.end_ms, start_ms) };
    ends[turn.role] = settled.end_ms;
    turns.push(settled);
    onTurn(settled);
  }

  return {
    addAgentSpeech: ({ text, startMs, endMs, playedShare }) =>
      add({ role: 'agent', text, start_ms: startMs, end_ms: endMs, source: 'script', interrupted: playedShare < 1 }),
    // The callee is not transcribed.
    addCalleeSpeech: ({ startMs, endMs }) =>
      add({
        role: 'callee',
        text: null,
        start_ms: startMs,
        end_ms: endMs,
        source: 'untranscribed',
        interrupted: false,
      }),
    addKeys: (digits, atMs) =>
      add({ role: 'callee', text: digits, start_ms: atMs, end_ms: atMs, source: 'dtmf', interrupted: false }),
    turns: () => turns.toSorted((one, other) => one.start_ms - other.start_ms),
  };
}
