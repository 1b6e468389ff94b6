import { randomUUID } from 'node:crypto';
import {
  credentialIdSchema,
  type AccountId,
  type CheckResult,
  type CredentialId,
  type Provider,
} from '@outdial/contracts';
import type { SecretKey } from '@outdial/secrets';
import { Prisma } from '../generated/client.ts';
import { constraintOf } from '../sql-state.ts';
import { AccountBoundReached, queryWithAccountLocked } from './account-bounds.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { CREDENTIAL_COLUMNS, openedKey, ownedBy, storedKey, type CredentialRecord } from './credential-record.ts';
import { accountNotFound, refusal } from './refusal.ts';

/** Null: the default of the provider. Undefined: stays as it is, or is not set yet. */
export interface CredentialLimits {
  readonly maxConcurrentCalls?: number | null | undefined;
  readonly startsPerSecond?: number | null | undefined;
  readonly maxGenerations?: number | null | undefined;
}

export interface NewCredential extends CredentialLimits {
  readonly provider: Provider;
  readonly name: string;
  readonly apiKey: string;
  readonly baseUrl: string | null;
  readonly region: string | null;
  readonly limitsGroup?: string | undefined;
  /** Seals the key; the workers need the same. */
  readonly secretKey: SecretKey;
  readonly maxOfAccount?: number;
}

/** The last credential of the previous page. */
export interface CredentialCursor {
  readonly createdAtMs: number;
  readonly id: CredentialId;
}

export interface CredentialPage {
  readonly credentials: readonly CredentialRecord[];
  readonly hasMore: boolean;
}

/** A credential with the key that it had when it was read: another one may be set while a check is under way. */
export type OpenedKey =
  | { readonly kind: 'opened'; readonly credential: CredentialRecord; readonly apiKey: string }
  /** Sealed with another secret key. */
  | { readonly kind: 'unreadable' };

/** The credentials of one owner: an account, or the operator. Those of others are unknown here. */
export interface CredentialAdministration {
  /** @throws Refusal `credential_exists` @throws AccountBoundReached */
  create(input: NewCredential): Promise<CredentialRecord>;
  /** Oldest first. */
  list(page?: { readonly after: CredentialCursor | null; readonly limit: number }): Promise<CredentialPage>;
  /** Calls that ask for a line from now on follow the new limits; open calls go on. Null as for `rotate`. */
  setLimits(id: CredentialId, limits: CredentialLimits): Promise<CredentialRecord | null>;
  /** Sets another key. Null if the owner has no such credential; so do the others. */
  rotate(
    id: CredentialId,
    key: { readonly apiKey: string; readonly secretKey: SecretKey },
  ): Promise<CredentialRecord | null>;
  /** Deletes the row with its sealed key. Open calls go on. */
  remove(id: CredentialId): Promise<CredentialRecord | null>;
  open(id: CredentialId, secretKey: SecretKey): Promise<OpenedKey | null>;
  /**
   * Null: the key was rotated since it was opened, and nothing is stored. A rejected key holds calls back until it is rotated,
   * or until a check finds it accepted: that a provider is unreachable changes nothing about it.
   */
  recordCheck(checked: CredentialRecord, result: CheckResult): Promise<CredentialRecord | null>;
}

export function administerCredentials(
  context: AdministrationContext,
  owner: AccountId | null,
): CredentialAdministration {
  const { database, actor } = context;
  const { side } = database;
  const ofOwner = (id: CredentialId) => Prisma.sql`c.id = ${id}::uuid AND ${ownedBy(owner)}`;
  const audited = (verb: string, subjectId: CredentialId, data = {}) =>
    auditPart(actor, { action: `credential.${verb}`, subjectId, data: { account_id: owner ?? undefined, ...data } });

  return {
    create: (input) => create(context, owner, input),
    async list({ after, limit } = { after: null, limit: ALL }) {
      const isLater =
        after === null
          ? Prisma.empty
          : Prisma.sql`AND (epoch_ms(c.created_at), c.id) > (${after.createdAtMs}::float8, ${after.id}::uuid)`;
      const rows = await side.$queryRaw<CredentialRecord[]>`
        SELECT ${CREDENTIAL_COLUMNS} FROM provider_credentials c WHERE ${ownedBy(owner)} ${isLater}
        ORDER BY c.created_at, c.id LIMIT ${limit + 1}::int`;
      return { credentials: rows.slice(0, limit), hasMore: rows.length > limit };
    },
    async setLimits(id, { maxConcurrentCalls, startsPerSecond, maxGenerations }) {
      const data = {
        max_concurrent_calls: maxConcurrentCalls,
        starts_per_second: startsPerSecond,
        max_generations: maxGenerations,
      };
      const [record] = await side.$queryRaw<CredentialRecord[]>`
        WITH changed AS (
          UPDATE provider_credentials c SET
            max_concurrent_calls = ${limitOf(maxConcurrentCalls, Prisma.sql`c.max_concurrent_calls`)},
            starts_per_second = ${limitOf(startsPerSecond, Prisma.sql`c.starts_per_second`)},
            max_generations = ${limitOf(maxGenerations, Prisma.sql`c.max_generations`)}
          WHERE ${ofOwner(id)} RETURNING ${CREDENTIAL_COLUMNS}
        ), ${audited('update', id, data)} SELECT * FROM changed`;
      return record ?? null;
    },
    async rotate(id, { apiKey, secretKey }) {
      const { sealed, shownSuffix } = storedKey({ id, accountId: owner }, apiKey, secretKey);
      const [record] = await side.$queryRaw<CredentialRecord[]>`
        WITH changed AS (
          UPDATE provider_credentials c SET sealed = ${sealed}, shown_suffix = ${shownSuffix},
            rotated_at = greatest(clock_timestamp(), c.rotated_at + interval '1 millisecond'),
            checked_at = NULL, check_result = NULL
          WHERE ${ofOwner(id)} RETURNING ${CREDENTIAL_COLUMNS}
        ), ${audited('rotate', id)} SELECT * FROM changed`;
      return record ?? null;
    },
    async remove(id) {
      const [record] = await side.$queryRaw<CredentialRecord[]>`
        WITH changed AS (
          DELETE FROM provider_credentials c WHERE ${ofOwner(id)} RETURNING ${CREDENTIAL_COLUMNS}
        ), ${audited('remove', id)} SELECT * FROM changed`;
      return record ?? null;
    },
    async open(id, secretKey) {
      const [row] = await side.$queryRaw<(CredentialRecord & { readonly sealed: Uint8Array })[]>`
        SELECT ${CREDENTIAL_COLUMNS}, c.sealed FROM provider_credentials c WHERE ${ofOwner(id)}`;
      if (!row) return null;
      const { sealed, ...credential } = row;
      const apiKey = openedKey(credential, sealed, secretKey);
      return apiKey === undefined ? { kind: 'unreadable' } : { kind: 'opened', credential, apiKey };
    },
    async recordCheck({ id, rotatedAtMs }, result) {
      const isNews = Prisma.sql`(${result !== 'unreachable'}::boolean OR c.check_result IS DISTINCT FROM 'rejected')`;
      const [record] = await side.$queryRaw<CredentialRecord[]>`
        UPDATE provider_credentials c SET
          checked_at = CASE WHEN ${isNews} THEN clock_timestamp() ELSE c.checked_at END,
          check_result = CASE WHEN ${isNews} THEN ${result} ELSE c.check_result END
        WHERE ${ofOwner(id)} AND c.rotated_at = from_epoch_ms(${rotatedAtMs}::bigint)
        RETURNING ${CREDENTIAL_COLUMNS}`;
      return record ?? null;
    },
  };
}

