import { MediaConversation, type ConversationsOptions, type OpenConversation } from './conversation.ts';

/** `Conversations` for a caller that has a leg's media without the leg. */
export interface MediaConversations {
  open(input: OpenConversation): MediaConversation;
}

/** Connects a leg, an agent and a recording for every call, all on one media clock. */
export function createConversations(options: ConversationsOptions): MediaConversations {
  return { open: (input) => new MediaConversation(options, input) };
}
