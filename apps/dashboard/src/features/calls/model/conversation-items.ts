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
      /** What the wait was for, in order. Empty: not known. */
      readonly waitedFor: readonly string[];
    }
  /** A tool that the agent used, when it had run. */
  | { readonly kind: 'tool'; readonly key: string; readonly atMs: number; readonly event: CallEventBody };

/** The turns to show: the transcript of an ended call, else what has been said so far. */
export function shownTurns(call: CallBody, said: readonly LiveTurn[]): readonly Turn[] {
  return call.status === 'ended' ? (call.transcript ?? []) : currentTurns(said);
}

type Parts = NonNullable<CallBody['latency']>['turns'][number]['parts'];

/** The parts of an answer's delay, as the call has them. */
function partWords(parts: Parts): readonly string[] {
  if (parts === null) return [];
  const words = [
    ['end of turn', parts.endpointing_ms],
    ['first token', parts.llm_ttft_ms],
    ['first sound', parts.tts_ttfb_ms],
  ] as const;
  return words.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms} ms`]));
}

/** The turns, with tools where they were used. */
export function conversationItems(
  turns: readonly Turn[],
  events: readonly CallEventBody[],
  { answered_at: answeredAt, latency }: Pick<CallBody, 'answered_at' | 'latency'>,
): readonly ConversationItem[] {
  const waits = new Map(latency?.turns.map((turn) => [turn.start_ms, turn]));
  const items: ConversationItem[] = turns.map((turn, index) => {
    const wait = turn.role === 'agent' ? waits.get(turn.start_ms) : undefined;
    return {
      kind: 'turn',
      key: `turn-${'index' in turn && typeof turn.index === 'number' ? turn.index : index}`,
      atMs: turn.start_ms,
      turn,
      answerMs: wait?.answer_ms ?? null,
      waitedFor: wait === undefined ? [] : partWords(wait.parts),
    };
  });
  if (answeredAt === null || turns.length === 0) return items;
  const answeredMs = Date.parse(answeredAt);
  const tools = events.filter(({ type }) => type === 'tool_called');
  for (const event of tools) {
    const atMs = Math.max(0, Date.parse(event.at) - answeredMs);
    items.push({ kind: 'tool', key: `tool-${event.id}`, atMs, event });
  }
  return items.toSorted((one, other) => one.atMs - other.atMs);
}
