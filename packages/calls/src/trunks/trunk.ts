import type { TrunkName } from '@outdial/contracts';

export const TRUNK_TRANSPORTS = ['udp', 'tcp', 'tls'] as const;
export type TrunkTransport = (typeof TRUNK_TRANSPORTS)[number];

export const TRUNK_CODECS = ['PCMU', 'PCMA'] as const;
export type TrunkCodec = (typeof TRUNK_CODECS)[number];

/** `e164`: +12025550143. `digits`: 12025550143, for carriers that refuse the plus sign. */
export const NUMBER_FORMATS = ['e164', 'digits'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** How a trunk's health is found out beside its calls: by OPTIONS, or not at all, for carriers that never answer those. */
export const TRUNK_HEALTH_CHECKS = ['options', 'none'] as const;
export type TrunkHealthCheck = (typeof TRUNK_HEALTH_CHECKS)[number];

/**
 * Whose sound is taken for the callee's. `sdp_host`: that of the address in the SDP, from whichever port. `any`: that of
 * whichever address sends first, for carriers behind a media proxy that their SDP does not name; ours goes back there.
 */
export const TRUNK_MEDIA_SOURCES = ['sdp_host', 'any'] as const;
export type TrunkMediaSource = (typeof TRUNK_MEDIA_SOURCES)[number];

/** A carrier's agreement to take calls: where, how many, how fast, and as whom. */
export interface Trunk {
  readonly name: TrunkName;
  /** `sip:trunk.example` or `sip:192.0.2.1:5070`: no user, no parameters. */
  readonly uri: string;
  readonly transport: TrunkTransport;
  /** A SIP URI to which everything is sent instead. */
  readonly outboundProxy: string | null;
  readonly credentials: { readonly username: string; readonly password: string } | null;
  /** Calls that may be up at once. */
  readonly channels: number;
  readonly callsPerSecond: number;
  readonly callerId: {
    /** The caller numbers that the carrier accepts begin with one of these digits; none: it accepts every number. */
    readonly prefixes: readonly string[];
    /** The number is stated in P-Asserted-Identity too (RFC 3325). */
    readonly asserted: boolean;
  };
  /** Of both numbers, on the wire. */
  readonly numberFormat: NumberFormat;
  /** Those that are offered, the preferred one first. Never empty. */
  readonly codecs: readonly TrunkCodec[];
  /** The smallest comes first. */
  readonly priority: number;
  /** Among trunks of one priority, calls are shared in proportion to it. 0: only where all others have failed. */
  readonly weight: number;
  readonly enabled: boolean;
  readonly healthCheck: TrunkHealthCheck;
  readonly mediaSource: TrunkMediaSource;
}
