import type { Conversation } from './conversation.ts';

/** All methods, so that one which is added to `Conversation` cannot be forgotten. */
type Methods = { readonly [Method in keyof Required<Conversation>]: Conversation[Method] | undefined };

/** The same conversation with some methods replaced. An optional method that it lacks stays absent. */
export function wrapConversation(conversation: Conversation, changes: Partial<Conversation>): Conversation {
  const { monitor, instruct, ...always } = {
    listen: (listener) => conversation.listen(listener),
    answered: () => conversation.answered(),
    setOnHold: (isOnHold) => conversation.setOnHold(isOnHold),
    transferFailed: (failure) => conversation.transferFailed(failure),
    monitor: conversation.monitor && ((forMs, listener) => conversation.monitor?.(forMs, listener)),
    instruct: conversation.instruct && (async (text) => (await conversation.instruct?.(text)) ?? 'not_talking'),
    introduce: (second) => conversation.introduce(second),
    finish: () => conversation.finish(),
  } satisfies Methods;
  return { ...always, ...(monitor && { monitor }), ...(instruct && { instruct }), ...changes };
}
