import { systemClock, type Logger } from '@outdial/kernel';
import {
  createChangeReader,
  createListenerStore,
  createTimelineReader,
  createTurnReader,
  type Database,
} from '@outdial/persistence';
import { subscribeToChangeSignals, subscribeToTurnSignals, type RedisClient } from '@outdial/queue';
import type { SecretKey } from '@outdial/secrets';
import { handOut, type ListenerStore } from '@outdial/webhooks';
import { createChangeHub, type ChangeHub } from './change-hub.ts';
import { createListenerHub, type ListenerHub } from './listener-hub.ts';
import { createTimelineHub, type TimelineHub } from './timeline-hub.ts';
import { createTurnHub, type TurnHub } from './turn-hub.ts';

/** Everything that follows calls in this process. */
export interface Live {
  readonly timelines: TimelineHub;
  readonly changes: ChangeHub;
  readonly turns: TurnHub;
  readonly listeners: ListenerHub;
  /** Stores what listeners report, in groups: one for all requests. */
  readonly finishHeard: ListenerStore['finish'];
  stop(): Promise<void>;
}

export interface LiveOptions {
  readonly database: Database;
  /** Its own connection: a subscribed connection accepts no other commands. */
  readonly redis: RedisClient;
  readonly logger: Logger;
  /** Opens the secrets of listeners. Null: there are none. */
  readonly secretKey: SecretKey | null;
  /** Of this program. */
  readonly version: string;
}

/** Follows calls from now on. Redis hints at what to read; a change without a hint is found a second later. */
export function openLive({ database, redis, logger, secretKey, version }: LiveOptions): Live {
  const clock = systemClock;
  const timelines = createTimelineHub({
    clock,
    reader: createTimelineReader(database),
    onError: (error) =>
      logger.warn(
        { event: 'timelines.read_failed', err: error },
        'timelines could not be read: the next round retries',
      ),
  });
  const changes = createChangeHub({
    clock,
    reader: createChangeReader(database, { clock }),
    onError: (error) =>
      logger.warn({ event: 'changes.read_failed', err: error }, 'changes could not be read: the next round retries'),
  });
  const turns = createTurnHub({
    clock,
    reader: createTurnReader(database),
    onError: (error) =>
      logger.warn({ event: 'turns.read_failed', err: error }, 'turns could not be read: the next round retries'),
  });
  const listenerStore = createListenerStore(database);
  const listeners = createListenerHub({
    clock,
    handOut: async (listening) =>
      secretKey === null
        ? { messages: [], alive: new Set() }
        : handOut({ store: listenerStore, secretKey, version, clock, logger }, listening),
    onError: (error) =>
      logger.warn(
        { event: 'listeners.round_failed', err: error },
        'webhooks could not be handed to listeners: the next round retries',
      ),
  });
  subscribe({ redis, logger, timelines, changes, turns, listeners }).catch((error: unknown) =>
    logger.debug({ event: 'changes.subscription_ended', err: error }, 'the subscription to change hints ended'),
  );
  return {
    timelines,
    changes,
    turns,
    listeners,
    finishHeard: listenerStore.finish,
    async stop() {
      await Promise.all([timelines.stop(), changes.stop(), turns.stop(), listeners.stop()]);
    },
  };
}

/** Rejects only when the connection is closed for good. */
async function subscribe(
  input: Pick<LiveOptions, 'redis' | 'logger'> & Omit<Live, 'stop' | 'finishHeard'>,
): Promise<void> {
  const { redis, logger, timelines, changes, turns, listeners } = input;
  const toChanges = subscribeToChangeSignals({
    redis,
    logger,
    onAnnounced() {
      changes.hint();
      listeners.hint();
    },
    isWanted: (id) => timelines.follows(id),
    onChanged: (callId) => timelines.hint(callId),
  });
  const toTurns = subscribeToTurnSignals({
    redis,
    logger,
    isWanted: (id) => turns.follows(id),
    onTurns: (callId, said) => turns.said(callId, said),
  });
  await Promise.all([toChanges, toTurns]);
}
