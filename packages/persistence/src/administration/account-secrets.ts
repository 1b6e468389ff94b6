import type { AccountId, SecretName } from '@outdial/contracts';
import { sealSecret, openSecret, type SealedFor, type SecretKey } from '@outdial/secrets';
import { Prisma } from '../generated/client.ts';
import { AccountBoundReached, queryWithAccountLocked } from './account-bounds.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { accountNotFound } from './refusal.ts';

/** A secret as it is shown: nothing of its value. */
export interface SecretRecord {
  readonly name: SecretName;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface NewSecret {
  readonly name: SecretName;
  readonly value: string;
  /** Seals the value; the workers need the same. */
  readonly secretKey: SecretKey;
  readonly maxOfAccount?: number;
}

/** The secrets of one account, for the tools of its agents. */
export interface SecretAdministration {
  /** Creates the secret or replaces its value. @throws AccountBoundReached */
  set(input: NewSecret): Promise<SecretRecord>;
  /** By name. */
  list(): Promise<readonly SecretRecord[]>;
  /** False if the account has no such secret. */
  remove(name: SecretName): Promise<boolean>;
}

const SECRET_COLUMNS = Prisma.sql`
  s.name, epoch_ms(s.created_at) AS "createdAtMs", epoch_ms(s.updated_at) AS "updatedAtMs"`;

/** A value is bound to its account and its name: copied to another row, it does not open. */
function sealedFor(accountId: AccountId, name: SecretName): SealedFor {
  return { purpose: 'account secret', owner: `${accountId} ${name}` };
}

/** Undefined: sealed with another secret key, or for another row. */
export function openedSecret(
  { accountId, name }: { readonly accountId: AccountId; readonly name: SecretName },
  sealed: Uint8Array,
  secretKey: SecretKey,
): string | undefined {
  return openSecret(secretKey, sealed, sealedFor(accountId, name));
}

export function administerSecrets(
  { database, actor }: AdministrationContext,
  accountId: AccountId,
): SecretAdministration {
  const { side } = database;
  const audited = (verb: string, subjectId: SecretName) =>
    auditPart(actor, { action: `secret.${verb}`, subjectId, data: { account_id: accountId } });

  return {
    async set({ name, value, secretKey, maxOfAccount = null }) {
      const sealed = sealSecret(secretKey, value, sealedFor(accountId, name));
      const [record] = await queryWithAccountLocked<SecretRecord>(
        database,
        accountId,
        Prisma.sql`
          WITH changed AS (
            INSERT INTO account_secrets AS s (account_id, name, sealed)
            SELECT a.id, ${name}, ${sealed}::bytea FROM accounts a WHERE a.id = ${accountId}::uuid
              AND (${maxOfAccount}::int > (
                SELECT count(*) FROM account_secrets o WHERE o.account_id = a.id AND o.name <> ${name}
              )) IS NOT FALSE
            ON CONFLICT (account_id, name) DO UPDATE SET sealed = excluded.sealed, updated_at = clock_timestamp()
            RETURNING ${SECRET_COLUMNS}
          ), ${audited('set', name)} SELECT * FROM changed`,
      );
      if (record) return record;
      throw maxOfAccount === null
        ? accountNotFound(accountId)
        : new AccountBoundReached('account_secrets', maxOfAccount);
    },
    list: () => side.$queryRaw<SecretRecord[]>`
      SELECT ${SECRET_COLUMNS} FROM account_secrets s WHERE s.account_id = ${accountId}::uuid ORDER BY s.name`,
    async remove(name) {
      const [row] = await side.$queryRaw<{ count: number }[]>`
        WITH changed AS (
          DELETE FROM account_secrets WHERE account_id = ${accountId}::uuid AND name = ${name} RETURNING name
        ), ${audited('remove', name)} SELECT count(*)::int AS count FROM changed`;
      return row?.count === 1;
    },
  };
}
