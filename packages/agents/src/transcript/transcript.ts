import type { Turn } from '@outdial/contracts';
import type { SpokenTurn } from '../hearing/turn-detector.ts';

/** The played part of what the agent said. Times are relative to the answer. */
export interface AgentSpeech {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly interrupted: boolean;
  readonly source: 'script' | 'model';
}

/** What the callee said, as a provider understood it. */
export interface CalleeWords {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Turns in the order in which they end. Turns of one role are in order and never overlap. */
export interface Transcript {
  /** Speech that was cut off before its first word is no turn. */
  addAgentSpeech(speech: AgentSpeech): void;
  /** The callee spoke, and there are no words. `late`: other turns of the callee may have been added since. */
  addCalleeSpeech(turn: SpokenTurn, late?: boolean): void;
  /** Takes the place of turns without words at the same time, also of those that were reported before. */
  addCalleeWords(words: CalleeWords): void;
  addKeys(digits: string, atMs: number): void;
  /** No sound: what the supervisor asked of the model. */
  addInstruction(text: string, atMs: number): void;
  /** Sorted by start. */
  turns(): readonly Turn[];
}

export function createTranscript(onTurn: (turn: Turn) => void): Transcript {
  let turns: readonly Turn[] = [];

  function add(turn: Turn): void {
    const ends = turns.filter(({ role }) => role === turn.role).map(({ end_ms }) => end_ms);
    // A turn starts some frames before it was detected, which may overlap the previous one.
    put({ ...turn, start_ms: Math.max(turn.start_ms, ...ends) });
  }

  /** Words may come late: other turns of the callee may have been added since, before and after their place. */
  function addBetween(turn: Turn): void {
    const others = turns.filter(({ role }) => role === turn.role);
    const before = others.filter(({ start_ms }) => start_ms <= turn.start_ms).map(({ end_ms }) => end_ms);
    const after = others.filter(({ start_ms }) => start_ms > turn.start_ms).map(({ start_ms }) => start_ms);
    const start_ms = Math.max(turn.start_ms, ...before);
    put({ ...turn, start_ms, end_ms: Math.min(turn.end_ms, ...after) });
  }

  function put(turn: Turn): void {
    const settled = { ...turn, end_ms: Math.max(turn.end_ms, turn.start_ms) };
    turns = [...turns, settled];
    onTurn(settled);
  }

  return {
    addAgentSpeech({ text, startMs, endMs, interrupted, source }) {
      // Cut off before its first word: nothing was said.
      if (interrupted && text === '') return;
      add({ role: 'agent', text, start_ms: startMs, end_ms: endMs, source, interrupted });
    },
    addCalleeSpeech: ({ startMs, endMs }, late = false) =>
      (late ? addBetween : add)({
        role: 'callee',
        text: null,
        start_ms: startMs,
        end_ms: endMs,
        source: 'untranscribed',
        interrupted: false,
      }),
    addCalleeWords({ text, startMs, endMs }) {
      turns = turns.filter(
        ({ source, start_ms, end_ms }) => source !== 'untranscribed' || start_ms >= endMs || end_ms <= startMs,
      );
      addBetween({
        role: 'callee',
        text,
        start_ms: Math.max(0, Math.round(startMs)),
        end_ms: Math.round(endMs),
        source: 'stt',
        interrupted: false,
      });
    },
    addKeys: (digits, atMs) =>
      add({ role: 'callee', text: digits, start_ms: atMs, end_ms: atMs, source: 'dtmf', interrupted: false }),
    addInstruction: (text, atMs) =>
      add({ role: 'supervisor', text, start_ms: atMs, end_ms: atMs, source: 'instruction', interrupted: false }),
    turns: () => turns.toSorted((one, other) => one.start_ms - other.start_ms),
  };
}
