import type { PrismaClient } from '@outdial/persistence';

export interface BegunSession {
  readonly digest: string;
  /** Of the password that it was begun with, as it was read before it was checked. */
  readonly passwordHash: string;
}

/**
 * To check a password takes long, and another may be set meanwhile: whoever does so ends the sessions that there are,
 * and one that is begun by the old password a moment later would stay. Ends such a session, and says whether it did.
 */
export async function endIfOutdated(prisma: PrismaClient, { digest, passwordHash }: BegunSession): Promise<boolean> {
  // Waits for whoever is changing the password right now, and then sees what they changed it to. A disabled user has no
  // current credential, so the session ends too and the answer is that of a wrong password.
  const ended = await prisma.$executeRaw`
    WITH current AS (
      SELECT c.user_id FROM user_credentials c JOIN sessions s ON s.user_id = c.user_id
        JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL
      WHERE s.token = ${digest} AND c.password = ${passwordHash} FOR SHARE OF c
    )
    DELETE FROM sessions WHERE token = ${digest} AND NOT EXISTS (SELECT FROM current)`;
  return ended > 0;
}
