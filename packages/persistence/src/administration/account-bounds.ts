import type { AccountId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

/** Resources with a maximum per account. */
export type BoundedThing =
  | 'api_keys'
  | 'agents'
  | 'invitations'
  | 'provider_credentials'
  | 'account_secrets'
  | 'webhook_endpoints'
  | 'webhook_listeners';

/** The account already has the maximum. */
export class AccountBoundReached extends Error {
  readonly thing: BoundedThing;
  readonly max: number;

  constructor(thing: BoundedThing, max: number) {
    super(`the account has reached its maximum of ${max} ${thing}`);
    this.name = 'AccountBoundReached';
    this.thing = thing;
    this.max = max;
  }
}

/**
 * Runs a statement that counts what the account has and adds to it, with such statements serialized per account.
 * The lock is a separate statement: a statement that waited for the lock would still count what its snapshot shows.
 * It does not delay calls: their rows reference the account, which this lock mode allows.
 */
export async function queryWithAccountLocked<Row>(
  { side }: Database,
  accountId: AccountId,
  statement: Prisma.Sql,
): Promise<readonly Row[]> {
  const [, rows] = await side.$transaction([
    side.$queryRaw(Prisma.sql`SELECT id FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`),
    side.$queryRaw<Row[]>(statement),
  ]);
  return rows;
}
