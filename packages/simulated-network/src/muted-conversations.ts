import type { Conversation, ConversationEvent, Conversations } from '@outdial/calls';
import type { Clock, Timer } from '@outdial/kernel';
import { EventChannel } from '@outdial/telephony';

export interface MutedConversationsOptions {
  readonly clock: Clock;
  /** The agent hangs up (`agent_hangup`) this long after the answer; null leaves that to the callee. */
  readonly hangUpAfterMs: number | null;
}

/** Conversations without audio, agent or recording: for load tests of everything around them. */
export function createMutedConversations(options: MutedConversationsOptions): Conversations {
  return { open: () => new MutedConversation(options) };
}

class MutedConversation implements Conversation {
  readonly #options: MutedConversationsOptions;
  readonly #events = new EventChannel<ConversationEvent>();
  #timer: Timer | undefined;
  #finished = false;

  constructor(options: MutedConversationsOptions) {
    this.#options = options;
  }

  listen(listener: (event: ConversationEvent) => void): void {
    this.#events.listen(listener);
  }

  answered(): void {
    const { clock, hangUpAfterMs } = this.#options;
    if (hangUpAfterMs === null || this.#timer || this.#finished) return;
    this.#timer = clock.after(hangUpAfterMs, () => this.#events.emit({ kind: 'hang_up', reason: 'agent_hangup' }));
  }

  setOnHold(): void {}

  transferFailed(): void {}

  introduce(): void {}

  finish() {
    this.#finished = true;
    this.#timer?.cancel();
    return Promise.resolve({ transcript: null, summary: null, answeredBy: null, recordingKey: null });
  }
}
