import type { AccountId, Provider } from '@outdial/contracts';
import type { Database } from '../database.ts';

/** A credential that the settings of an agent may name. */
export interface NamedCredential {
  readonly provider: Provider;
  readonly name: string;
}

/** The credentials that an account's agents may use: its own and the operator's. */
export function findCredentialNames({ side }: Database, accountId: AccountId): Promise<readonly NamedCredential[]> {
  return side.$queryRaw<NamedCredential[]>`
    SELECT c.provider, c.name FROM provider_credentials c
    WHERE c.account_id = ${accountId}::uuid OR c.account_id IS NULL`;
}

/** The secrets that the tools of an account's agents may send. */
export async function findSecretNames({ side }: Database, accountId: AccountId): Promise<readonly string[]> {
  const rows = await side.accountSecret.findMany({ where: { accountId }, select: { name: true } });
  return rows.map(({ name }) => name);
}
