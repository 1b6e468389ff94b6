import { unreachable } from '@outdial/kernel';
import type { ConversationEvent } from '../ports/conversation.ts';
import type { ConversationNote } from '../ports/drive-store.ts';

type NotedEvent = Extract<
  ConversationEvent,
  { readonly kind: 'tool_called' | 'provider_failed' | 'provider_recovered' }
>;

/** The timeline's words for an event of a conversation. */
export function noteOf(event: NotedEvent): ConversationNote {
  switch (event.kind) {
    case 'tool_called':
      return {
        type: 'tool_called',
        data: {
          name: event.name,
          arguments: event.arguments,
          outcome: event.outcome,
          duration_ms: Math.round(event.durationMs),
          ...(event.result === null ? {} : { result: event.result }),
        },
      };
    case 'provider_failed':
      return { type: 'provider_failed', data: { component: event.component, failure: event.failure } };
    case 'provider_recovered':
      return {
        type: 'provider_recovered',
        data: { component: event.component, after_ms: Math.round(event.afterMs) },
      };
    default:
      return unreachable(event);
  }
}
