import { unreachable } from '@outdial/kernel';
import { instructionText } from '../../instructions.ts';
import type { HistoryItem } from '../../mind.ts';

/** The `item` of a `conversation.item.create`. */
export function conversationItem(item: HistoryItem): Readonly<Record<string, unknown>> {
  switch (item.kind) {
    case 'callee':
      return { type: 'message', role: 'user', content: [{ type: 'input_text', text: item.text }] };
    case 'agent':
      return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: item.text }] };
    case 'tool_call':
      return { type: 'function_call', call_id: item.id, name: item.name, arguments: item.argumentsText };
    case 'tool_result':
      return { type: 'function_call_output', call_id: item.id, output: item.output };
    case 'instruction':
      return { type: 'message', role: 'system', content: [{ type: 'input_text', text: instructionText(item.text) }] };
    default:
      return unreachable(item);
  }
}
