import { wrapConversation, type Conversation, type Conversations } from '@outdial/calls';
import { INSTRUCTION_LIMITS, type CallId, type InstructionOutcome } from '@outdial/contracts';

/** The live calls of this worker whose models members and programs may instruct. */
export interface InstructedCalls {
  /** The same conversations; each can be instructed while it lasts. */
  readonly conversations: Conversations;
  /** Null: the call is not this worker's, or over. */
  instruct(callId: CallId, text: string): Promise<InstructionOutcome> | null;
}

interface LiveCall {
  readonly conversation: Conversation;
  readonly isScripted: boolean;
  taken: number;
}

export function createInstructedCalls(conversations: Conversations): InstructedCalls {
  const live = new Map<CallId, LiveCall>();

  async function instruct(call: LiveCall, text: string): Promise<InstructionOutcome> {
    const { conversation, isScripted } = call;
    if (isScripted) return 'scripted';
    if (call.taken >= INSTRUCTION_LIMITS.ofCall) return 'too_many';
    call.taken += 1;
    const outcome = (await conversation.instruct?.(text)) ?? 'not_talking';
    if (outcome !== 'taken') call.taken -= 1;
    return outcome;
  }

  return {
    conversations: {
      open(input) {
        const { callId, settings } = input;
        const conversation = conversations.open(input);
        const call: LiveCall = { conversation, isScripted: settings.driver === 'scripted', taken: 0 };
        live.set(callId, call);
        return wrapConversation(conversation, {
          finish() {
            if (live.get(callId) === call) live.delete(callId);
            return conversation.finish();
          },
        });
      },
    },
    instruct(callId, text) {
      const call = live.get(callId);
      return call === undefined ? null : instruct(call, text);
    },
  };
}
