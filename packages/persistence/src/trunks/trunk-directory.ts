import type { Trunk, TrunkDirectory } from '@outdial/calls';
import { createFreshCache, type Clock } from '@outdial/kernel';
import { openSecret, type SecretKey } from '@outdial/secrets';
import type { Database } from '../database.ts';

export interface TrunkDirectoryOptions {
  readonly clock: Clock;
  /** The key with which the trunks' passwords were sealed. */
  readonly secretKey: SecretKey;
  /** Called once per password that does not open; its trunk is left out until it has one that does. */
  readonly onError: (error: Error) => void;
}

interface TrunkRow extends Omit<Trunk, 'callerId' | 'credentials'> {
  readonly callerPrefixes: readonly string[];
  readonly assertsCaller: boolean;
  readonly username: string | null;
  readonly sealedPassword: Uint8Array | null;
}

const MAX_AGE_MS = 500;
/** Long, because a slow Postgres delays a change but must not fail calls that a known trunk could carry. */
const MAX_READ_MS = 4_000;

/** The trunks, in process: every dial needs them. */
export function createTrunkDirectory(
  { side }: Database,
  { clock, secretKey, onError }: TrunkDirectoryOptions,
): TrunkDirectory {
  const cache = createFreshCache<readonly Trunk[]>({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxReadMs: MAX_READ_MS,
    maxEntries: 1,
  });
  /** The sealed passwords that were reported, by trunk: the trunks are read twice a second. */
  let reported: ReadonlyMap<string, string> = new Map();

  async function read(): Promise<readonly Trunk[]> {
    const rows = await side.$queryRaw<TrunkRow[]>`
      SELECT name, uri, transport, outbound_proxy AS "outboundProxy", username, sealed_password AS "sealedPassword",
        channels, calls_per_second AS "callsPerSecond", caller_prefixes AS "callerPrefixes",
        asserts_caller AS "assertsCaller", number_format AS "numberFormat", codecs, priority, weight, enabled,
        health_check AS "healthCheck", media_source AS "mediaSource", transfers
      FROM trunks ORDER BY name`;
    const sealed = new Map<string, string>();
    const trunks = rows.flatMap((row) => {
      const trunk = toTrunk(row, secretKey);
      if (trunk === undefined) sealed.set(row.name, Buffer.from(row.sealedPassword ?? []).toString('base64'));
      return trunk ?? [];
    });
    for (const [name, password] of sealed)
      if (reported.get(name) !== password) onError(new Error(unreadablePassword(name)));
    reported = sealed;
    return trunks;
  }

  return { all: () => cache('', read) };
}

function toTrunk(row: TrunkRow, secretKey: SecretKey): Trunk | undefined {
  const { callerPrefixes, assertsCaller, username, sealedPassword, ...settings } = row;
  const callerId = { prefixes: callerPrefixes, asserted: assertsCaller };
  if (username === null || sealedPassword === null) return { ...settings, callerId, credentials: null };
  const password = openSecret(secretKey, sealedPassword, { purpose: 'trunk password', owner: row.name });
  return password === undefined ? undefined : { ...settings, callerId, credentials: { username, password } };
}

function unreadablePassword(name: string): string {
  return `the password of trunk ${name} was encrypted with another secret key: start with that key, or set the password again`;
}
