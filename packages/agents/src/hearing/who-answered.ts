/** A longer greeting is recorded: people say hello and wait. */
const LONGEST_GREETING_MS = 1_800;
/** Speech that starts after the agent's first words is a reaction to them, and people's reactions are longer. */
const LONGEST_REACTION_MS = 4_000;
/** Speech that starts this soon after the agent's first word started without hearing it. */
const REACTION_MS = 500;
/** A screening service's question is shorter; a menu's list of choices is longer. */
const LONG_PROMPT_MS = 3_800;
/** A repeated recording has the same length, within the detector's resolution. */
const SAME_LENGTH_SHARE = 0.1;

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Too long for a person's first words. In doubt it is a person, who would not wait for the agent to detect a beep. */
export function isMachineLength(turn: Span, firstWordMs: number | undefined): boolean {
  return turn.endMs - turn.startMs > (isReaction(turn, firstWordMs) ? LONGEST_REACTION_MS : LONGEST_GREETING_MS);
}

export const isLongPrompt = (promptMs: number): boolean => promptMs >= LONG_PROMPT_MS;

/**
 * A recording with a first sentence as short as a greeting: it continued without hearing the agent, and for longer than
 * people do.
 */
export const ignoresAgent = (turn: Span, firstWordMs: number | undefined): boolean =>
  !isReaction(turn, firstWordMs) && isLongPrompt(turn.endMs - turn.startMs);

const isReaction = ({ startMs }: Span, firstWordMs: number | undefined): boolean =>
  firstWordMs !== undefined && startMs >= firstWordMs + REACTION_MS;

export const isSameLength = (ms: number, otherMs: number): boolean =>
  Math.abs(ms - otherMs) <= otherMs * SAME_LENGTH_SHARE;
