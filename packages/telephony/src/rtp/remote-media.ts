import type { G711Law } from './g711.ts';

export interface Endpoint {
  /** An IPv4 address: names are resolved by the reader of the SDP. */
  readonly host: string;
  readonly port: number;
}

/**
 * Which packets a session accepts when they do not come from the address in the far end's SDP.
 * - `off`: none.
 * - `same_host`: packets from another port of the SDP's host, if the first packet comes from there.
 * - `any_host`: packets from the first address that sends, for a far end behind a NAT or a media proxy that its SDP does
 *   not name.
 */
export type SourceLearning = 'off' | 'same_host' | 'any_host';

/** From our side: `recvonly` while the far end holds the call with music, `inactive` without. */
export type MediaDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** The negotiated media, from the far end's SDP. */
export interface RemoteMedia {
  readonly rtp: Endpoint;
  /** The address in `a=rtcp` (RFC 3605); null for the port after RTP's. */
  readonly rtcp: Endpoint | null;
  /** The law that we send, under this payload type. We accept either law. */
  readonly law: G711Law;
  readonly payloadType: number;
  /**
   * For RFC 4733 events in both directions; null if the far end does not support them, and then digits are sent as
   * tones.
   */
  readonly eventPayloadType: number | null;
  readonly direction: MediaDirection;
  /** Overrides the session's source learning. */
  readonly learning?: SourceLearning;
}

export const sends = (direction: MediaDirection): boolean => direction === 'sendrecv' || direction === 'sendonly';
export const receives = (direction: MediaDirection): boolean => direction === 'sendrecv' || direction === 'recvonly';

/** Static payload types (RFC 3551 table 4). */
export const PAYLOAD_TYPES: Readonly<Record<G711Law, number>> = { PCMU: 0, PCMA: 8 };
/** Comfort noise (RFC 3389). */
export const COMFORT_NOISE_PAYLOAD_TYPE = 13;
/** What we offer for events; the far end may answer with another. */
export const OFFERED_EVENT_PAYLOAD_TYPE = 101;
