import type { AccountId, WebhookEndpointId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { HandedMessage, HandedOut, Listening } from '@outdial/webhooks';
import { createRounds } from './rounds.ts';

export interface ListenerHubOptions {
  readonly clock: Clock;
  /** One statement, for however many listeners, and bounded in what it hands out. */
  readonly handOut: (listening: readonly Listening[]) => Promise<HandedOut>;
  readonly onError: (error: unknown) => void;
}

/** A stream of a listener. */
export interface ListenerFollower {
  /** How many messages it takes now. */
  room(): number;
  take(messages: readonly HandedMessage[]): void;
  /** The listener has expired. */
  gone(): void;
}

/** Hands out what is due for listeners to the streams of this process. */
export interface ListenerHub {
  /**
   * Keeps the listener alive, and gives each message to one of its followers.
   * @returns a function that ends the subscription.
   */
  follow(listener: Pick<Listening, 'listenerId' | 'accountId'>, follower: ListenerFollower): () => void;
  /** Something may be due. */
  hint(): void;
  stop(): Promise<void>;
}

interface Followed {
  readonly listenerId: WebhookEndpointId;
  readonly accountId: AccountId;
  readonly followers: Set<ListenerFollower>;
}

const ROUND_MS = 1_000;
/** The pause between rounds that hints bring: however much happens, Postgres is asked ten times a second. */
const GAP_MS = 100;

/** All streams of a process together ask once per round: what a neighbor opens costs others no statement. */
export function createListenerHub({ clock, handOut, onError }: ListenerHubOptions): ListenerHub {
  const followed = new Map<WebhookEndpointId, Followed>();

  const rounds = createRounds<'anything'>({
    clock,
    everyMs: ROUND_MS,
    gapMs: GAP_MS,
    isWanted: () => followed.size > 0,
    onError,
    async read() {
      const asked = [...followed.values()];
      const { messages, alive } = await handOut(asked.map(toListening));
      for (const { listenerId, followers } of asked) {
        if (!alive.has(listenerId)) for (const follower of followers) follower.gone();
        const own = messages.filter((message) => message.listenerId === listenerId);
        if (own.length > 0) share(own, followers);
      }
      // A round is bounded: there may be more.
      if (messages.length > 0) rounds.hint('anything');
    },
  });

  return {
    follow({ listenerId, accountId }, follower) {
      const listener = followed.get(listenerId) ?? { listenerId, accountId, followers: new Set() };
      followed.set(listenerId, listener);
      listener.followers.add(follower);
      rounds.begin();
      rounds.hint('anything');
      return () => {
        listener.followers.delete(follower);
        if (listener.followers.size === 0 && followed.get(listenerId) === listener) followed.delete(listenerId);
      };
    },
    hint() {
      if (followed.size > 0) rounds.hint('anything');
    },
    stop: () => rounds.stop(),
  };
}

function toListening({ listenerId, accountId, followers }: Followed): Listening {
  return { listenerId, accountId, room: [...followers].reduce((sum, follower) => sum + follower.room(), 0) };
}

/** In order, each follower as many as it has room for. What no follower takes any more is handed out again. */
function share(messages: readonly HandedMessage[], followers: Iterable<ListenerFollower>): void {
  let start = 0;
  for (const follower of followers) {
    const part = messages.slice(start, start + follower.room());
    start += part.length;
    if (part.length > 0) follower.take(part);
  }
}
