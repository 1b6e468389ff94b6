import { systemClock, type Logger } from '@outdial/kernel';
import { createChangeReader, createTimelineReader, type Database } from '@outdial/persistence';
import { subscribeToChangeSignals } from '@outdial/queue';
import type { Redis } from 'ioredis';
import { createChangeHub, type ChangeHub } from './change-hub.ts';
import { createTimelineHub, type TimelineHub } from './timeline-hub.ts';

/** What follows calls in this process. */
export interface Live {
  readonly timelines: TimelineHub;
  readonly changes: ChangeHub;
  stop(): Promise<void>;
}

export interface LiveOptions {
  readonly database: Database;
  /** A connection of its own: a subscribed one takes no other commands. */
  readonly redis: Redis;
  readonly logger: Logger;
}

/** Follows calls from now on, told by Redis when to look: what it does not tell is found a second later. */
export function openLive({ database, redis, logger }: LiveOptions): Live {
  const clock = systemClock;
  const timelines = createTimelineHub({
    clock,
    reader: createTimelineReader(database),
    onError: (error) => logger.warn({ err: error }, 'timelines not read on'),
  });
  const changes = createChangeHub({
    clock,
    reader: createChangeReader(database, { clock }),
    onError: (error) => logger.warn({ err: error }, 'changes not read on'),
  });
  // Given up only when the connection is closed for good.
  subscribeToChangeSignals({
    redis,
    logger,
    onAnnounced: () => changes.hint(),
    isWanted: (id) => timelines.follows(id),
    onChanged: (callId) => timelines.hint(callId),
  }).catch((error: unknown) => logger.debug({ err: error }, 'not told of changes'));
  return {
    timelines,
    changes,
    async stop() {
      await Promise.all([timelines.stop(), changes.stop()]);
    },
  };
}
