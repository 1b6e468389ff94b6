import type { G711Law } from './g711.ts';
import type { SourceLearning } from './source-filter.ts';

export interface Endpoint {
  /** An IPv4 address in digits: names are looked up by whoever reads the SDP. */
  readonly host: string;
  readonly port: number;
}

/** As it applies to us: `recvonly` while the far end holds the call with music, `inactive` without. */
export type MediaDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** What the two ends agreed on, as the far end's SDP tells it. */
export interface RemoteMedia {
  readonly rtp: Endpoint;
  /** Where `a=rtcp` (RFC 3605) says; null for the port after RTP's. */
  readonly rtcp: Endpoint | null;
  /** The law that we send in, under this payload type. Either law is understood. */
  readonly law: G711Law;
  readonly payloadType: number;
  /** For RFC 4733 events in both directions; null if the far end takes none: then digits are sent as tones. */
  readonly eventPayloadType: number | null;
  readonly direction: MediaDirection;
  /** Whose packets are taken; left out, the session's own rule holds. */
  readonly learning?: SourceLearning;
}

export const sends = (direction: MediaDirection): boolean => direction === 'sendrecv' || direction === 'sendonly';
export const receives = (direction: MediaDirection): boolean => direction === 'sendrecv' || direction === 'recvonly';

/** Payload types that mean the same to everybody (RFC 3551 table 4). */
export const PAYLOAD_TYPES: Readonly<Record<G711Law, number>> = { PCMU: 0, PCMA: 8 };
/** RFC 3389: says that nothing is said. */
export const COMFORT_NOISE_PAYLOAD_TYPE = 13;
/** What we offer for events; the far end may answer with another. */
export const OFFERED_EVENT_PAYLOAD_TYPE = 101;
