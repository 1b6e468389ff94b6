import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { unreachable } from '@outdial/kernel';
import { conversationTurns, type ConversationTurn } from '../conversation.ts';
import type { LanguageModelRequest } from '../language-model.ts';

type Message = LanguageModelV3Prompt[number];

/** What stands for a callee who has not said anything: some providers reject a conversation that does not end with them. */
const SILENCE = '[silence]';

export function promptOf(request: LanguageModelRequest): LanguageModelV3Prompt {
  const turns = conversationTurns(request.conversation);
  const last = turns.at(-1);
  const waits = last?.role === 'callee' || (last?.role === 'agent' && last.toolCalls.length > 0);
  return [
    { role: 'system', content: request.instructions },
    ...turns.flatMap(messagesOf),
    ...(waits ? [] : [userMessage(SILENCE)]),
  ];
}

export function toolsOf({ tools }: LanguageModelRequest): LanguageModelV3FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
  }));
}

function messagesOf(turn: ConversationTurn): readonly Message[] {
  switch (turn.role) {
    case 'callee':
      return [userMessage(turn.text)];
    case 'agent':
      return [
        {
          role: 'assistant',
          content: [
            ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text } as const]),
            ...turn.toolCalls.map(
              ({ id, name, argumentsText }) =>
                ({ type: 'tool-call', toolCallId: id, toolName: name, input: jsonOf(argumentsText) }) as const,
            ),
          ],
        },
        ...(turn.toolCalls.length === 0
          ? []
          : [
              {
                role: 'tool',
                content: turn.toolCalls.map(
                  ({ id, name, output }) =>
                    ({
                      type: 'tool-result',
                      toolCallId: id,
                      toolName: name,
                      output: { type: 'text', value: output },
                    }) as const,
                ),
              } as const,
            ]),
      ];
    default:
      return unreachable(turn);
  }
}

const userMessage = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** The model wrote it; what is no JSON goes back as it was. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return { invalid: text };
  }
}
