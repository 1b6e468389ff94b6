/** The direction of the media, from the side that states it (RFC 8866 section 6.7). */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export type AudioCodec = 'PCMU' | 'PCMA';

/** One media section of a session description (RFC 8866), reduced to what a telephone call needs. */
export interface MediaSection {
  /** `audio`, or another media type. */
  readonly type: string;
  readonly port: number;
  readonly profile: string;
  /** Payload types as written, in order of preference. */
  readonly formats: readonly string[];
  /** `name/rate` in lower case by payload type, static ones included. */
  readonly encodings: ReadonlyMap<string, string>;
  /** The section's own address, else the session's; null where there is none. */
  readonly address: string | null;
  readonly direction: Direction;
  readonly ptimeMs: number | null;
}

export interface SessionDescription {
  readonly media: readonly MediaSection[];
}

/** Payload types that need no rtpmap (RFC 3551 section 6). */
export const STATIC_ENCODINGS: ReadonlyMap<string, string> = new Map([
  ['0', 'pcmu/8000'],
  ['8', 'pcma/8000'],
]);
