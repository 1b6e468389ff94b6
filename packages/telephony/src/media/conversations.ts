import type { Conversation, Conversations, Leg, RecordingStore, VoiceAgentFactory } from '@outdial/calls';
import { MediaConversation } from './conversation.ts';
import type { MediaClock } from './media-clock.ts';

export interface ConversationsOptions {
  readonly clock: MediaClock;
  readonly agents: VoiceAgentFactory;
  readonly recordings: RecordingStore;
  /** Told why an agent failed or a recording could not be begun; the call goes on or ends, `agent_error`. */
  readonly onError: (error: unknown) => void;
}

/** What a conversation needs to know: of the leg its sound alone. */
export type OpenConversation = Omit<Parameters<Conversations['open']>[0], 'leg'> & { readonly leg: Pick<Leg, 'media'> };

/** `Conversations` for whoever has a leg's sound without the leg. */
export interface MediaConversations {
  open(input: OpenConversation): Conversation;
}

/** Joins a leg, an agent and a recording for every call, all on one media clock. */
export function createConversations(options: ConversationsOptions): MediaConversations {
  return { open: (input) => new MediaConversation(options, input) };
}
