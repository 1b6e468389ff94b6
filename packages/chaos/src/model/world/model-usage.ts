import type { Conversation, ConversationEvent, Conversations } from '@outdial/calls';
import type { CallId, UsageEntry } from '@outdial/contracts';
import type { Process } from './process.ts';

/** Each token costs one micro (`MODEL_RATES`). */
export const TOKENS = { component: 'llm', provider: 'openai', model: 'model', unit: 'output_text_token' } as const;

const EMPTY_RESULT = { transcript: null, summary: null, answeredBy: null, recordingKey: null };

interface Speaker {
  readonly callId: CallId;
  readonly process: Process;
  listener: (event: ConversationEvent) => void;
}

/** What the models of all calls have reported to a process that was running: outside everything that may crash. */
export class ModelUsage {
  readonly #reported = new Map<CallId, number>();
  readonly #speakers: Speaker[] = [];

  /** The tokens that were reported for a call. */
  reportedOf(callId: CallId): number {
    return this.#reported.get(callId) ?? 0;
  }

  /** Conversations without a sound, whose models report usage when the schedule says so. */
  conversationsOf(process: Process): Conversations {
    return {
      open: ({ callId }): Conversation => {
        const speaker: Speaker = { callId, process, listener: () => undefined };
        this.#speakers.push(speaker);
        return {
          listen: (listener) => void (speaker.listener = listener),
          answered: () => undefined,
          setOnHold: () => undefined,
          finish: () => Promise.resolve(EMPTY_RESULT),
        };
      },
    };
  }

  /** One of the calls uses tokens; one that has ended may report them too late. */
  report(pick: number, quantity: number): void {
    const running = this.#speakers.filter(({ process }) => process.state === 'running');
    const speaker = running[pick % running.length];
    if (!speaker) return;
    this.#reported.set(speaker.callId, this.reportedOf(speaker.callId) + quantity);
    const entries: readonly UsageEntry[] = [{ ...TOKENS, quantity }];
    speaker.listener({ kind: 'usage', entries });
  }
}
