/** A greeting longer than this is recorded: people say hello and wait. */
const LONGEST_GREETING_MS = 1_800;
/** What begins after the agent's first words is a reaction to them, and people's reactions are longer. */
const LONGEST_REACTION_MS = 4_000;
/** Speech that begins this soon after the agent's first word was begun without hearing it. */
const REACTION_MS = 500;
/** A screening service asks one question, in less; a menu lists choices, in more. */
const LONG_PROMPT_MS = 3_800;
/** A recording that is played again has the same length, but for the detector's frames. */
const SAME_LENGTH_SHARE = 0.1;

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Too long to be a person's first words. When in doubt it is a person: to wait for a beep would lose them. */
export function isMachineLength(turn: Span, firstWordMs: number | undefined): boolean {
  return turn.endMs - turn.startMs > (isReaction(turn, firstWordMs) ? LONGEST_REACTION_MS : LONGEST_GREETING_MS);
}

export const isLongPrompt = (promptMs: number): boolean => promptMs >= LONG_PROMPT_MS;

/**
 * A recording whose first sentence was as short as a greeting: it went on without hearing that it was answered, and for
 * longer than people do.
 */
export const goesOnUnheeding = (turn: Span, firstWordMs: number | undefined): boolean =>
  !isReaction(turn, firstWordMs) && isLongPrompt(turn.endMs - turn.startMs);

const isReaction = ({ startMs }: Span, firstWordMs: number | undefined): boolean =>
  firstWordMs !== undefined && startMs >= firstWordMs + REACTION_MS;

export const isSameLength = (ms: number, otherMs: number): boolean =>
  Math.abs(ms - otherMs) <= otherMs * SAME_LENGTH_SHARE;
