import type { Conversation } from '@outdial/calls';
import { MediaConversation, type ConversationsOptions, type OpenConversation } from './conversation.ts';

/** `Conversations` for whoever has a leg's sound without the leg. */
export interface MediaConversations {
  open(input: OpenConversation): Conversation;
}

/** Joins a leg, an agent and a recording for every call, all on one media clock. */
export function createConversations(options: ConversationsOptions): MediaConversations {
  return { open: (input) => new MediaConversation(options, input) };
}
