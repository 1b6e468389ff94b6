/** G.711 µ-law at 8 kHz, 20 ms a frame, both sides of a call interleaved: the callee's sample, then the agent's. */
export const LIVE_SOUND = { sampleRate: 8_000, frameMs: 20, channels: 2 } as const;

const FRAME_BYTES = (LIVE_SOUND.sampleRate * LIVE_SOUND.frameMs * LIVE_SOUND.channels) / 1_000;
/** A second. */
const MOST_FRAMES = 50;
const HEAD_BYTES = 5;
const KIND_SOUND = 1;
const KIND_OVER = 2;

/**
 * What a monitor of a live call receives, as one binary message. A gap between two messages is sound that was dropped: it
 * shows in `firstFrame`, which counts the frames of the call from the answer on.
 */
export type LiveSound =
  | { readonly kind: 'sound'; readonly firstFrame: number; readonly ulaw: Uint8Array }
  /** No more follows. */
  | { readonly kind: 'over' };

/** Room for the head of a message of so many samples of sound, which follow it. */
export function newSoundMessage(firstFrame: number, samples: number): { message: Uint8Array; bodyAt: number } {
  const message = new Uint8Array(HEAD_BYTES + samples);
  message[0] = KIND_SOUND;
  new DataView(message.buffer).setUint32(1, firstFrame);
  return { message, bodyAt: HEAD_BYTES };
}

export function overMessage(): Uint8Array {
  return Uint8Array.of(KIND_OVER);
}

/** Null for bytes of any other form. */
export function parseLiveSound(message: Uint8Array): LiveSound | null {
  const [kind] = message;
  if (kind === KIND_OVER) return message.length === 1 ? { kind: 'over' } : null;
  const bytes = message.length - HEAD_BYTES;
  if (kind !== KIND_SOUND || bytes <= 0 || bytes % FRAME_BYTES !== 0 || bytes > MOST_FRAMES * FRAME_BYTES) return null;
  const head = new DataView(message.buffer, message.byteOffset, HEAD_BYTES);
  return { kind: 'sound', firstFrame: head.getUint32(1), ulaw: message.subarray(HEAD_BYTES) };
}

/** Why the service closed the connection of a monitor: the codes of RFC 6455 for applications. */
export const MONITOR_CLOSE = {
  /** The call has ended, or had ended before. */
  call_ended: 4000,
  /** The session, the membership or the account has ended. */
  access_lost: 4001,
  /** The account has as many monitors as it may have. */
  too_many: 4002,
  /** A store is away: the lease cannot be renewed. */
  unavailable: 4003,
  /** This process stops: connect again. */
  stopping: 4004,
  /** The client sent something: a monitor only listens. */
  not_allowed: 4005,
} as const;
export type MonitorClose = keyof typeof MONITOR_CLOSE;
/** How many members of an account may listen to live calls at once. */
export const MOST_MONITORS = 5;
