import { unreachable } from '@outdial/kernel';
import { z } from 'zod';
import { conversationTurns, type ConversationTurn } from '../conversation.ts';
import type { LanguageModelRequest } from '../language-model.ts';

const count = z.int().min(0).nullish();

/** Source: https://platform.openai.com/docs/api-reference/chat-streaming */
export const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  // Some servers that imitate the API leave it out when there is one call.
                  index: z.int().min(0).default(0),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish(),
    })
    .nullish(),
  error: z
    .object({
      message: z.string().default(''),
      code: z.union([z.string(), z.number()]).nullish(),
      type: z.string().nullish(),
    })
    .nullish(),
});

export type ChatChunk = z.output<typeof chunkSchema>;
export type ChatUsage = NonNullable<ChatChunk['usage']>;
type ChatMessage = Readonly<Record<string, unknown>>;

export function chatMessages(request: LanguageModelRequest): readonly ChatMessage[] {
  return [
    { role: 'system', content: request.instructions },
    ...conversationTurns(request.conversation).flatMap(messagesOf),
  ];
}

export function chatTools({ tools }: LanguageModelRequest): Readonly<Record<string, unknown>> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  };
}

function messagesOf(turn: ConversationTurn): readonly ChatMessage[] {
  switch (turn.role) {
    case 'callee':
      return [{ role: 'user', content: turn.text }];
    case 'agent': {
      if (turn.toolCalls.length === 0) return [{ role: 'assistant', content: turn.text }];
      const calls = turn.toolCalls.map(({ id, name, argumentsText }) => ({
        id,
        type: 'function',
        function: { name, arguments: argumentsText },
      }));
      return [
        { role: 'assistant', content: turn.text === '' ? null : turn.text, tool_calls: calls },
        ...turn.toolCalls.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output })),
      ];
    }
    default:
      return unreachable(turn);
  }
}
