import type { LiveTurn, Turn } from '@outdial/contracts';

/** The turns of a call in the order in which they became known. Bounded: the transcript of the ended call is complete. */
export interface TurnLog {
  /** Whether it was kept. */
  add(turn: Turn): boolean;
  /** The oldest turns that are not stored yet, as many as one write carries. */
  unstored(): readonly LiveTurn[];
  /** The latest turns that are not stored yet, as many as one announcement carries. */
  latest(): readonly LiveTurn[];
  /** Every turn up to the last of these is stored, or never will be. */
  markStored(turns: readonly LiveTurn[]): void;
}

/** Per call. A conversation of an hour has some 600 turns. */
const MAX_TURNS = 1_000;
const MAX_CHARACTERS = 100_000;
/** Per turn. A minute of speech has about 1,000. */
const MAX_TURN_CHARACTERS = 4_000;
/** Per write: a renewal must not become slow after an outage of Postgres. */
const MAX_UNSTORED = 100;
/** Per announcement. A renewal has time for fewer. */
const MAX_LATEST = 20;

export function createTurnLog(): TurnLog {
  let unstored: readonly LiveTurn[] = [];
  /** Reported without words, which may still come. */
  let wordless: readonly LiveTurn[] = [];
  let count = 0;
  let characters = 0;

  return {
    add(turn) {
      const text = turn.text?.slice(0, MAX_TURN_CHARACTERS) ?? null;
      characters += text?.length ?? 0;
      if (count >= MAX_TURNS || characters > MAX_CHARACTERS) return false;
      const replaced = turn.source === 'stt' ? wordless.filter((earlier) => overlap(earlier, turn)) : [];
      const live = { index: count, replaces: replaced.map(({ index }) => index), ...turn, text };
      count += 1;
      wordless = wordless.filter((earlier) => !replaced.includes(earlier));
      if (turn.source === 'untranscribed') wordless = [...wordless, live];
      unstored = [...unstored, live];
      return true;
    },
    unstored: () => unstored.slice(0, MAX_UNSTORED),
    latest: () => unstored.slice(-MAX_LATEST),
    markStored(turns) {
      const last = turns.at(-1)?.index ?? -1;
      unstored = unstored.filter(({ index }) => index > last);
    },
  };
}

const overlap = (one: Turn, other: Turn): boolean => one.start_ms < other.end_ms && other.start_ms < one.end_ms;
