import type { LanguageModel, LanguageModelEvent, LanguageModelRequest } from '../src/cascade/llm/language-model.ts';
import { aiSdkModel } from '../src/cascade/llm/ai-sdk/ai-sdk-model.ts';
import { openAiCompatibleModel } from '../src/cascade/llm/openai-compatible/openai-compatible.ts';
import { KEY, type CascadeStage } from './cascade-stage.ts';

export interface ModelChanges {
  readonly model?: string;
  readonly credential?: string;
  readonly maxOutputTokens?: number;
}

/** A way to a language model, and its simulated provider. */
export interface Endpoint {
  readonly name: string;
  /** As it stands in the usage and in the ledger. */
  readonly provider: 'openai' | 'anthropic' | 'google';
  /** A model as it should be. */
  readonly model: string;
  open(stage: CascadeStage, changes?: ModelChanges): LanguageModel;
}

function ofSdk(provider: Endpoint['provider'], model: string): Endpoint {
  return {
    name: `${provider} over the AI SDK`,
    provider,
    model,
    open: (stage, { credential = KEY, ...changes } = {}) =>
      aiSdkModel({
        settings: { provider, model, maxOutputTokens: 300, temperature: 0.5, ...changes },
        credential,
        baseUrl: provider === 'google' ? stage.googleUrl : stage.httpUrl,
        fetch: stage.fetch,
      }),
  };
}

export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'chat completions',
    provider: 'openai',
    model: 'gpt-simulated',
    open: (stage, { credential = KEY, ...changes } = {}) =>
      openAiCompatibleModel({
        settings: { provider: 'openai', model: 'gpt-simulated', maxOutputTokens: 300, temperature: 0.5, ...changes },
        credential,
        baseUrl: stage.httpUrl,
        fetch: stage.fetch,
      }),
  },
  ofSdk('openai', 'gpt-simulated'),
  ofSdk('anthropic', 'claude-simulated'),
  ofSdk('google', 'gemini-simulated'),
];

export const textOf = (events: readonly LanguageModelEvent[]): string =>
  events.map((event) => (event.kind === 'text' ? event.text : '')).join('');

export const usageOf = (events: readonly LanguageModelEvent[]) =>
  events.flatMap((event) => (event.kind === 'usage' ? event.entries : []));

/** Every event of one answer. */
export function answerOf(model: LanguageModel, request: LanguageModelRequest): Promise<readonly LanguageModelEvent[]> {
  return new Promise((resolve) => {
    const events: LanguageModelEvent[] = [];
    model.answer(request, (event) => {
      events.push(event);
      if (event.kind === 'over' || event.kind === 'failed') resolve(events);
    });
  });
}
