import type { PrismaClient } from '@outdial/persistence';

export interface StartedSession {
  readonly digest: string;
  /** The password hash as it was read before the password was verified. */
  readonly passwordHash: string;
}

/**
 * Verifying a password takes long, and a password change may commit in that time. The change ends existing sessions; a
 * session that starts with the old password a moment later would survive. Ends such a session, and returns whether it did.
 */
export async function endIfOutdated(prisma: PrismaClient, { digest, passwordHash }: StartedSession): Promise<boolean> {
  // FOR SHARE waits for a concurrent password change, and then sees its result. A disabled user has no
  // current credential, so the session ends too and the response is that of a wrong password.
  const ended = await prisma.$executeRaw`
    WITH current AS (
      SELECT c.user_id FROM user_credentials c JOIN sessions s ON s.user_id = c.user_id
        JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL
      WHERE s.token = ${digest} AND c.password = ${passwordHash} FOR SHARE OF c
    )
    DELETE FROM sessions WHERE token = ${digest} AND NOT EXISTS (SELECT FROM current)`;
  return ended > 0;
}
