import { changedCallSchema, CHANGE_EVENTS, type ChangedCall } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { openEventStream, type EventStreamClient, type StreamMessage } from './event-stream-client.ts';

export type Change = { readonly kind: 'resync' } | { readonly kind: 'call'; readonly call: ChangedCall };

export interface ChangeClient extends Omit<EventStreamClient, 'messages' | 'until'> {
  /** What has come. Throws if a message is not as promised. */
  changes(): readonly Change[];
  /** Of those, the calls. */
  calls(): readonly ChangedCall[];
  /** Resolves once they are enough. */
  until(isEnough: (changes: readonly Change[]) => boolean): Promise<void>;
  /** What a browser would come back with. */
  lastEventId(): string | undefined;
}

export interface ChangeRequest {
  readonly accountId: string;
  /** Of somebody who has signed in. */
  readonly headers: Readonly<Record<string, string>>;
  readonly lastEventId?: string;
}

/** Asks for what changes among an account's calls. */
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
