import type { CallId, UsageEntry } from '@outdial/contracts';
import type { SilentConversations } from './conversations.ts';

/** Each token costs one micro (`MODEL_RATES`). */
export const TOKENS = { component: 'llm', provider: 'openai', model: 'model', unit: 'output_text_token' } as const;

/** What the models of all calls have reported to a process that was running: outside everything that may crash. */
export class ModelUsage {
  readonly #conversations: SilentConversations;
  readonly #reported = new Map<CallId, number>();

  constructor(conversations: SilentConversations) {
    this.#conversations = conversations;
  }

  /** The tokens that were reported for a call. */
  reportedOf(callId: CallId): number {
    return this.#reported.get(callId) ?? 0;
  }

  /** One of the calls uses tokens; one that has ended may report them too late. */
  report(pick: number, quantity: number): void {
    const running = this.#conversations.running();
    const speaker = running[pick % running.length];
    if (!speaker) return;
    this.#reported.set(speaker.callId, this.reportedOf(speaker.callId) + quantity);
    const entries: readonly UsageEntry[] = [{ ...TOKENS, quantity }];
    speaker.listener({ kind: 'usage', entries });
  }
}
