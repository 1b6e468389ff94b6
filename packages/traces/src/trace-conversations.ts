import type { Conversation, ConversationEvent, Conversations } from '@outdial/calls';
import type { OpenCall, OpenCalls } from './open-calls.ts';

/** Notes in the talk of a sampled call who answered and when the callee interrupted. Never what was said. */
export function traceConversations(conversations: Conversations, calls: OpenCalls): Conversations {
  return {
    open(input) {
      const conversation = conversations.open(input);
      const call = calls.get(input.callId);
      return call ? noting(conversation, (event) => note(call, event)) : conversation;
    },
  };
}

function note({ talk }: OpenCall, event: ConversationEvent): void {
  if (event.kind === 'answered_by') talk?.addEvent('answered_by', { 'outdial.answered_by': event.answeredBy });
  if (event.kind === 'turn' && event.turn.role === 'agent' && event.turn.interrupted) talk?.addEvent('barge_in');
}

function noting(conversation: Conversation, onEvent: (event: ConversationEvent) => void): Conversation {
  return {
    listen: (listener) =>
      conversation.listen((event) => {
        onEvent(event);
        listener(event);
      }),
    answered: () => conversation.answered(),
    setOnHold: (isOnHold) => conversation.setOnHold(isOnHold),
    transferFailed: (failure) => conversation.transferFailed(failure),
    introduce: (second) => conversation.introduce(second),
    finish: () => conversation.finish(),
    ...(conversation.monitor && {
      monitor: (forMs, listener) => conversation.monitor?.(forMs, listener),
    }),
  };
}
