import { unreachable } from '@outdial/kernel';
import { instructionNote } from '../../instructions.ts';
import type { HistoryItem } from '../../mind.ts';
import { calledNote, resultNote } from '../notes.ts';

/** The turns of a `clientContent`, for a connection that continues a conversation. Calls of tools belong to a connection. */
export function historyTurns(history: readonly HistoryItem[]): readonly object[] {
  const tools = new Map<string, string>();
  return history.map((item) => {
    switch (item.kind) {
      case 'callee':
        return turn('user', spoken(item.text));
      case 'agent':
        return turn('model', item.text);
      case 'tool_call':
        tools.set(item.id, item.name);
        return turn('user', calledNote(item.name, item.argumentsText));
      case 'tool_result':
        return turn('user', resultNote(tools.get(item.id) ?? 'the tool', item.output));
      case 'instruction':
        return turn('user', instructionNote(item.text));
      default:
        return unreachable(item);
    }
  });
}

const KEYS = /^\[pressed [\dA-D*#]+\]$/;

/** Square brackets mark a note here, and the callee has the role of notes: what they say must not pass for one. */
const spoken = (text: string): string => (KEYS.test(text) ? text : text.replaceAll('[', '(').replaceAll(']', ')'));

const turn = (role: 'user' | 'model', text: string) => ({ role, parts: [{ text }] });

/** `isAsked`: the model answers at once, and gives up what it was saying. */
export function content(role: 'user' | 'model', text: string, isAsked: boolean) {
  return { clientContent: { turns: [turn(role, text)], turnComplete: isAsked } };
}
