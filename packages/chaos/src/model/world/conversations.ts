import type { Conversation, ConversationEvent, Conversations } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Process } from './process.ts';

const EMPTY_RESULT = { transcript: null, summary: null, answeredBy: null, recordingKey: null };

/** The agent of one call, in the process that drives it. */
export interface Speaker {
  readonly callId: CallId;
  readonly process: Process;
  listener: (event: ConversationEvent) => void;
  isTalking: boolean;
  /** The agent has asked for a warm transfer, and waits for its result. */
  isTransferring: boolean;
  /** The destination has answered: the agent introduces the callee. */
  isIntroducing: boolean;
}

/** Conversations without a sound, in which something happens when the schedule says so. */
export class SilentConversations {
  readonly #speakers: Speaker[] = [];

  of(process: Process): Conversations {
    return {
      open: ({ callId }): Conversation => {
        const speaker: Speaker = {
          callId,
          process,
          listener: () => undefined,
          isTalking: false,
          isTransferring: false,
          isIntroducing: false,
        };
        this.#speakers.push(speaker);
        return {
          listen: (listener) => void (speaker.listener = listener),
          answered: () => void (speaker.isTalking = true),
          setOnHold: () => undefined,
          transferFailed: () => void Object.assign(speaker, { isTransferring: false, isIntroducing: false }),
          introduce: () => void (speaker.isIntroducing = true),
          finish() {
            speaker.isTalking = false;
            return Promise.resolve(EMPTY_RESULT);
          },
        };
      },
    };
  }

  /** Also those of calls that have ended, or have been taken over. */
  running(): readonly Speaker[] {
    return this.#speakers.filter(({ process }) => process.state === 'running');
  }
}
