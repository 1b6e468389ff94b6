import type { AccountId, Role } from '@outdial/contracts';
import { auditPart, type Database } from '@outdial/persistence';
import type { UserId } from './session.ts';

/** A user's membership of one account. */
export interface Member {
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAtMs: number;
}

export interface MemberChange {
  readonly accountId: AccountId;
  readonly userId: UserId;
  /** Who made the change, for the audit. */
  readonly actor: string;
}

export type MemberOutcome = { readonly kind: 'changed' | 'member_not_found' | 'last_owner' };

export interface Members {
  /** In the order in which they joined. */
  list(accountId: AccountId): Promise<readonly Member[]>;
  find(accountId: AccountId, userId: UserId): Promise<Member | null>;
  /** Rejects a change that would leave the account without an owner, also under concurrency. */
  setRole(change: MemberChange & { readonly role: Role }): Promise<MemberOutcome>;
  remove(change: MemberChange): Promise<MemberOutcome>;
}

export function createMembers({ side }: Database): Members {
  async function find(accountId: AccountId, userId: UserId): Promise<Member | null> {
    const [member] = await side.$queryRaw<Member[]>`
      SELECT u.id AS "userId", u.name, u.email, m.role, epoch_ms(m.created_at) AS "joinedAtMs"
      FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.account_id = ${accountId}::uuid AND m.user_id = ${userId}::uuid`;
    return member ?? null;
  }

  async function outcomeOf({ accountId, userId }: MemberChange, changed: number): Promise<MemberOutcome> {
    if (changed > 0) return { kind: 'changed' };
    return { kind: (await find(accountId, userId)) === null ? 'member_not_found' : 'last_owner' };
  }

  return {
    find,
    list: (accountId) => side.$queryRaw<Member[]>`
      SELECT u.id AS "userId", u.name, u.email, m.role, epoch_ms(m.created_at) AS "joinedAtMs"
      FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.account_id = ${accountId}::uuid ORDER BY m.created_at, u.id`,
    async setRole(change) {
      const { accountId, userId, role, actor } = change;
      const data = { account_id: accountId, role };
      // Locks the owners before counting: when two owners step down at once, the second sees the first one's change.
      const [counted] = await side.$queryRaw<{ readonly changed: number }[]>`
        WITH owners AS (
          SELECT user_id FROM memberships WHERE account_id = ${accountId}::uuid AND role = 'owner'
          ORDER BY user_id FOR UPDATE
        ), changed AS (
          UPDATE memberships SET role = ${role}::member_role
          WHERE account_id = ${accountId}::uuid AND user_id = ${userId}::uuid
            AND (${role} = 'owner' OR EXISTS (SELECT FROM owners o WHERE o.user_id <> ${userId}::uuid))
          RETURNING user_id
        ), ${auditPart(actor, { action: 'member.set_role', subjectId: userId, data })}
        SELECT count(*)::int AS changed FROM changed`;
      return outcomeOf(change, counted?.changed ?? 0);
    },
    async remove(change) {
      const { accountId, userId, actor } = change;
      const [counted] = await side.$queryRaw<{ readonly changed: number }[]>`
        WITH owners AS (
          SELECT user_id FROM memberships WHERE account_id = ${accountId}::uuid AND role = 'owner'
          ORDER BY user_id FOR UPDATE
        ), changed AS (
          DELETE FROM memberships
          WHERE account_id = ${accountId}::uuid AND user_id = ${userId}::uuid
            AND (EXISTS (SELECT FROM owners o WHERE o.user_id <> ${userId}::uuid)
                 OR role <> 'owner' AND NOT EXISTS (SELECT FROM owners))
          RETURNING user_id
        ), ${auditPart(actor, { action: 'member.remove', subjectId: userId, data: { account_id: accountId } })}
        SELECT count(*)::int AS changed FROM changed`;
      return outcomeOf(change, counted?.changed ?? 0);
    },
  };
}
