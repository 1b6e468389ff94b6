import type { ServerResponse } from 'node:http';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { writtenBy, type AnswerPart } from './answer-parts.ts';
import type { ChatInput } from './answer-stream.ts';
import { chatTokens, type ReadTokens } from './chat-tokens.ts';

export interface WholeAnswerInput extends ChatInput {
  readonly response: ServerResponse;
  readonly parts: readonly AnswerPart[];
  readonly limit: number;
  readonly read: ReadTokens;
  readonly delayMs?: number | undefined;
}

/** A completion in one piece, without tools, once the model has thought. It is billed when it is sent. */
export function sendWholeAnswer(
  { clock, timings, ledger, response, parts, limit, read, delayMs }: WholeAnswerInput,
  { id, model }: Pick<ChatCompletion, 'id' | 'model'>,
): void {
  const sent = parts.filter(({ kind }) => kind === 'text').slice(0, limit);
  const content = sent.map(writtenBy).join('');
  const written = chatTokens(content);
  const completion: ChatCompletion = {
    id,
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        finish_reason: parts.length > limit ? 'length' : 'stop',
        logprobs: null,
        message: { role: 'assistant', content, refusal: null },
      },
    ],
    usage: {
      prompt_tokens: read.prompt,
      completion_tokens: written,
      total_tokens: read.prompt + written,
      prompt_tokens_details: { cached_tokens: read.cached },
    },
  };
  const timer = clock.after(delayMs ?? timings.firstTokenMs, () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
    const payer = { component: 'llm', provider: 'openai' } as const;
    ledger.add({ ...payer, unit: 'input_text_token', quantity: read.prompt - read.cached });
    ledger.add({ ...payer, unit: 'cached_input_text_token', quantity: read.cached });
    ledger.add({ ...payer, unit: 'output_text_token', quantity: written });
  });
  response.on('close', () => timer.cancel());
}
