import { currentTurns, type CallBody, type CallEventBody, type LiveTurn, type Turn } from '@outdial/contracts';

/** A line of the conversation. `key` stays the same while others are added before and after it. */
export type ConversationItem =
  | {
      readonly kind: 'turn';
      readonly key: string;
      readonly atMs: number;
      readonly turn: Turn;
      /** How long the callee waited for it. Null: it answers nothing, or that is not known. */
      readonly answerMs: number | null;
    }
  /** A tool that the agent used, when it had run. */
  | { readonly kind: 'tool'; readonly key: string; readonly atMs: number; readonly event: CallEventBody };

/** The turns to show: the transcript of an ended call, else what has been said so far. */
export function shownTurns(call: CallBody, said: readonly LiveTurn[]): readonly Turn[] {
  return call.status === 'ended' ? (call.transcript ?? []) : currentTurns(said);
}

/** The turns, with tools where they were used. */
export function conversationItems(
  turns: readonly Turn[],
  events: readonly CallEventBody[],
  { answered_at: answeredAt, latency }: Pick<CallBody, 'answered_at' | 'latency'>,
): readonly ConversationItem[] {
  const waits = new Map(latency?.turns.map(({ start_ms, answer_ms }) => [start_ms, answer_ms]));
  const items: ConversationItem[] = turns.map((turn, index) => ({
    kind: 'turn',
    key: `turn-${'index' in turn && typeof turn.index === 'number' ? turn.index : index}`,
    atMs: turn.start_ms,
    turn,
    answerMs: turn.role === 'agent' ? (waits.get(turn.start_ms) ?? null) : null,
  }));
  if (answeredAt === null || turns.length === 0) return items;
  const answeredMs = Date.parse(answeredAt);
  const tools = events.filter(({ type }) => type === 'tool_called');
  for (const event of tools) {
    const atMs = Math.max(0, Date.parse(event.at) - answeredMs);
    items.push({ kind: 'tool', key: `tool-${event.id}`, atMs, event });
  }
  return items.toSorted((one, other) => one.atMs - other.atMs);
}
