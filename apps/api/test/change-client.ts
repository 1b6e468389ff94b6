import { changedCallSchema, CHANGE_EVENTS, type ChangedCall } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { openEventStream, type EventStreamClient, type StreamMessage } from './event-stream-client.ts';

export type Change = { readonly kind: 'resync' } | { readonly kind: 'call'; readonly call: ChangedCall };

export interface ChangeClient extends Omit<EventStreamClient, 'messages' | 'until'> {
  /** The messages so far. Throws if a message breaks the contract. */
  changes(): readonly Change[];
  /** The calls among them. */
  calls(): readonly ChangedCall[];
  /** Resolves once they satisfy the predicate. */
  until(isEnough: (changes: readonly Change[]) => boolean): Promise<void>;
  /** The Last-Event-ID with which a browser would reconnect. */
  lastEventId(): string | undefined;
}

export interface ChangeRequest {
  readonly accountId: string;
  /** The headers of a signed-in user. */
  readonly headers: Readonly<Record<string, string>>;
  readonly lastEventId?: string;
}

/** Subscribes to the changes of an account's calls. */
export async function openChanges(url: string, { accountId, ...rest }: ChangeRequest): Promise<ChangeClient> {
  const path = `/api/dashboard/accounts/${accountId}/changes`;
  const { messages, until, ...stream } = await openEventStream(url, { path, ...rest });
  const parsed: Change[] = [];
  const changes = () => {
    for (const message of messages().slice(parsed.length)) parsed.push(toChange(message));
    return [...parsed];
  };
  return {
    ...stream,
    changes,
    calls: () => changes().flatMap((change) => (change.kind === 'call' ? [change.call] : [])),
    until: async (isEnough) => void (await until(() => isEnough(changes()))),
    lastEventId: () => messages().findLast(({ id }) => id !== undefined)?.id,
  };
}

function toChange({ type, data }: StreamMessage): Change {
  const kind = CHANGE_EVENTS.find((each) => each === type);
  invariant(kind !== undefined, 'the message is one of those that are promised');
  return kind === 'resync' ? { kind } : { kind, call: changedCallSchema.parse(JSON.parse(data)) };
}
