import type { TrunkName } from '@outdial/contracts';

export const TRUNK_TRANSPORTS = ['udp', 'tcp', 'tls'] as const;
export type TrunkTransport = (typeof TRUNK_TRANSPORTS)[number];

export const TRUNK_CODECS = ['PCMU', 'PCMA'] as const;
export type TrunkCodec = (typeof TRUNK_CODECS)[number];

/** `e164`: +12025550143. `digits`: 12025550143, for carriers that reject the plus sign. */
export const NUMBER_FORMATS = ['e164', 'digits'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** How a trunk's health is checked beside its calls: by OPTIONS, or not at all for carriers that never answer those. */
export const TRUNK_HEALTH_CHECKS = ['options', 'none'] as const;
export type TrunkHealthCheck = (typeof TRUNK_HEALTH_CHECKS)[number];

/**
 * Whose audio is taken for the callee's. `sdp_host`: audio from the address in the SDP, from any port. `any`: audio from
 * the address that sends first, for carriers behind a media proxy that their SDP does not name; ours is sent back there.
 */
export const TRUNK_MEDIA_SOURCES = ['sdp_host', 'any'] as const;
export type TrunkMediaSource = (typeof TRUNK_MEDIA_SOURCES)[number];

/**
 * Whom an agent may transfer a callee to over the trunk. The carrier makes and bills the new call: `none` until it was agreed
 * on with the carrier. `numbers`: telephone numbers that the account may call. `any`: SIP URIs too, which no rate limits.
 */
export const TRUNK_TRANSFERS = ['none', 'numbers', 'any'] as const;
export type TrunkTransfers = (typeof TRUNK_TRANSFERS)[number];

/** An agreement with a carrier to take calls: where, how many, how fast, and under which identity. */
export interface Trunk {
  readonly name: TrunkName;
  /** `sip:trunk.example` or `sip:192.0.2.1:5070`: no user, no parameters. */
  readonly uri: string;
  readonly transport: TrunkTransport;
  /** A SIP URI to which every request is sent instead. */
  readonly outboundProxy: string | null;
  readonly credentials: { readonly username: string; readonly password: string } | null;
  /** How many calls may be up at once. */
  readonly channels: number;
  readonly callsPerSecond: number;
  readonly callerId: {
    /** The carrier accepts only caller numbers that start with one of these digits. Empty: it accepts every number. */
    readonly prefixes: readonly string[];
    /** The number is also sent in P-Asserted-Identity (RFC 3325). */
    readonly asserted: boolean;
  };
  /** The format of both numbers on the wire. */
  readonly numberFormat: NumberFormat;
  /** The offered codecs, preferred one first. Never empty. */
  readonly codecs: readonly TrunkCodec[];
  /** The smallest is tried first. */
  readonly priority: number;
  /** Trunks of one priority share calls in proportion to their weights. 0: used only after all others have failed. */
  readonly weight: number;
  readonly enabled: boolean;
  readonly healthCheck: TrunkHealthCheck;
  readonly mediaSource: TrunkMediaSource;
  readonly transfers: TrunkTransfers;
}
