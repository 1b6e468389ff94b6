import type { Trunk, TrunkDirectory } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import { openSecret, type SecretKey } from '@outdial/secrets';
import type { Database } from '../database.ts';
import { createFreshCache } from '../directory/fresh-cache.ts';

export interface TrunkBookOptions {
  readonly clock: Clock;
  /** The one that the trunks' passwords were encrypted with. */
  readonly secretKey: SecretKey;
  /** Told of a trunk whose password does not open, once until another is set; it is left out until it opens. */
  readonly onError: (error: Error) => void;
}

interface TrunkRow extends Omit<Trunk, 'callerId' | 'credentials'> {
  readonly callerPrefixes: readonly string[];
  readonly assertsCaller: boolean;
  readonly username: string | null;
  readonly sealedPassword: Uint8Array | null;
}

const MAX_AGE_MS = 500;
/** A Postgres that is slow delays a change. It must not make calls fail that any known trunk could carry. */
const MAX_READ_MS = 4_000;

/** The trunks, in process: dialling asks for them at every call. */
export function createTrunkBook({ side }: Database, { clock, secretKey, onError }: TrunkBookOptions): TrunkDirectory {
  const cache = createFreshCache<readonly Trunk[]>({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxReadMs: MAX_READ_MS,
    maxEntries: 1,
  });
  /** The sealed passwords that were told of, by trunk: the trunks are read twice a second. */
  let toldOf: ReadonlyMap<string, string> = new Map();

  async function read(): Promise<readonly Trunk[]> {
    const rows = await side.$queryRaw<TrunkRow[]>`
      SELECT name, uri, transport, outbound_proxy AS "outboundProxy", username, sealed_password AS "sealedPassword",
        channels, calls_per_second AS "callsPerSecond", caller_prefixes AS "callerPrefixes",
        asserts_caller AS "assertsCaller", number_format AS "numberFormat", codecs, priority, weight, enabled,
        health_check AS "healthCheck", media_source AS "mediaSource"
      FROM trunks ORDER BY name`;
    const sealed = new Map<string, string>();
    const trunks = rows.flatMap((row) => {
      const trunk = toTrunk(row, secretKey);
      if (trunk === undefined) sealed.set(row.name, Buffer.from(row.sealedPassword ?? []).toString('base64'));
      return trunk ?? [];
    });
    for (const [name, password] of sealed) if (toldOf.get(name) !== password) onError(new Error(unopened(name)));
    toldOf = sealed;
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

function unopened(name: string): string {
  return `the password of trunk ${name} was encrypted with another secret key: start with that one, or set the password again`;
}