function limitOf(given: number | null | undefined, present: Prisma.Sql): Prisma.Sql {
  return given === undefined ? present : Prisma.sql`${given}::int`;
}

/** More than an owner can have. */
const ALL = 1_000_000;

async function create(
  { database, actor }: AdministrationContext,
  owner: AccountId | null,
  input: NewCredential,
): Promise<CredentialRecord> {
  const { provider, name, baseUrl, region, limitsGroup, maxOfAccount } = input;
  const { maxConcurrentCalls, startsPerSecond, maxGenerations } = input;
  const id = credentialIdSchema.parse(randomUUID());
  const { sealed, shownSuffix } = storedKey({ id, accountId: owner }, input.apiKey, input.secretKey);
  const data = {
    account_id: owner ?? undefined,
    provider,
    name,
    base_url: baseUrl ?? undefined,
    region: region ?? undefined,
    limits_group: limitsGroup,
    max_concurrent_calls: maxConcurrentCalls ?? undefined,
    starts_per_second: startsPerSecond ?? undefined,
    max_generations: maxGenerations ?? undefined,
  };
  const statement = Prisma.sql`
    WITH changed AS (
      INSERT INTO provider_credentials AS c (id, account_id, provider, name, sealed, base_url, region, shown_suffix,
        limits_group, max_concurrent_calls, starts_per_second, max_generations)
      SELECT ${id}::uuid, ${owner}::uuid, ${provider}, ${name}, ${sealed}::bytea, ${baseUrl}::text, ${region}::text,
        ${shownSuffix}, ${limitsGroup ?? null}::text, ${maxConcurrentCalls ?? null}::int, ${startsPerSecond ?? null}::int,
        ${maxGenerations ?? null}::int
      WHERE ${hasRoom(owner, maxOfAccount)}
      RETURNING ${CREDENTIAL_COLUMNS}
    ), ${auditPart(actor, { action: 'credential.create', subjectId: id, data })}
    SELECT * FROM changed`;
  try {
    const [record] =
      owner === null
        ? await database.side.$queryRaw<CredentialRecord[]>(statement)
        : await queryWithAccountLocked<CredentialRecord>(database, owner, statement);
    if (record) return record;
  } catch (error) {
    if (!NAME_KEYS.has(constraintOf(error) ?? '')) throw error;
    const advice = `A credential named ${name} already exists. Rotate it, or choose another name.`;
    throw refusal('credential_exists', 'name', advice, error);
  }
  throw maxOfAccount === undefined
    ? accountNotFound(owner ?? '')
    : new AccountBoundReached('provider_credentials', maxOfAccount);
}

const NAME_KEYS: ReadonlySet<string> = new Set([
  'provider_credentials_account_name_key',
  'provider_credentials_operator_name_key',
]);

function hasRoom(owner: AccountId | null, maxOfAccount: number | undefined): Prisma.Sql {
  if (owner === null) return Prisma.sql`true`;
  const exists = Prisma.sql`EXISTS (SELECT FROM accounts a WHERE a.id = ${owner}::uuid)`;
  if (maxOfAccount === undefined) return exists;
  return Prisma.sql`${exists} AND ${maxOfAccount}::int > (
    SELECT count(*) FROM provider_credentials o WHERE o.account_id = ${owner}::uuid)`;
}
