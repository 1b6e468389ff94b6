import type { AccountId } from '@outdial/contracts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { accountNotFound } from './refusal.ts';

/** Digits after the plus sign: `1900` blocks every number that begins with +1 900. */
export interface BlockedDestinationInput {
  readonly accountId: AccountId;
  readonly prefix: string;
}

export interface BlockedDestinationAdministration {
  /** Repeating it changes nothing. */
  add(input: BlockedDestinationInput): Promise<void>;
  remove(input: BlockedDestinationInput): Promise<void>;
  list(accountId: AccountId): Promise<readonly string[]>;
}

export function administerBlockedDestinations(context: AdministrationContext): BlockedDestinationAdministration {
  const { side } = context.database;
  return {
    async add({ accountId, prefix }) {
      const entry = { action: 'destination.block', subjectId: accountId, data: { prefix } } as const;
      const [account] = await side.$queryRaw<{ id: AccountId }[]>`
        WITH changed AS (
          INSERT INTO blocked_destinations (account_id, prefix)
          SELECT a.id, ${prefix} FROM accounts a WHERE a.id = ${accountId}::uuid
          ON CONFLICT DO NOTHING RETURNING account_id
        ), ${auditPart(context.actor, entry)}
        SELECT id FROM accounts WHERE id = ${accountId}::uuid`;
      if (!account) throw accountNotFound(accountId);
    },
    async remove({ accountId, prefix }) {
      const entry = { action: 'destination.unblock', subjectId: accountId, data: { prefix } } as const;
      await side.$executeRaw`
        WITH changed AS (
          DELETE FROM blocked_destinations WHERE account_id = ${accountId}::uuid AND prefix = ${prefix}
          RETURNING account_id
        ), ${auditPart(context.actor, entry)}
        SELECT count(*) FROM changed`;
    },
    async list(accountId) {
      const rows = await side.$queryRaw<{ prefix: string }[]>`
        SELECT prefix FROM blocked_destinations WHERE account_id = ${accountId}::uuid ORDER BY prefix`;
      return rows.map(({ prefix }) => prefix);
    },
  };
}
