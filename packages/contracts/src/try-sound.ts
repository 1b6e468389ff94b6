import { z } from 'zod';
import { TRY_END_REASONS } from './agent-tries.ts';

/** G.711 µ-law at 8 kHz, mono, 20 ms a frame: both ways of a try by microphone. A binary message has whole frames alone. */
export const TRY_SOUND = { sampleRate: 8_000, frameMs: 20, frameBytes: 160, mostFrames: 10 } as const;

/** What the service says beside the agent's sound, as a text message of JSON. */
export const trySoundEventSchema = z.discriminatedUnion('kind', [
  /** The agent hears. */
  z.strictObject({ kind: z.literal('started') }),
  /** The person broke in: what was not played yet is dropped. */
  z.strictObject({ kind: z.literal('clear') }),
  /** The last message. */
  z.strictObject({ kind: z.literal('ended'), reason: z.enum(TRY_END_REASONS) }),
]);
export type TrySoundEvent = z.output<typeof trySoundEventSchema>;

/** Whether the bytes are some whole frames, and no more than a message may have. */
export function isTrySound(ulaw: Uint8Array): boolean {
  const frames = ulaw.length / TRY_SOUND.frameBytes;
  return Number.isInteger(frames) && frames >= 1 && frames <= TRY_SOUND.mostFrames;
}

/** Why the service closed the connection. Those from 4000 on are the codes of RFC 6455 for applications. */
export const TRY_SOUND_CLOSE = {
  /** The try has ended; `ended` came before. */
  ended: 1000,
  /** The client sent text, or no whole frames. */
  not_sound: 1003,
  /** The session, the membership or the account has ended. */
  access_lost: 4001,
  /** A store is away. */
  unavailable: 4003,
  /** This process stops: connect again within five seconds. */
  stopping: 4004,
  /** Another connection has the sound of this try. */
  taken: 4409,
} as const;
export type TrySoundClose = keyof typeof TRY_SOUND_CLOSE;
