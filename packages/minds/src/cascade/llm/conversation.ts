import { unreachable } from '@outdial/kernel';
import type { HistoryItem } from '../../mind.ts';

export interface ConversationToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
  readonly output: string;
}

/** A conversation as chat models take it: each tool call of an answer stands with its result. */
export type ConversationTurn =
  | { readonly role: 'callee'; readonly text: string }
  | { readonly role: 'agent'; readonly text: string; readonly toolCalls: readonly ConversationToolCall[] };

const STILL_RUNNING = '{"status":"still running"}';

/**
 * Providers reject a tool call without a result, and a result that does not follow its call. Results come later here: the
 * callee may have spoken in between, and a tool may still run.
 */
export function conversationTurns(items: readonly HistoryItem[]): readonly ConversationTurn[] {
  const outputs = new Map<string, string>();
  for (const item of items) if (item.kind === 'tool_result') outputs.set(item.id, item.output);
  const turns: ConversationTurn[] = [];
  /** Calls of the last turn whose results come later. */
  const running = new Set<string>();
  for (const item of items) {
    const last = turns.at(-1);
    switch (item.kind) {
      case 'callee':
        turns.push({ role: 'callee', text: item.text });
        running.clear();
        break;
      case 'agent':
        // Said while its tools ran: after their results, it would look like an answer to them.
        if (running.size > 0 && last?.role === 'agent') {
          turns[turns.length - 1] = { ...last, text: `${last.text} ${item.text}`.trim() };
        } else turns.push({ role: 'agent', text: item.text, toolCalls: [] });
        break;
      case 'tool_call': {
        const call = { ...item, output: outputs.get(item.id) ?? STILL_RUNNING };
        if (last?.role === 'agent') turns[turns.length - 1] = { ...last, toolCalls: [...last.toolCalls, call] };
        else turns.push({ role: 'agent', text: '', toolCalls: [call] });
        running.add(item.id);
        break;
      }
      case 'tool_result':
        running.delete(item.id);
        break;
      // It is part of the request's instructions.
      case 'instruction':
        break;
      default:
        unreachable(item);
    }
  }
  return turns;
}
