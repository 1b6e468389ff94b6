import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { unreachable } from '@outdial/kernel';
import { z } from 'zod';
import { conversationTurns, type ConversationTurn } from '../conversation.ts';
import type { LanguageModelRequest } from '../language-model.ts';

type Message = LanguageModelV3Prompt[number];

/**
 * What stands for a callee who has not said anything: some providers reject a conversation that does not begin and end
 * with them.
 */
const SILENCE = '[silence]';

export function promptOf(request: LanguageModelRequest): LanguageModelV3Prompt {
  const turns = joinedTurns(conversationTurns(request.conversation));
  const last = turns.at(-1);
  const begins = last === undefined || turns[0]?.role === 'callee';
  const waits = last?.role === 'callee' || (last?.role === 'agent' && last.toolCalls.length > 0);
  return [
    { role: 'system', content: request.instructions },
    ...(begins ? [] : [userMessage(SILENCE)]),
    ...turns.flatMap(messagesOf),
    ...(waits ? [] : [userMessage(SILENCE)]),
  ];
}

/**
 * Without turns that have no words and no calls, which Anthropic rejects. Google rejects a call that follows another turn
 * of the model, so answers that follow each other become one.
 */
function joinedTurns(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  const joined: ConversationTurn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (turn.role === 'agent' && last?.role === 'agent' && last.toolCalls.length === 0) {
      joined[joined.length - 1] = { ...turn, text: `${last.text} ${turn.text}`.trim() };
    } else if (turn.text.trim() !== '' || (turn.role === 'agent' && turn.toolCalls.length > 0)) {
      joined.push(turn);
    }
  }
  return joined;
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
            ...(turn.text.trim() === '' ? [] : [{ type: 'text', text: turn.text } as const]),
            ...turn.toolCalls.map(
              ({ id, name, argumentsText }) =>
                ({ type: 'tool-call', toolCallId: id, toolName: name, input: argumentsOf(argumentsText) }) as const,
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

const argumentsSchema = z.record(z.string(), z.unknown());

/** The model wrote it; what is no object goes back as it was. */
function argumentsOf(text: string): unknown {
  try {
    const parsed = argumentsSchema.safeParse(JSON.parse(text === '' ? '{}' : text));
    if (parsed.success) return parsed.data;
  } catch {
    // Not even JSON.
  }
  return { invalid: text };
}
