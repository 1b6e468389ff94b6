import type { TryId } from '@outdial/contracts';
import type { RedisClient } from './redis-client.ts';
import { createBoundedPublisher } from './bounded-publisher.ts';
import { createChannelFollowers } from './channel-followers.ts';
import { DEFAULT_QUEUE_PREFIX, trySoundChannel, trySoundPlace } from './keys.ts';
import {
  encodeTrySound,
  parseFromAgent,
  parseFromPerson,
  type FromAgent,
  type FromPerson,
} from './try-sound-messages.ts';

export interface TrySoundOptions {
  /** For sound alone: a late command of another kind would be late for sound. */
  readonly sender: RedisClient;
  /** From `connectForWaiting`, for sound alone. */
  readonly receiver: RedisClient;
  readonly prefix?: string;
}

/** One end of the sound of tries by microphone. It never waits: what Redis does not take in time is dropped. */
export interface TrySoundEnd<Out, In> {
  /** False: dropped. */
  send(tryId: TryId, message: Out): boolean;
  /** Receives what the other end sends from now on. Returns the function that ends it. */
  follow(tryId: TryId, onMessage: (message: In) => void): () => void;
}
export type PersonEnd = TrySoundEnd<FromPerson, FromAgent>;
export type AgentEnd = TrySoundEnd<FromAgent, FromPerson>;

/** Half a second of a try in messages of a frame, and a share of many tries. */
const BOUNDS = { mostOfChannel: 25, mostInAll: 400 };

/** In the API process that has the person's connection. */
export function createPersonEnd(options: TrySoundOptions): PersonEnd {
  return endOf(options, { to: 'agent', from: 'person', parse: parseFromAgent });
}

/** In the worker that runs the agent. */
export function createAgentEnd(options: TrySoundOptions): AgentEnd {
  return endOf(options, { to: 'person', from: 'agent', parse: parseFromPerson });
}

interface Direction<In> {
  readonly to: 'agent' | 'person';
  readonly from: 'agent' | 'person';
  readonly parse: (bytes: Uint8Array) => In | null;
}

function endOf<Out extends FromPerson | FromAgent, In>(
  { sender, receiver, prefix = DEFAULT_QUEUE_PREFIX }: TrySoundOptions,
  { to, from, parse }: Direction<In>,
): TrySoundEnd<Out, In> {
  const publisher = createBoundedPublisher({ redis: sender, ...BOUNDS });
  const followers = createChannelFollowers(receiver);
  return {
    send: (tryId, message) => publisher.publish(trySoundChannel(prefix, tryId, to), encodeTrySound(message)),
    follow: (tryId, onMessage) =>
      followers.follow(trySoundChannel(prefix, tryId, from), (bytes) => {
        const message = parse(bytes);
        if (message !== null) onMessage(message);
      }),
  };
}

/** How long a connection has the sound of its try after it was last renewed, whatever crashes. */
export const TRY_SOUND_LEASE_MS = 5_000;

/** Lets one connection have the sound of a try, whichever API process it comes to. */
export interface TrySoundPlaces {
  /** Takes the place, or renews its lease. */
  take(tryId: TryId, connection: string): Promise<'taken' | 'held'>;
  /** Frees the place, if the connection has it. Idempotent. */
  leave(tryId: TryId, connection: string): Promise<void>;
}

const TAKE = `
  local holder = redis.call('GET', KEYS[1])
  if holder and holder ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`;
const LEAVE = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

export function createTrySoundPlaces(options: {
  readonly redis: RedisClient;
  readonly prefix?: string;
}): TrySoundPlaces {
  const { redis, prefix = DEFAULT_QUEUE_PREFIX } = options;
  return {
    async take(tryId, connection) {
      const taken = await redis.eval(TAKE, 1, trySoundPlace(prefix, tryId), connection, TRY_SOUND_LEASE_MS);
      return taken === 1 ? 'taken' : 'held';
    },
    async leave(tryId, connection) {
      await redis.eval(LEAVE, 1, trySoundPlace(prefix, tryId), connection);
    },
  };
}
