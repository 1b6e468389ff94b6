import type { AccountId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

/** What an account may have so many of. */
export type BoundedThing = 'api_keys' | 'agents' | 'invitations';

/** The account has as many as it may. */
export class AccountBoundReached extends Error {
  readonly thing: BoundedThing;
  readonly max: number;

  constructor(thing: BoundedThing, max: number) {
    super(`the account has ${max} ${thing}, as many as it may`);
    this.name = 'AccountBoundReached';
    this.thing = thing;
    this.max = max;
  }
}

/**
 * Runs a statement that counts what the account has, and adds to it, while no other such statement runs for the account.
 * The lock is a statement of its own: one that had to wait for it within would still count what it saw when it began.
 * It keeps no call waiting: their rows refer to the account, which this lock allows.
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
