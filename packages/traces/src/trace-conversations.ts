import { wrapConversation, type ConversationEvent, type Conversations } from '@outdial/calls';
import type { OpenCall, OpenCalls } from './open-calls.ts';

/** Notes in the talk of a sampled call who answered and when the callee interrupted. Never what was said. */
export function traceConversations(conversations: Conversations, calls: OpenCalls): Conversations {
  return {
    open(input) {
      const conversation = conversations.open(input);
      const call = calls.get(input.callId);
      if (!call) return conversation;
      return wrapConversation(conversation, {
        listen: (listener) =>
          conversation.listen((event) => {
            note(call, event);
            listener(event);
          }),
      });
    },
  };
}

function note({ talk }: OpenCall, event: ConversationEvent): void {
  if (event.kind === 'answered_by') talk?.addEvent('answered_by', { 'outdial.answered_by': event.answeredBy });
  if (event.kind === 'turn' && event.turn.role === 'agent' && event.turn.interrupted) talk?.addEvent('barge_in');
}
