import type { HistoryItem, ProviderFailure, UsageEntry } from '../../mind.ts';
import type { Tool } from '../../tool.ts';

export type LanguageModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool_call'; readonly id: string; readonly name: string; readonly argumentsText: string }
  /** At most once, before `over`. */
  | { readonly kind: 'usage'; readonly entries: readonly UsageEntry[] }
  /** `incomplete`: the limit of tokens or a filter ended the answer. The last event. */
  | { readonly kind: 'over'; readonly outcome: 'completed' | 'incomplete' }
  /** The last event. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

export interface LanguageModelRequest {
  readonly instructions: string;
  readonly conversation: readonly HistoryItem[];
  readonly tools: readonly Tool[];
}

export interface Generation {
  /** Emits the usage so far, estimated, unless it was reported. Idempotent. No event follows. */
  cancel(): void;
}

export interface LanguageModel {
  /** Looks whether the provider takes the credential, which also opens a connection. Without tokens. Null: it does. */
  readonly check?: (signal: AbortSignal) => Promise<ProviderFailure | null>;
  answer(request: LanguageModelRequest, listener: (event: LanguageModelEvent) => void): Generation;
}
