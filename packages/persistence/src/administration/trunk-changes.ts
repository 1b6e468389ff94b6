import type { Trunk, TrunkMediaSource, TrunkTransfers } from '@outdial/calls';
import type { TrunkName } from '@outdial/contracts';
import { sealSecret, type SecretKey } from '@outdial/secrets';

/** A trunk's settings, without its credentials and whether it is enabled. */
export type TrunkSettings = Omit<Trunk, 'name' | 'credentials' | 'enabled' | 'mediaSource' | 'transfers'> & {
  /** Default: `sdp_host`. */
  readonly mediaSource?: TrunkMediaSource;
  /** Default: `none`. */
  readonly transfers?: TrunkTransfers;
};

export interface NewTrunkCredentials {
  readonly username: string;
  readonly password: string;
  /** Encrypts the password; the workers need the same key. */
  readonly secretKey: SecretKey;
}

export type TrunkChanges = Partial<TrunkSettings> & { readonly credentials?: NewTrunkCredentials | null };

/** The columns of the credentials: the password is sealed, and bound to the trunk's name. */
export function columnsOf(name: TrunkName, credentials: NewTrunkCredentials | null) {
  if (credentials === null) return { username: null, sealedPassword: null };
  const { username, password, secretKey } = credentials;
  return { username, sealedPassword: sealSecret(secretKey, password, { purpose: 'trunk password', owner: name }) };
}

/** The requested change by column name; of the credentials only the username. */
export function auditedOf(changes: TrunkChanges): Readonly<Record<string, unknown>> {
  const { credentials, callerId, ...settings } = changes;
  return {
    uri: settings.uri,
    transport: settings.transport,
    outbound_proxy: settings.outboundProxy,
    channels: settings.channels,
    calls_per_second: settings.callsPerSecond,
    number_format: settings.numberFormat,
    codecs: settings.codecs,
    priority: settings.priority,
    weight: settings.weight,
    health_check: settings.healthCheck,
    media_source: settings.mediaSource,
    transfers: settings.transfers,
    caller_prefixes: callerId?.prefixes,
    asserts_caller: callerId?.asserted,
    ...(credentials === undefined ? {} : { username: credentials?.username ?? null }),
  };
}
