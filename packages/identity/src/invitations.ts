import { randomUUID } from 'node:crypto';
import type { AccountId, Role } from '@outdial/contracts';
import { AccountBoundReached, auditPart, Prisma, queryWithAccountLocked, type Database } from '@outdial/persistence';
import { joinAudit } from './join-audit.ts';
import type { Outbox } from './mail/outbox.ts';
import type { UserId } from './session.ts';
import { newToken, tokenDigest } from './token.ts';

/** An offer to join an account. */
export interface InvitationRecord {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface NewInvitation {
  readonly accountId: AccountId;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: UserId;
  /** As the e-mail names the account and the sender. */
  readonly accountName: string;
  readonly inviterName: string;
  readonly inviterEmail: string;
  /** The most open invitations that the account may have. */
  readonly maxOpen: number;
}

export interface Invitations {
  /** Valid invitations, oldest first. */
  list(accountId: AccountId): Promise<readonly InvitationRecord[]>;
  /**
   * Writes the e-mail too. Replaces an open invitation for the same address, whose link then stops working.
   * @throws AccountBoundReached
   */
  create(input: NewInvitation): Promise<{ readonly invitation: InvitationRecord; readonly token: string }>;
  /** False if there is no such open invitation. */
  withdraw(input: { readonly accountId: AccountId; readonly id: string; readonly actor: string }): Promise<boolean>;
  /** What the link invites to. Null if the link is invalid or expired. */
  find(token: string): Promise<InvitationDetails | null>;
  /** Only the user of the invited address can accept, once it is verified. An existing member keeps the better role. */
  accept(token: string, userId: UserId): Promise<AcceptOutcome>;
}

/** An invitation as the invited person sees it. */
export interface InvitationDetails {
  readonly email: string;
  readonly role: Role;
  readonly accountName: string;
  /** An owner whose address is verified. */
  readonly inviterName: string;
  readonly inviterEmail: string;
  readonly expiresAtMs: number;
}

export type AcceptOutcome =
  | { readonly kind: 'joined' }
  /** The link is invalid or expired. */
  | { readonly kind: 'link_not_valid' }
  /** The invitation is for another address than the user's. */
  | { readonly kind: 'other_address'; readonly invitedEmail: string }
  /** The user has not verified the address. */
  | { readonly kind: 'email_not_verified' };

const LIFETIME_SECONDS = 7 * 24 * 3_600;

/**
 * For `invitations i`: not accepted, not expired, and sent by a user who is still an owner. Otherwise a
 * removed owner who kept an invitation's link could join again.
 */
export const IS_VALID = Prisma.sql`(i.accepted_at IS NULL AND i.expires_at > now() AND EXISTS (
  SELECT FROM memberships o WHERE o.account_id = i.account_id AND o.user_id = i.invited_by AND o.role = 'owner'))`;

export function createInvitations(database: Database, outbox: Outbox): Invitations {
  const { side } = database;
  async function find(token: string): Promise<InvitationDetails | null> {
    const [found] = await side.$queryRaw<InvitationDetails[]>`
      SELECT i.email, i.role, a.name AS "accountName", u.name AS "inviterName", u.email AS "inviterEmail",
        epoch_ms(i.expires_at) AS "expiresAtMs"
      FROM invitations i JOIN accounts a ON a.id = i.account_id JOIN users u ON u.id = i.invited_by
      WHERE i.token_digest = ${tokenDigest(token)} AND ${IS_VALID}`;
    return found ?? null;
  }

  /** Why a user could not accept an invitation, by its current state. */
  async function refusalOf(token: string, userId: UserId): Promise<AcceptOutcome> {
    const [found, [user]] = await Promise.all([
      find(token),
      side.$queryRaw<{ readonly email: string; readonly isVerified: boolean }[]>`
        SELECT email, email_verified_at IS NOT NULL AS "isVerified" FROM users WHERE id = ${userId}::uuid`,
    ]);
    if (found === null || user === undefined) return { kind: 'link_not_valid' };
    if (found.email !== user.email) return { kind: 'other_address', invitedEmail: found.email };
    return user.isVerified ? { kind: 'link_not_valid' } : { kind: 'email_not_verified' };
  }

  return {
    find,
    list: (accountId) => side.$queryRaw<InvitationRecord[]>`
      SELECT id, email, role, epoch_ms(created_at) AS "createdAtMs", epoch_ms(expires_at) AS "expiresAtMs"
      FROM invitations i WHERE account_id = ${accountId}::uuid AND ${IS_VALID}
      ORDER BY created_at, id`,
    async create({ accountId, email, role, invitedBy, maxOpen, ...names }) {
      const token = newToken();
      const digest = tokenDigest(token);
      const id = randomUUID();
      const audit = auditPart(`user:${invitedBy}`, {
        action: 'invitation.create',
        subjectId: id,
        data: { account_id: accountId, email, role },
      });
      const content = { kind: 'invitation', to: email, token, ...names } as const;
      const sent = { content, accountId, lifetimeSeconds: LIFETIME_SECONDS };
      const statement = Prisma.sql`
        WITH changed AS (
          INSERT INTO invitations AS i (id, account_id, email, role, token_digest, invited_by, expires_at)
          SELECT ${id}::uuid, ${accountId}::uuid, ${email}, ${role}::member_role, ${digest}, ${invitedBy}::uuid,
                 now() + make_interval(secs => ${LIFETIME_SECONDS})
          WHERE ${maxOpen}::int > (
            SELECT count(*) FROM invitations o WHERE o.account_id = ${accountId}::uuid AND o.accepted_at IS NULL
              AND o.expires_at > now() AND o.email <> ${email})
          ON CONFLICT (account_id, email) WHERE accepted_at IS NULL DO UPDATE SET id = excluded.id,
            role = excluded.role, token_digest = excluded.token_digest, invited_by = excluded.invited_by,
            created_at = now(), expires_at = excluded.expires_at
          RETURNING i.id, i.email, i.role, epoch_ms(i.created_at) AS "createdAtMs",
                    epoch_ms(i.expires_at) AS "expiresAtMs"
        ), ${audit}, ${outbox.part(sent)}
        SELECT * FROM changed`;
      const [invitation] = await queryWithAccountLocked<InvitationRecord>(database, accountId, statement);
      if (!invitation) throw new AccountBoundReached('invitations', maxOpen);
      outbox.committed(sent);
      return { invitation, token };
    },
    async withdraw({ accountId, id, actor }) {
      const [counted] = await side.$queryRaw<{ readonly changed: number }[]>`
        WITH changed AS (
          DELETE FROM invitations
          WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid AND accepted_at IS NULL RETURNING id
        ), ${auditPart(actor, { action: 'invitation.withdraw', subjectId: id, data: { account_id: accountId } })}
        SELECT count(*)::int AS changed FROM changed`;
      return counted?.changed === 1;
    },
    async accept(token, userId) {
      const [counted] = await side.$queryRaw<{ readonly joined: number }[]>`
        WITH joined AS (
          UPDATE invitations i SET accepted_at = clock_timestamp(), accepted_by = ${userId}::uuid
          WHERE token_digest = ${tokenDigest(token)} AND ${IS_VALID} AND EXISTS (
            SELECT FROM users u WHERE u.id = ${userId}::uuid AND u.email = i.email AND u.email_verified_at IS NOT NULL)
          RETURNING account_id, role
        ), membership AS (
          INSERT INTO memberships AS m (user_id, account_id, role)
          SELECT ${userId}::uuid, j.account_id, j.role FROM joined j
          ON CONFLICT (user_id, account_id) DO UPDATE SET role = LEAST(m.role, excluded.role)
        ), ${joinAudit(userId)}
        SELECT count(*)::int AS joined FROM joined`;
      return counted?.joined === 1 ? { kind: 'joined' } : refusalOf(token, userId);
    },
  };
}
