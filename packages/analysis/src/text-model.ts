import type { LlmChoice } from '@outdial/contracts';
import type { OpenedCredential } from '@outdial/calls';

/** How a model is held to a JSON Schema: by the provider, as JSON of any shape, or by the prompt alone. */
export const ANSWER_MODES = ['json_schema', 'json_object', 'text'] as const;
export type AnswerMode = (typeof ANSWER_MODES)[number];

export interface TextMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface TextRequest {
  readonly messages: readonly TextMessage[];
  readonly mode: AnswerMode;
  /** For `json_schema`. */
  readonly schema: JsonSchema;
  readonly signal: AbortSignal;
}

/** In tokens. Cached input is not part of `inputTokens`. */
export interface TextUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

export interface TextAnswer {
  readonly text: string;
  readonly usage: TextUsage;
}

/** One model of one provider. */
export interface TextModel {
  /** One request, one answer. Rejects with a `TextModelError` and nothing else. */
  complete(request: TextRequest): Promise<TextAnswer>;
}

/** Null: there is no driver for this provider. `isOwn`: the credential is the account's, and not the operator's. */
export type OpenTextModel = (
  choice: Pick<LlmChoice, 'provider' | 'model' | 'temperature' | 'max_output_tokens'>,
  credential: OpenedCredential,
  isOwn: boolean,
) => TextModel | null;

/**
 * - `unavailable`: another try may succeed.
 * - `rejected`: it would not: the key, the model or the request is refused.
 * - `mode_unsupported`: the model does not know this mode.
 */
export type TextModelFault = 'unavailable' | 'rejected' | 'mode_unsupported';

/** The message is for the log: it holds neither a key nor what was said. */
export class TextModelError extends Error {
  override readonly name = 'TextModelError';
  readonly fault: TextModelFault;

  constructor(fault: TextModelFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
