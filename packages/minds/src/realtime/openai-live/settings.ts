import { unreachable } from '@outdial/kernel';
import { instructionNote } from '../../instructions.ts';
import type { HistoryItem } from '../../mind.ts';
import type { Tool } from '../../tool.ts';
import { calledNote, NOTES_EXPLAINED, resultNote } from '../notes.ts';

export interface OpenAiLiveSettings {
  readonly model: string;
  readonly voice: string;
  readonly instructions: string;
  /** The model that thinks and calls tools while the live one speaks. */
  readonly delegation: {
    readonly model: string;
    readonly reasoningEffort?: 'none' | 'minimal' | 'low' | 'medium' | 'high';
    readonly maxOutputTokens: number;
  };
  readonly tools: readonly Tool[];
}

const MAX_MESSAGES = 128;
/** The provider takes 8,192 tokens of history; in some scripts a character is one. */
const MAX_HISTORY_CHARACTERS = 8_000;

/**
 * The session of a `session.start`. It holds for as long as the connection. The live model calls no tools itself: it hands
 * work to the other one, so both know what there is.
 *
 * Source: https://developers.openai.com/api/docs/guides/live-delegation
 */
export function sessionOf(settings: OpenAiLiveSettings, history: readonly HistoryItem[]): object {
  const { model, voice, instructions, delegation, tools } = settings;
  const input = historyMessages(history);
  return {
    model,
    instructions: [instructions, tasksOf(tools), NOTES_EXPLAINED].filter((part) => part !== '').join('\n\n'),
    audio: { format: { type: 'audio/pcmu', rate: 8_000 }, output: { voice } },
    delegation: {
      type: 'responses',
      responses: {
        model: delegation.model,
        instructions: `${instructions}\n\nA voice model conducts the call, and hands work to you. Use the tools; answer it briefly.`,
        max_output_tokens: delegation.maxOutputTokens,
        ...(delegation.reasoningEffort === undefined ? {} : { reasoning: { effort: delegation.reasoningEffort } }),
        ...(tools.length === 0 ? {} : { tools: tools.map(functionTool), tool_choice: 'auto' }),
      },
    },
    ...(input.length === 0 ? {} : { input }),
  };
}

const functionTool = ({ name, description, parameters }: Tool) => ({ type: 'function', name, description, parameters });

function tasksOf(tools: readonly Tool[]): string {
  if (tools.length === 0) return '';
  const tasks = tools.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
  return `You cannot do the following yourself. Delegate it as soon as it is needed:\n${tasks}`;
}

/** The newest that the provider takes. */
function historyMessages(history: readonly HistoryItem[]): readonly object[] {
  const names = new Map(history.flatMap((item) => (item.kind === 'tool_call' ? [[item.id, item.name] as const] : [])));
  const messages: object[] = [];
  let characters = 0;
  for (const item of history.slice(-MAX_MESSAGES).toReversed()) {
    const { role, text } = said(item, names);
    characters += text.length;
    if (characters > MAX_HISTORY_CHARACTERS && messages.length > 0) break;
    const kept = text.slice(-MAX_HISTORY_CHARACTERS);
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    messages.push({ type: 'message', role, content: [{ type, text: kept }] });
  }
  return messages.toReversed();
}

function said(item: HistoryItem, toolNames: ReadonlyMap<string, string>) {
  switch (item.kind) {
    case 'callee':
      return { role: 'user', text: item.text } as const;
    case 'agent':
      return { role: 'assistant', text: item.text } as const;
    case 'tool_call':
      return { role: 'developer', text: calledNote(item.name, item.argumentsText) } as const;
    case 'tool_result':
      return { role: 'developer', text: resultNote(toolNames.get(item.id) ?? 'the tool', item.output) } as const;
    case 'instruction':
      return { role: 'developer', text: instructionNote(item.text) } as const;
    default:
      return unreachable(item);
  }
}
